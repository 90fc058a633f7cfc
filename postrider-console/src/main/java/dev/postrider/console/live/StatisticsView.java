package dev.postrider.console.live;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A window of figures, one value a step; null where nothing was measured. */
record StatisticsView(long stepMillis, Instant from, Series series, List<TopicRate> topics) {

    /** The values by step. */
    record Series(
            @JsonProperty("in") List<@Nullable Double> enqueued,
            List<@Nullable Double> out,
            List<@Nullable Long> oldestMillis,
            List<@Nullable Long> delayP50Millis,
            List<@Nullable Long> delayP95Millis,
            List<@Nullable Long> delayP99Millis,
            List<@Nullable Double> failed) {}

    /** What the relays of this process did with a topic since they were started. */
    record TopicRate(String namespace, String topic, long out, long failed) {}
}

package dev.postrider.console.live;

import dev.postrider.admin.OutboxStats;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one look at a source gave.
 *
 * @param nanos when, on the clock of this process
 * @param situation what the sentence is made of
 * @param measured what the charts are made of
 * @param reading what was read; null if the source was never read
 * @param changes which relays joined and left lately
 */
record SourceSample(
        long nanos,
        Situation situation,
        Measurement measured,
        SourceReader.@Nullable Reading reading,
        List<String> changes) {

    /** A look that failed, with what was read before. */
    static SourceSample unread(
            @Nullable SourceSample before,
            Situation.ReadFailure trouble,
            @Nullable Instant since,
            long nanos,
            Instant now) {
        Situation situation = before == null
                ? new Situation(now, trouble, since, null, List.of(), null, List.of(), List.of(), null)
                : before.situation.troubled(trouble, since, now);
        return new SourceSample(
                nanos,
                situation,
                Measurement.NOTHING,
                before == null ? null : before.reading,
                before == null ? List.of() : before.changes);
    }

    @Nullable OutboxStats stats() {
        return situation.stats();
    }

    Situation.@Nullable ReadFailure trouble() {
        return situation.trouble();
    }
}

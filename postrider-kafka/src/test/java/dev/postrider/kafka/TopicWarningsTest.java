package dev.postrider.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.services.CapturedLog;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Replication that one broker cannot have, and errors that it does not make. */
final class TopicWarningsTest {

    private final CapturedLog log = CapturedLog.start();
    private final TopicWarnings warnings = new TopicWarnings();

    @AfterEach
    void close() {
        log.close();
    }

    @Test
    void topicWithOneReplicaIsWarnedOfOnce() {
        warnings.check(topic("orders", 3, 1), config("1"));
        warnings.check(topic("orders", 3, 1), null);

        assertThat(log.lines("orders")).singleElement().asString().contains("has one replica");
    }

    @Test
    void oneInSyncReplicaIsWarnedOfOnce() {
        warnings.check(topic("orders", 3), config("1"));
        warnings.check(topic("orders", 3), config("1"));

        assertThat(log.lines("orders")).singleElement().asString().contains("min.insync.replicas 1");
    }

    @Test
    void safeTopicIsNotWarnedOf() {
        warnings.check(topic("orders", 3), config("2"));
        warnings.check(topic("unknown", 3), null);

        assertThat(log.lines("replica")).isEmpty();
    }

    @Test
    void warningsEndAtTheLimit() {
        IntStream.range(0, 10 * TopicWarnings.MOST).forEach(i -> {
            warnings.check(topic("topic-" + i, 1), null);
            warnings.unreadable("topic-" + i, new TopicAuthorizationException(Set.of()));
        });

        assertThat(log.lines("one replica")).hasSize(TopicWarnings.MOST);
        assertThat(log.lines("DESCRIBE_CONFIGS")).hasSize(TopicWarnings.MOST);
    }

    @Test
    void onlyMissingRightsAskForDescribeConfigs() {
        warnings.unreadable("slow", new CompletionException(new TimeoutException("Timed out")));
        warnings.unreadable("lost", new DisconnectException());
        warnings.unreadable("old", new UnsupportedVersionException("no such request"));
        warnings.unreadable("forbidden", new CompletionException(new TopicAuthorizationException("no")));

        assertThat(log.lines("grant DESCRIBE_CONFIGS"))
                .singleElement()
                .asString()
                .contains("topic forbidden");
        assertThat(log.lines("WARN")).hasSize(2).anyMatch(line -> line.contains("topic old: keep batch.size"));
    }

    private static TopicDescription topic(String name, int... replicas) {
        List<TopicPartitionInfo> partitions = IntStream.range(0, replicas.length)
                .mapToObj(i -> new TopicPartitionInfo(i, node(), nodes(replicas[i]), nodes(replicas[i])))
                .toList();
        return new TopicDescription(name, false, partitions);
    }

    private static List<Node> nodes(int count) {
        return Collections.nCopies(count, node());
    }

    private static Node node() {
        return new Node(1, "localhost", 9092);
    }

    private static Config config(String minInSync) {
        return new Config(List.of(new ConfigEntry("min.insync.replicas", minInSync)));
    }
}

package dev.postrider.kafka;

import dev.postrider.inbox.ReceivedMessage;
import dev.postrider.inbox.consumer.ConsumerLanes;
import dev.postrider.inbox.consumer.ConsumerSession;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One member of a group. A partition that has records in hand is paused, so that polling goes on, as the group demands,
 * without anything more to hold. For one thread, which is also the one that hears of rebalances: while it handles a
 * record nothing is taken from it.
 */
final class KafkaSession implements ConsumerSession<ConsumerRecord<byte[], byte[]>>, ConsumerRebalanceListener {

    private static final Logger log = LoggerFactory.getLogger(KafkaSession.class);
    private static final Duration COMMIT = Duration.ofSeconds(5);
    private static final Duration CLOSE = Duration.ofSeconds(10);
    private static final long UNKNOWN = -1;

    private final Consumer<byte[], byte[]> client;
    private final RecordReader reader;
    private final ConsumerLanes<ConsumerRecord<byte[], byte[]>> lanes;
    // The offset after the last record received, and the one last committed.
    private final Map<TopicPartition, Long> ends = new HashMap<>();
    private final Map<TopicPartition, Long> committed = new HashMap<>();

    /** What is read, and how. */
    record Reading(List<String> topics, RecordReader reader) {}

    KafkaSession(
            Consumer<byte[], byte[]> client, Reading reading, ConsumerLanes<ConsumerRecord<byte[], byte[]>> lanes) {
        this.client = client;
        this.reader = reading.reader();
        this.lanes = lanes;
        client.subscribe(reading.topics(), this);
    }

    static TopicPartition partition(ConsumerRecord<byte[], byte[]> received) {
        return new TopicPartition(received.topic(), received.partition());
    }

    @Override
    public void receive(Duration atMost) {
        commitSoon();
        pauseOccupied();
        for (ConsumerRecord<byte[], byte[]> received : client.poll(atMost)) {
            TopicPartition partition = partition(received);
            committed.putIfAbsent(partition, received.offset());
            ends.put(partition, received.offset() + 1);
            lanes.add(received);
        }
    }

    private void pauseOccupied() {
        Set<TopicPartition> idle = new HashSet<>(client.assignment());
        Set<TopicPartition> occupied = new HashSet<>(idle);
        occupied.retainAll(lanes.occupied());
        idle.removeAll(occupied);
        client.pause(occupied);
        client.resume(idle);
    }

    @Override
    public ReceivedMessage message(ConsumerRecord<byte[], byte[]> received) {
        return reader.read(received);
    }

    // Nothing to say to the broker yet: once in a turn the offsets of all that is done are committed together.
    @Override
    public void acknowledge(List<ConsumerRecord<byte[], byte[]>> done) {}

    /** Returns up to where the records of each partition are done, where the broker does not know it yet. */
    private Map<TopicPartition, OffsetAndMetadata> uncommitted(Collection<TopicPartition> partitions) {
        Map<TopicPartition, OffsetAndMetadata> found = new HashMap<>();
        for (TopicPartition partition : partitions) {
            Long end = ends.get(partition);
            if (end != null) {
                long done =
                        lanes.first(partition).map(ConsumerRecord::offset).orElseGet(() -> position(partition, end));
                if (!Long.valueOf(done).equals(committed.get(partition))) {
                    found.put(partition, new OffsetAndMetadata(done));
                }
            }
        }
        return found;
    }

    // The ends of transactions take a place each, but are no records: without them the group would seem to lag.
    private long position(TopicPartition partition, long end) {
        try {
            return Math.max(end, client.position(partition, Duration.ZERO));
        } catch (KafkaException | IllegalStateException e) {
            // Not known at the moment.
            return end;
        }
    }

    // Whether it arrives is no matter: what is not committed comes again and is a duplicate.
    private void commitSoon() {
        Map<TopicPartition, OffsetAndMetadata> offsets = uncommitted(ends.keySet());
        if (offsets.isEmpty()) {
            return;
        }
        offsets.forEach((partition, offset) -> committed.put(partition, offset.offset()));
        client.commitAsync(offsets, (tried, error) -> {
            if (error != null) {
                log.debug("Could not commit offsets; tried again: {}", KafkaErrors.text(error));
                tried.keySet().forEach(partition -> committed.replace(partition, UNKNOWN));
            }
        });
    }

    private void commitNow(Collection<TopicPartition> partitions) {
        Map<TopicPartition, OffsetAndMetadata> offsets = uncommitted(partitions);
        if (offsets.isEmpty()) {
            return;
        }
        try {
            client.commitSync(offsets, COMMIT);
        } catch (KafkaException e) {
            log.info("Could not commit offsets, some records will come again: {}", KafkaErrors.text(e));
        }
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
        log.debug("Assigned {}", partitions);
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
        commitNow(partitions);
        onPartitionsLost(partitions);
    }

    @Override
    public void onPartitionsLost(Collection<TopicPartition> partitions) {
        lanes.drop(partitions);
        ends.keySet().removeAll(partitions);
        committed.keySet().removeAll(partitions);
    }

    @Override
    public boolean assigned() {
        return !client.assignment().isEmpty();
    }

    // Of a partition that was assigned just now the client knows nothing, which is not the same as a lag of 0.
    @Override
    public OptionalLong lag() {
        long unread = 0;
        for (TopicPartition partition : client.assignment()) {
            OptionalLong ofPartition = client.currentLag(partition);
            if (ofPartition.isEmpty()) {
                return ofPartition;
            }
            unread += ofPartition.getAsLong();
        }
        return assigned() ? OptionalLong.of(unread) : OptionalLong.empty();
    }

    @Override
    public void close() {
        // Revokes what it has, and so commits it.
        client.close(CLOSE);
    }
}

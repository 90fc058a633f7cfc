package dev.postrider.testkit;

import dev.postrider.spi.ClaimSize;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.FetchRequest;
import dev.postrider.spi.FetchedRow;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.OwnedShard;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.Shards;
import dev.postrider.spi.TopicFilter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Delivers on the caller's thread, one message at a time, and leaves when nothing can be delivered. */
final class InlineRelay {

    private static final String NAME = "inline";
    private static final Duration A_MINUTE = Duration.ofMinutes(1);
    private static final Duration RETRY_DELAY = Duration.ofSeconds(1);
    private static final int MAX_ATTEMPTS = 20;
    private static final ClaimSize ONE_MESSAGE = new ClaimSize(1, Long.MAX_VALUE);
    private static final Set<Integer> ALL_SHARDS =
            IntStream.range(0, Shards.COUNT).boxed().collect(Collectors.toUnmodifiableSet());

    private final OutboxStore store;
    private final MessagePublisher publisher;
    private long token;

    InlineRelay(OutboxStore store, MessagePublisher publisher) {
        this.store = store;
        this.publisher = publisher;
    }

    int deliverAll() {
        int acked = 0;
        store.renew(NAME, A_MINUTE);
        store.acquire(NAME, ALL_SHARDS);
        Map<Integer, Long> epochs = store.renew(NAME, A_MINUTE).owned().stream()
                .collect(Collectors.toMap(OwnedShard::shard, OwnedShard::epoch));
        try {
            for (ClaimedMessage next = fetch(epochs); next != null; next = fetch(epochs)) {
                PublishResult result = publish(next);
                if (result.kind() == PublishResult.Kind.UNAVAILABLE) {
                    return acked;
                }
                store.settle(List.of(outcome(next, result)));
                acked += result.kind() == PublishResult.Kind.ACKED ? 1 : 0;
            }
            return acked;
        } finally {
            store.leave(NAME);
        }
    }

    // A message behind one that waits is put aside; the delivery of that one brings it back.
    private @Nullable ClaimedMessage fetch(Map<Integer, Long> epochs) {
        for (FetchedRow row = fetchRow(epochs); row != null; row = fetchRow(epochs)) {
            Long holder = row.holder();
            if (holder == null) {
                return row.claimed();
            }
            store.settle(List.of(Settlement.behind(row.claimed(), holder)));
        }
        return null;
    }

    private @Nullable FetchedRow fetchRow(Map<Integer, Long> epochs) {
        Set<Long> ended = Set.of(token);
        FetchRequest request = new FetchRequest(NAME, epochs, TopicFilter.ALL, ONE_MESSAGE, Set.of(), ++token, ended);
        List<FetchedRow> due = store.fetchDue(request, null).rows();
        List<FetchedRow> rows = due.isEmpty()
                ? store.fetch(request, SeqRange.above(0), Integer.MAX_VALUE).rows()
                : due;
        return rows.isEmpty() ? null : rows.get(0);
    }

    private PublishResult publish(ClaimedMessage message) {
        String defect = message.defect();
        if (defect != null) {
            return PublishResult.rejected(defect);
        }
        AtomicReference<@Nullable PublishResult> first = new AtomicReference<>();
        try {
            publisher.publish(List.of(message), (claimed, result) -> first.compareAndSet(null, result));
        } catch (RuntimeException e) {
            first.compareAndSet(null, PublishResult.unavailable(e.toString()));
        }
        PublishResult result = first.get();
        return result == null ? PublishResult.failed("No answer") : result;
    }

    private static Settlement outcome(ClaimedMessage claimed, PublishResult result) {
        String error = String.valueOf(result.error());
        boolean holdsKey = claimed.message().key().isPresent();
        return switch (result.kind()) {
            case ACKED -> Settlement.delivered(claimed);
            case REJECTED -> Settlement.dead(claimed, error, holdsKey).withFailure(result.failure());
            case UNAVAILABLE -> throw new IllegalArgumentException("Nothing was sent: " + claimed.message());
            case FAILED ->
                (claimed.attempt() >= claimed.message().maxAttempts().orElse(MAX_ATTEMPTS)
                                ? Settlement.dead(claimed, error, holdsKey)
                                : Settlement.retry(claimed, RETRY_DELAY, error, holdsKey))
                        .withFailure(result.failure());
        };
    }
}

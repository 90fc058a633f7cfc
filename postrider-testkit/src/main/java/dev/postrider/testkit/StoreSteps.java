package dev.postrider.testkit;

import dev.postrider.OutboxMessage;
import dev.postrider.Receipt;
import dev.postrider.admin.Decision;
import dev.postrider.admin.OutboxAdmin;
import dev.postrider.admin.StoredMessage;
import dev.postrider.spi.ClaimRequest;
import dev.postrider.spi.ClaimSize;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.OwnedShard;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.Shards;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.api.Assertions;

/** The steps from which the parts of the store's contract are told. */
interface StoreSteps {

    Duration LONG = Duration.ofMinutes(5);
    Duration SHORT = Duration.ofMillis(300);
    Duration PATIENCE = Duration.ofMinutes(2);
    Duration POLL = Duration.ofMillis(25);
    Set<Integer> ALL_SHARDS = IntStream.range(0, Shards.COUNT).boxed().collect(Collectors.toUnmodifiableSet());
    ClaimSize PLENTY = new ClaimSize(1_000, 1L << 30);
    Decision DECISION = new Decision("operator", "the cause is gone");
    AtomicLong TOKENS = new AtomicLong();

    OutboxStore store();

    OutboxAdmin admin();

    OutboxTransaction begin();

    void advance(Duration duration);

    void damage(UUID id);

    void repair(UUID id);

    default OutboxMessage keyed(String key) {
        return OutboxMessage.to("orders", "OrderPlaced").key(key).payload("{}").build();
    }

    default OutboxMessage unkeyed() {
        return OutboxMessage.to("orders", "OrderPlaced").payload("{}").build();
    }

    /** Enqueues so many messages, each of a key of its own. */
    default List<OutboxMessage> several(int count) {
        List<OutboxMessage> messages =
                IntStream.range(0, count).mapToObj(i -> keyed("key-" + i)).toList();
        enqueue(messages.toArray(OutboxMessage[]::new));
        return messages;
    }

    default List<Receipt> enqueue(OutboxMessage... messages) {
        try (OutboxTransaction transaction = begin()) {
            List<Receipt> receipts = transaction.outbox().enqueueAll(List.of(messages));
            transaction.commit();
            return receipts;
        }
    }

    /** Lets the relay live for long and own every shard that is free. */
    default List<OwnedShard> join(String relay) {
        store().renew(relay, LONG);
        return store().acquire(relay, ALL_SHARDS);
    }

    /** Lets {@code to} own at once whatever {@code from} owns. */
    default List<OwnedShard> takeOver(String from, String to) {
        store().leave(from);
        return join(to);
    }

    default ClaimRequest request(String relay) {
        return request(relay, PLENTY, LONG);
    }

    default ClaimRequest request(String relay, ClaimSize size, Duration claimFor) {
        return new ClaimRequest(relay, ALL_SHARDS, Set.of(), size, claimFor, TOKENS.incrementAndGet());
    }

    default List<ClaimedMessage> claim(String relay) {
        return claim(request(relay));
    }

    default List<ClaimedMessage> claim(ClaimRequest request) {
        return store().claim(request, SeqRange.above(0)).messages();
    }

    default ClaimedMessage claimOne(String relay) {
        List<ClaimedMessage> claimed = claim(relay);
        Assertions.assertThat(claimed).hasSize(1);
        return claimed.get(0);
    }

    default List<ClaimedMessage> claimWaiting(String relay) {
        return store().claimWaiting(request(relay));
    }

    default ClaimedMessage awaitWaiting(String relay) {
        List<ClaimedMessage> claimed = await(() -> claimWaiting(relay));
        Assertions.assertThat(claimed).hasSize(1);
        return claimed.get(0);
    }

    default int settle(Settlement... outcomes) {
        return store().settle(List.of(outcomes));
    }

    default StoredMessage stored(OutboxMessage message) {
        return admin().find(message.id()).orElseThrow();
    }

    default List<UUID> ids(Collection<ClaimedMessage> claimed) {
        return claimed.stream().map(each -> each.message().id()).toList();
    }

    /** Enqueues messages of one key, lets the first fail so that it holds the key, and puts the others behind it. */
    default List<OutboxMessage> blockedKey(String relay, String key, int length) {
        List<OutboxMessage> messages =
                IntStream.range(0, length).mapToObj(i -> keyed(key)).toList();
        enqueue(messages.toArray(OutboxMessage[]::new));
        List<ClaimedMessage> claimed = claim(relay);
        settle(Settlement.retry(claimed.get(0), Duration.ZERO, "broken", true));
        claimed.stream().skip(1).forEach(each -> settle(Settlement.behind(each)));
        return messages;
    }

    /** Asks again and again until something comes. */
    default <T> List<T> await(Supplier<List<T>> question) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        List<T> answer = question.get();
        while (answer.isEmpty() && System.nanoTime() < end) {
            advance(POLL);
            answer = question.get();
        }
        return answer;
    }
}

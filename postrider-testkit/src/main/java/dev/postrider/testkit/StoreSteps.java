package dev.postrider.testkit;

import dev.postrider.OutboxMessage;
import dev.postrider.Receipt;
import dev.postrider.admin.Decision;
import dev.postrider.admin.OutboxAdmin;
import dev.postrider.admin.RelayAdmin;
import dev.postrider.admin.StoredMessage;
import dev.postrider.spi.Acquired;
import dev.postrider.spi.ClaimSize;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.FetchRequest;
import dev.postrider.spi.FetchedPage;
import dev.postrider.spi.FetchedRow;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.OwnedShard;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Settled;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.Shards;
import dev.postrider.spi.TopicFilter;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    int MANY_ROWS = 100_000;
    Decision DECISION = new Decision("operator", "the cause is gone");
    AtomicLong TOKENS = new AtomicLong();

    OutboxStore store();

    OutboxAdmin admin();

    RelayAdmin relays();

    OutboxTransaction begin();

    void advance(Duration duration);

    void damage(UUID id);

    void repair(UUID id);

    /** Locks the row of a message until the transaction ends; empty if a row of this store cannot be locked. */
    Optional<OutboxTransaction> lockRow(UUID id);

    default OutboxMessage keyed(String key) {
        return OutboxMessage.to("orders", "OrderPlaced").key(key).payload("{}").build();
    }

    default OutboxMessage unkeyed() {
        return OutboxMessage.to("orders", "OrderPlaced").payload("{}").build();
    }

    /** Returns a message in another shard than this one. */
    default OutboxMessage inAnotherShard(OutboxMessage message) {
        return IntStream.range(0, 1_000)
                .mapToObj(i -> keyed("other-" + i))
                .filter(other -> Shards.of(other) != Shards.of(message))
                .findFirst()
                .orElseThrow();
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

    /** Keeps the relay alive for long and lets it own every shard that is free. */
    default List<OwnedShard> join(String relay) {
        return join(relay, ALL_SHARDS);
    }

    /** Keeps the relay alive for long and lets it own those of the shards that are free. */
    default List<OwnedShard> join(String relay, Set<Integer> shards) {
        store().renew(relay, LONG);
        return acquire(relay, shards);
    }

    default List<OwnedShard> acquire(String relay, Set<Integer> shards) {
        return store().acquire(relay, shards).shards();
    }

    /** Lets {@code to} own at once whatever {@code from} gives up by leaving, which loses no claim. */
    default List<OwnedShard> handOver(String from, String to) {
        store().leave(from);
        return join(to);
    }

    /** Lets {@code from} die, so that {@code to} takes over its shards and counts the claims that were lost. */
    default Acquired takeOver(String from, String to) {
        return takeOver(from, to, ALL_SHARDS);
    }

    default Acquired takeOver(String from, String to, Set<Integer> shards) {
        store().renew(from, SHORT);
        awaitDeath(from, to);
        return store().acquire(to, shards);
    }

    /** Waits until {@code relay} is no longer among the live ones, as {@code witness} sees it. */
    default void awaitDeath(String relay, String witness) {
        List<String> gone =
                await(() -> store().renew(witness, LONG).relays().contains(relay) ? List.of() : List.of(relay));
        Assertions.assertThat(gone).containsExactly(relay);
    }

    /** Asks for everything in the shards the relay owns now, and keeps it alive for long. */
    default FetchRequest request(String relay) {
        return request(relay, PLENTY);
    }

    default FetchRequest request(String relay, ClaimSize size) {
        return request(relay, size, TopicFilter.ALL, Set.of());
    }

    default FetchRequest request(String relay, TopicFilter topics) {
        return request(relay, PLENTY, topics, Set.of());
    }

    /** Asks for everything but what the relay has in flight already. */
    default FetchRequest request(String relay, Collection<ClaimedMessage> inFlight) {
        return request(relay, PLENTY, TopicFilter.ALL, seqs(inFlight));
    }

    default FetchRequest request(String relay, ClaimSize size, TopicFilter topics, Set<Long> inFlight) {
        Map<Integer, Long> epochs = store().renew(relay, LONG).owned().stream()
                .collect(Collectors.toMap(OwnedShard::shard, OwnedShard::epoch));
        return new FetchRequest(relay, epochs, topics, size, inFlight, TOKENS.incrementAndGet(), Set.of());
    }

    /** Fetches the whole range, whatever its size. */
    default FetchedPage fetch(FetchRequest request, SeqRange range) {
        return store().fetch(request, range, MANY_ROWS);
    }

    default List<ClaimedMessage> fetch(FetchRequest request) {
        return claimed(fetch(request, SeqRange.above(0)).rows());
    }

    /** Fetches everything that does not wait. */
    default List<ClaimedMessage> fetchAll(String relay) {
        return fetch(request(relay));
    }

    /** Fetches what does not wait and may be sent: no earlier message holds its key. */
    default List<ClaimedMessage> fetchFree(String relay) {
        return free(fetch(request(relay), SeqRange.above(0)).rows());
    }

    default ClaimedMessage fetchOne(String relay) {
        List<ClaimedMessage> fetched = fetchAll(relay);
        Assertions.assertThat(fetched).hasSize(1);
        return fetched.get(0);
    }

    /** Fetches everything whose time has come, up to the first page's end. */
    default List<ClaimedMessage> due(String relay) {
        return claimed(store().fetchDue(request(relay), null).rows());
    }

    /** Fetches that whose time has come and which may be sent: no earlier message holds its key. */
    default List<ClaimedMessage> dueFree(String relay) {
        return free(store().fetchDue(request(relay), null).rows());
    }

    /** Waits until the time of one message has come that may be sent. */
    default ClaimedMessage awaitDue(String relay) {
        List<ClaimedMessage> due = await(() -> dueFree(relay));
        Assertions.assertThat(due).hasSize(1);
        return due.get(0);
    }

    /** Fetches everything that does not wait, with its holders. */
    default List<FetchedRow> fetchRows(String relay) {
        return fetch(request(relay), SeqRange.above(0)).rows();
    }

    /** Waits until the time of so many messages has come that may be sent. */
    default List<ClaimedMessage> awaitDue(String relay, int messages) {
        return await(() -> {
            List<ClaimedMessage> due = dueFree(relay);
            return due.size() == messages ? due : List.of();
        });
    }

    /** Removes the journal's entries of these messages: nothing of them is in flight any more. */
    default void end(String relay, Collection<ClaimedMessage> claimed) {
        Set<Long> tokens = claimed.stream().map(ClaimedMessage::token).collect(Collectors.toSet());
        FetchRequest request = request(relay);
        FetchRequest ending = new FetchRequest(
                relay, request.epochs(), request.topics(), request.size(), Set.of(), request.token(), tokens);
        fetch(ending, new SeqRange(0, 0));
    }

    /** Settles and returns how many outcomes were written; none may have met a lock. */
    default int settle(Settlement... outcomes) {
        return settle(List.of(outcomes));
    }

    default int settle(List<Settlement> outcomes) {
        Settled settled = store().settle(outcomes);
        Assertions.assertThat(settled.locked()).isEmpty();
        return settled.written();
    }

    default StoredMessage stored(OutboxMessage message) {
        return admin().find(message.id()).orElseThrow();
    }

    default List<UUID> ids(Collection<ClaimedMessage> claimed) {
        return claimed.stream().map(each -> each.message().id()).toList();
    }

    default Set<Long> seqs(Collection<ClaimedMessage> claimed) {
        return claimed.stream().map(ClaimedMessage::seq).collect(Collectors.toSet());
    }

    private static List<ClaimedMessage> claimed(List<FetchedRow> rows) {
        return rows.stream().map(FetchedRow::claimed).toList();
    }

    private static List<ClaimedMessage> free(List<FetchedRow> rows) {
        return claimed(rows.stream().filter(row -> row.holder() == null).toList());
    }

    /**
     * Enqueues messages of one key, lets the first fail so that it holds the key, and puts the others behind it.
     * Nothing of them is in flight afterwards.
     */
    default List<OutboxMessage> blockedKey(String relay, String key, int length) {
        List<OutboxMessage> messages =
                IntStream.range(0, length).mapToObj(i -> keyed(key)).toList();
        enqueue(messages.toArray(OutboxMessage[]::new));
        Set<UUID> ids = messages.stream().map(OutboxMessage::id).collect(Collectors.toSet());
        List<ClaimedMessage> fetched = fetchAll(relay).stream()
                .filter(each -> ids.contains(each.message().id()))
                .toList();
        ClaimedMessage head = fetched.get(0);
        settle(Settlement.retry(head, Duration.ZERO, "broken", true));
        settle(fetched.stream()
                .skip(1)
                .map(each -> Settlement.behind(each, head.seq()))
                .toList());
        end(relay, fetched);
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

package dev.postrider.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.spi.Acquired;
import dev.postrider.spi.ClaimSize;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.FetchRequest;
import dev.postrider.spi.FetchedDue;
import dev.postrider.spi.FetchedPage;
import dev.postrider.spi.FetchedRow;
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
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A relay whose steps a test takes one by one. It keeps the epochs of its first take-over, as a frozen relay would. */
public record HandRelay(JdbcOutboxStore store, String name, Acquired acquired) {

    public static final Duration LONG = Duration.ofMinutes(5);
    public static final Set<Integer> ALL =
            IntStream.range(0, Shards.COUNT).boxed().collect(Collectors.toUnmodifiableSet());

    private static final int MANY_ROWS = 100_000;
    private static final AtomicLong TOKENS = new AtomicLong();

    public static HandRelay join(Fixture fixture, String name) {
        return join(JdbcOutboxStore.builder(fixture.pool()).build(), name, ALL);
    }

    public static HandRelay join(JdbcOutboxStore store, String name) {
        return join(store, name, ALL);
    }

    public static HandRelay join(JdbcOutboxStore store, String name, Set<Integer> shards) {
        store.renew(name, LONG);
        return new HandRelay(store, name, store.acquire(name, shards));
    }

    /** Lets this relay die and another one take over its shards. */
    public HandRelay takenOverBy(Fixture fixture, String other) {
        fixture.execute("delete from outbox_relay where id = '%s'".formatted(name));
        return join(store, other);
    }

    public Map<Integer, Long> epochs() {
        return acquired.shards().stream().collect(Collectors.toMap(OwnedShard::shard, OwnedShard::epoch));
    }

    public FetchRequest request() {
        return request(10_000);
    }

    public FetchRequest request(int size) {
        return request(size, Set.of(), Set.of());
    }

    public FetchRequest request(int size, Set<Long> inFlight, Set<Long> ended) {
        return new FetchRequest(
                name,
                epochs(),
                TopicFilter.ALL,
                new ClaimSize(size, 1L << 30),
                inFlight,
                TOKENS.incrementAndGet(),
                ended);
    }

    public FetchedPage page(long after, int size) {
        return store.fetch(request(size), SeqRange.above(after), MANY_ROWS);
    }

    public FetchedDue duePage(int size) {
        return store.fetchDue(request(size), null);
    }

    /** Fetches everything that does not wait. */
    public List<ClaimedMessage> fetch() {
        return claimed(page(0, 10_000).rows());
    }

    /** Fetches everything whose time has come. */
    public List<ClaimedMessage> due() {
        return claimed(duePage(10_000).rows());
    }

    /** Removes the entries of these messages from the journal. */
    public void end(Collection<ClaimedMessage> fetched) {
        Set<Long> tokens = fetched.stream().map(ClaimedMessage::token).collect(Collectors.toSet());
        store.fetch(request(1, Set.of(), tokens), new SeqRange(0, 0), 1);
    }

    /** Settles and returns how many outcomes were written; none may have met a lock. */
    public int settle(Settlement... outcomes) {
        return settle(List.of(outcomes));
    }

    public int settle(List<Settlement> outcomes) {
        Settled settled = store.settle(outcomes);
        assertThat(settled.locked()).isEmpty();
        return settled.written();
    }

    public int settle(List<ClaimedMessage> messages, Function<ClaimedMessage, Settlement> outcome) {
        return settle(messages.stream().map(outcome).toList());
    }

    public static List<ClaimedMessage> claimed(List<FetchedRow> rows) {
        return rows.stream().map(FetchedRow::claimed).toList();
    }
}

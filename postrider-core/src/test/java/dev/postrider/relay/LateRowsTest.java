package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.OutboxException;
import dev.postrider.OutboxMessage;
import dev.postrider.spi.ClaimSize;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.FetchRequest;
import dev.postrider.spi.FetchedDue;
import dev.postrider.spi.FetchedPage;
import dev.postrider.spi.FetchedRow;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.OwnedShard;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.TopicName;
import dev.postrider.spi.Writer;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rows that a scan finds below its head: none is forgotten, and none overtakes an earlier message of its key. */
@Tag("B1")
class LateRowsTest {

    private static final String RELAY = "relay";
    private static final OwnedShard SHARD = new OwnedShard(0, 1, 0);
    private static final TopicName TOPIC = new TopicName(OutboxMessage.DEFAULT_NAMESPACE, "orders");

    private final NavigableMap<Long, String> rows = new TreeMap<>();
    private final RelayState state = new RelayState(config());
    private final Fetcher fetcher = new Fetcher(store(), state);
    private int batch = 8;
    private int holesRead;
    private int holesReadUntilFailure = Integer.MAX_VALUE;
    private int fetches;

    // Empty: the store cannot list its writers.
    private Optional<Set<Writer>> openWriters = Optional.empty();

    @Test
    void aLateRowOfATurnThatFailedIsReadAgain() {
        own();
        rows.put(3L, "a");
        fetcher.fetch();
        rows.put(1L, "a");
        holesReadUntilFailure = holesRead + 1;
        assertThatThrownBy(fetcher::fetch).isInstanceOf(OutboxException.class);
        holesReadUntilFailure = Integer.MAX_VALUE;

        fetcher.fetch();

        assertThat(state.isInFlight(1)).isTrue();
    }

    @Test
    void anotherRelayBeginsBelowALateRowThatWasNotHandedOn() {
        own();
        rows.put(3L, "a");
        fetcher.fetch();
        rows.put(1L, "b");
        holesReadUntilFailure = holesRead + 1;

        assertThatThrownBy(fetcher::fetch).isInstanceOf(OutboxException.class);

        assertThat(state.lowWater()).isZero();
    }

    @Test
    void aLateRowAboveTheRangeThatWasReadWaitsForTheRowsBetween() {
        own();
        rows.put(9L, "other");
        fetcher.fetch();
        settleAll();
        // A shard is gained: its rows below the head are read in pages of one.
        rows.put(2L, "other");
        rows.put(4L, "a");
        rows.put(7L, "a");
        batch = 1;
        state.gained(List.of(new OwnedShard(1, 1, 0)));

        fetcher.fetch();

        assertThat(state.isInFlight(2)).isTrue();
        assertThat(state.isInFlight(7))
                .as("message 4 of its key is not read yet")
                .isFalse();
    }

    @Test
    void rowsAboveAFullAnswerWaitBecauseALateRowMayBeMissingBelow() {
        own();
        batch = OutboxStore.MOST_APPEARED + 1;
        for (long seq = 2; seq <= 2L * OutboxStore.MOST_APPEARED; seq += 2) {
            rows.put(seq, "other");
        }
        long last = 2L * OutboxStore.MOST_APPEARED + 2;
        rows.put(last, "other");
        fetcher.fetch();
        assertThat(state.isInFlight(last - 2)).isTrue();
        rows.put(last - 1, "a");
        rows.put(last + 1, "a");

        fetcher.fetch();

        assertThat(state.isInFlight(last - 1)).isFalse();
        assertThat(state.isInFlight(last + 1))
                .as("the message before it in its key was not seen")
                .isFalse();
    }

    @Test
    void aRowPutBackWhileItsTopicCatchesUpIsReadAgain() {
        own();
        rows.put(1L, "a");
        state.pause(TOPIC);
        fetcher.fetch();
        state.resume(TOPIC);
        fetcher.fetch();
        ClaimedMessage sent = state.takeReady().get(0);
        ClaimSize room = new ClaimSize(1, 1);
        state.begin(room);
        state.giveBack(sent);
        Scan.Part part = Objects.requireNonNull(state.catchUp(room));

        state.accept(part, 1, List.of(new FetchedRow(sent, null)), row -> true);
        fetcher.fetch();

        assertThat(state.isInFlight(1)).isTrue();
    }

    @Test
    void holesCloseTogetherAreReadAtOnceWhenTheirWriterHasEnded() {
        own();
        batch = 1_000;
        openWriters = Optional.of(Set.of(new Writer("1", false)));
        fetcher.fetch();
        for (long seq = 2; seq <= 800; seq += 2) {
            rows.put(seq, "other");
        }
        fetcher.fetch();
        rows.put(1L, "a");
        rows.put(799L, "b");
        openWriters = Optional.of(Set.of());
        int before = fetches;

        fetcher.fetch();

        assertThat(fetches - before).as("the head, and the holes below it").isEqualTo(2);
        fetcher.fetch();
        assertThat(state.isInFlight(1)).isTrue();
    }

    private void own() {
        state.gained(List.of(SHARD));
        state.renewed(List.of(SHARD), Long.MAX_VALUE / 2);
    }

    private void settleAll() {
        state.takeReady().forEach(claimed -> state.answered(claimed, PublishResult.acked()));
        state.takeOutcomes(100).forEach(outcome -> rows.remove(outcome.claimed().seq()));
        state.settled(List.of());
    }

    private static RelayConfig config() {
        RelayBuilder builder = UnusedStore.relay().batchSize(8).prefetchMessages(100_000);
        builder.name = RELAY;
        builder.nanoTime = () -> 1_000;
        return new RelayConfig(builder);
    }

    private OutboxStore store() {
        return (OutboxStore) Proxy.newProxyInstance(
                LateRowsTest.class.getClassLoader(),
                new Class<?>[] {OutboxStore.class},
                (proxy, method, args) -> switch (method.getName()) {
                    case "fetch" -> fetch((FetchRequest) args[0], (SeqRange) args[1]);
                    case "fetchDue" -> new FetchedDue(List.of(), null);
                    case "writers" -> writers();
                    case "appeared" -> appeared(args[2]);
                    default -> throw new AssertionError(method);
                });
    }

    private Optional<?> writers() {
        holesRead++;
        if (holesRead > holesReadUntilFailure) {
            throw new OutboxException("away", null);
        }
        return openWriters;
    }

    private List<Long> appeared(Object holes) {
        return rows.keySet().stream()
                .filter(seq -> ((List<?>) holes)
                        .stream().map(SeqRange.class::cast).anyMatch(hole -> hole.after() < seq && seq <= hole.upTo()))
                .limit(OutboxStore.MOST_APPEARED)
                .toList();
    }

    private FetchedPage fetch(FetchRequest request, SeqRange range) {
        fetches++;
        List<FetchedRow> found = rows.subMap(range.after(), false, range.upTo(), true).entrySet().stream()
                .filter(row -> !request.inFlight().contains(row.getKey()))
                .filter(row -> request.topics().includes(TOPIC))
                .limit(batch + 1L)
                .map(row -> new FetchedRow(claimed(row.getKey(), row.getValue(), request), null))
                .toList();
        boolean full = found.size() > batch;
        List<FetchedRow> page = full ? found.subList(0, batch) : found;
        long scannedTo = full
                ? page.get(page.size() - 1).seq()
                : Math.max(range.after(), rows.isEmpty() ? 0 : Math.min(rows.lastKey(), range.upTo()));
        boolean dense = rows.subMap(range.after(), false, scannedTo, true).size() == scannedTo - range.after();
        List<SeqRange> holes = dense ? List.of() : holes(range.after(), scannedTo);
        return new FetchedPage(page, scannedTo, full, page.size(), holes);
    }

    // A store that lists its writers tells each hole, the other one where holes are.
    private List<SeqRange> holes(long after, long upTo) {
        if (openWriters.isEmpty()) {
            return List.of(new SeqRange(after, upTo));
        }
        List<SeqRange> holes = new ArrayList<>();
        long passed = after;
        for (long seq : rows.subMap(after, false, upTo, true).keySet()) {
            if (seq > passed + 1) {
                holes.add(new SeqRange(passed, seq - 1));
            }
            passed = seq;
        }
        if (passed < upTo) {
            holes.add(new SeqRange(passed, upTo));
        }
        return holes;
    }

    private static ClaimedMessage claimed(long seq, String key, FetchRequest request) {
        OutboxMessage message =
                OutboxMessage.to("orders", "placed").key(key).payload("{}").build();
        return new ClaimedMessage(seq, request.token(), RELAY, 0, 1, 1, false, 0, false, null, message);
    }
}

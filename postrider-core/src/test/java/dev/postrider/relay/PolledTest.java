package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.DuePosition;
import dev.postrider.spi.FetchRequest;
import dev.postrider.spi.FetchedDue;
import dev.postrider.spi.FetchedPage;
import dev.postrider.spi.FetchedRow;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.SeqRange;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a listener hears of a turn of the fetch loop. Every call of the store takes a millisecond. */
@Tag("R4.8")
class PolledTest {

    private static final int BATCH = 8;

    private final List<Polled> heard = new ArrayList<>();
    private long rows;
    private int waiting;
    private boolean broken;
    private long nanos;
    private final RelayLoop loop = loop();

    private record Polled(int messages, boolean full, Duration took) {}

    @Test
    void aLookThatFindsNothingIsToldWithTheTimeItTook() {
        own();

        loop.fetch(fetched -> {});

        // One fetch above the head and one of messages that wait.
        assertThat(heard).containsExactly(new Polled(0, false, Duration.ofMillis(2)));
    }

    @Test
    void whatWasFetchedIsCounted() {
        own();
        rows = 3;
        waiting = 2;

        loop.fetch(fetched -> {});

        // A fetch above the head, a step of the audit below it, and a fetch of messages that wait.
        assertThat(heard).containsExactly(new Polled(5, false, Duration.ofMillis(3)));
    }

    @Test
    void aTurnThatTakesAllItMayIsFull() {
        own();
        rows = BATCH + 1;

        loop.fetch(fetched -> {});

        // A fetch above the head and a step of the audit; there is no room for messages that wait.
        assertThat(heard).containsExactly(new Polled(BATCH, true, Duration.ofMillis(2)));
    }

    @Test
    void moreWaitingMessagesThanWereAskedForAreFullAsWell() {
        own();
        waiting = BATCH + 1;

        loop.fetch(fetched -> {});

        assertThat(heard).containsExactly(new Polled(BATCH, true, Duration.ofMillis(2)));
    }

    @Test
    void aTurnThatAsksNothingIsNotTold() {
        loop.fetch(fetched -> {});
        assertThat(heard).as("without shards").isEmpty();
        own();
        rows = BATCH;
        loop.fetch(fetched -> {});
        heard.clear();

        assertThat(loop.fetch(fetched -> {})).isEqualTo(Fetcher.Fetched.SATURATED);

        assertThat(heard).as("without room").isEmpty();
    }

    @Test
    void aTurnThatFailsIsNotTold() {
        own();
        broken = true;

        assertThatThrownBy(() -> loop.fetch(fetched -> {})).hasMessage("broken");

        assertThat(heard).isEmpty();
    }

    private void own() {
        Turn.own(loop.state(), nanos);
    }

    private RelayLoop loop() {
        OutboxStore store = (OutboxStore) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {OutboxStore.class}, (proxy, method, args) -> {
                    nanos += Duration.ofMillis(1).toNanos();
                    if (broken) {
                        throw new IllegalStateException("broken");
                    }
                    return switch (method.getName()) {
                        case "fetch" -> fetch((FetchRequest) args[0], (SeqRange) args[1]);
                        case "fetchDue" -> fetchDue((FetchRequest) args[0]);
                        default -> throw new AssertionError(method);
                    };
                });
        RelayBuilder builder = Relay.builder(store, (wave, answers) -> {})
                .batchSize(BATCH)
                .prefetchMessages(BATCH)
                .listener(new RelayListener() {
                    @Override
                    public void polled(int messages, boolean full, Duration took) {
                        heard.add(new Polled(messages, full, took));
                    }
                });
        builder.nanoTime = () -> nanos;
        builder.random = new SplittableRandom(1);
        return new RelayLoop(store, builder.publisher, new RelayConfig(builder), () -> {});
    }

    private FetchedPage fetch(FetchRequest request, SeqRange range) {
        List<FetchedRow> page = rows(range.after(), Math.min(range.upTo(), rows)).stream()
                .filter(row -> !request.inFlight().contains(row.seq()))
                .limit(request.size().messages())
                .toList();
        boolean full = page.size() == request.size().messages();
        long scannedTo = full ? page.get(page.size() - 1).seq() : Math.max(range.after(), Math.min(range.upTo(), rows));
        return new FetchedPage(page, scannedTo, full, (int) (scannedTo - range.after()), List.of());
    }

    private FetchedDue fetchDue(FetchRequest request) {
        List<FetchedRow> due =
                rows(1_000, 1_000 + Math.min(waiting, request.size().messages()));
        return new FetchedDue(due, due.size() < waiting ? new DuePosition(Instant.EPOCH, 1_000 + due.size()) : null);
    }

    private static List<FetchedRow> rows(long after, long upTo) {
        OutboxMessage message = OutboxMessage.to("orders", "placed").build();
        return Turn.rows(LongStream.rangeClosed(after + 1, upTo)
                .mapToObj(seq -> Turn.claimed(seq, message))
                .toList());
    }
}

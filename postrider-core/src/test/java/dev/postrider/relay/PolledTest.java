package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.ClaimRequest;
import dev.postrider.spi.ClaimedBatch;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.Outlook;
import dev.postrider.spi.OwnedShard;
import dev.postrider.spi.SeqRange;
import java.lang.reflect.Proxy;
import java.time.Duration;
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

        // One look above the head and one for messages that wait.
        assertThat(heard).containsExactly(new Polled(0, false, Duration.ofMillis(2)));
    }

    @Test
    void whatWasClaimedIsCounted() {
        own();
        rows = 3;
        waiting = 2;

        loop.fetch(fetched -> {});

        assertThat(heard).containsExactly(new Polled(5, false, Duration.ofMillis(3)));
    }

    @Test
    void aTurnThatTakesAllItMayIsFull() {
        own();
        rows = BATCH + 1;

        loop.fetch(fetched -> {});

        assertThat(heard).containsExactly(new Polled(BATCH, true, Duration.ofMillis(2)));
    }

    @Test
    void asManyWaitingMessagesAsWereAskedForAreFullAsWell() {
        own();
        waiting = BATCH;

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
        OwnedShard shard = new OwnedShard(0, 1, 0);
        loop.state().gained(List.of(shard));
        loop.state().renewed(List.of(shard), Duration.ofHours(1).toNanos());
    }

    private RelayLoop loop() {
        OutboxStore store = (OutboxStore) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {OutboxStore.class}, (proxy, method, args) -> {
                    nanos += Duration.ofMillis(1).toNanos();
                    if (broken) {
                        throw new IllegalStateException("broken");
                    }
                    return switch (method.getName()) {
                        case "look" -> look((long) args[0], (int) args[1]);
                        case "claim" -> claim((ClaimRequest) args[0], (SeqRange) args[1]);
                        case "claimWaiting" -> claimed(1_000, 1_000 + waiting);
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

    private Outlook look(long after, int limit) {
        List<Long> above =
                LongStream.rangeClosed(after + 1, rows).limit(limit).boxed().toList();
        return new Outlook(above, List.of());
    }

    private static ClaimedBatch claim(ClaimRequest request, SeqRange range) {
        long upTo = Math.min(range.upTo(), range.after() + request.size().messages());
        return new ClaimedBatch(claimed(range.after(), upTo), upTo, upTo < range.upTo());
    }

    private static List<ClaimedMessage> claimed(long after, long upTo) {
        OutboxMessage message = OutboxMessage.to("orders", "placed").build();
        return LongStream.rangeClosed(after + 1, upTo)
                .mapToObj(seq -> new ClaimedMessage(seq, seq, "relay", 0, 1, false, 0, false, null, message))
                .toList();
    }
}

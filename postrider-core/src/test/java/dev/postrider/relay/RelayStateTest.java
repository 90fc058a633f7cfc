package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.OwnedShard;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.Settlement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RelayStateTest {

    private static final int BATCH = 8;

    private final RelayConfig config =
            new RelayConfig(UnusedStore.relay().batchSize(BATCH).prefetchMessages(BATCH));
    private final RelayState state = new RelayState(config);

    @Test
    void aClaimWaitsUntilThereIsRoomForAQuarterOfABatch() {
        state.accept(claimed(6), Long.MAX_VALUE);
        assertThat(state.room()).isNotNull();

        state.accept(List.of(claimed(7).get(6)), Long.MAX_VALUE);

        assertThat(state.room()).isNull();
    }

    @Test
    void aFewOutcomesWaitForOthersWhileManyAnswersAreUnderWay() {
        own();
        List<ClaimedMessage> messages = claimed(BATCH);
        state.accept(messages, Long.MAX_VALUE);
        List<ClaimedMessage> sent = state.takeReady();
        assertThat(sent).hasSize(BATCH);
        assertThat(state.isAwaitingAnswers()).as("nothing to write back").isFalse();

        state.answered(sent.get(0), PublishResult.acked());
        assertThat(state.isAwaitingAnswers()).as("one of eight").isTrue();

        state.answered(sent.get(1), PublishResult.acked());
        assertThat(state.isAwaitingAnswers()).as("enough to be worth it").isFalse();
    }

    @Test
    void theLastOutcomesWaitForNothing() {
        own();
        state.accept(claimed(2), Long.MAX_VALUE);
        List<ClaimedMessage> sent = state.takeReady();

        state.answered(sent.get(0), PublishResult.acked());

        assertThat(state.isAwaitingAnswers()).isFalse();
    }

    @Test
    void anAnswerTellsHowLongItTookAndWhatWasNotSentTookNoTime() {
        AtomicLong nanos = new AtomicLong(1_000);
        RelayBuilder relay = UnusedStore.relay();
        relay.nanoTime = nanos::get;
        RelayState clocked = new RelayState(new RelayConfig(relay));
        List<OwnedShard> shards = List.of(new OwnedShard(0, 1, 0));
        clocked.gained(shards);
        clocked.renewed(shards, Long.MAX_VALUE / 2);
        clocked.accept(claimed(3), Long.MAX_VALUE);
        List<ClaimedMessage> sent = clocked.takeReady();

        nanos.addAndGet(Duration.ofMillis(7).toNanos());
        clocked.answered(sent.get(0), PublishResult.acked());
        clocked.answered(sent.get(1), PublishResult.failed("busy"));
        clocked.refuse(sent.get(2), "damaged");

        assertThat(clocked.takeOutcomes(10))
                .extracting(Settlement::took)
                .containsExactly(Duration.ofMillis(7), Duration.ofMillis(7), Duration.ZERO);
    }

    private void own() {
        List<OwnedShard> shards = List.of(new OwnedShard(0, 1, 0));
        state.gained(shards);
        state.renewed(shards, config.nanoTime.getAsLong() + Long.MAX_VALUE / 2);
    }

    private static List<ClaimedMessage> claimed(int count) {
        return LongStream.rangeClosed(1, count)
                .mapToObj(seq -> new ClaimedMessage(
                        seq,
                        seq,
                        "relay",
                        0,
                        1,
                        false,
                        0,
                        false,
                        null,
                        OutboxMessage.to("orders", "placed").build()))
                .toList();
    }
}

package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.ClaimSize;
import dev.postrider.spi.ClaimedBatch;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.OwnedShard;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Settlement;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class RelayStateTest {

    private static final int BATCH = 8;

    private final RelayConfig config =
            new RelayConfig(UnusedStore.relay().batchSize(BATCH).prefetchMessages(BATCH));
    private final RelayState state = new RelayState(config);

    @Test
    void aClaimWaitsUntilThereIsRoomForAQuarterOfABatch() {
        state.accept(claimed(6), claimed -> true);
        assertThat(state.room()).isNotNull();

        state.accept(List.of(claimed(7).get(6)), claimed -> true);

        assertThat(state.room()).isNull();
    }

    @Test
    void aFewOutcomesWaitForOthersWhileManyAnswersAreUnderWay() {
        own();
        List<ClaimedMessage> messages = claimed(BATCH);
        state.accept(messages, claimed -> true);
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
        state.accept(claimed(2), claimed -> true);
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
        clocked.accept(claimed(3), claimed -> true);
        List<ClaimedMessage> sent = clocked.takeReady();

        nanos.addAndGet(Duration.ofMillis(7).toNanos());
        clocked.answered(sent.get(0), PublishResult.acked());
        clocked.answered(sent.get(1), PublishResult.failed("busy"));
        clocked.refuse(sent.get(2), "damaged");

        assertThat(clocked.takeOutcomes(10))
                .extracting(Settlement::took)
                .containsExactly(Duration.ofMillis(7), Duration.ofMillis(7), Duration.ZERO);
    }

    @Test
    @Tag("B7")
    void aReleasedMessageThatWasDueDoesNotTakeTheHeadBack() {
        own();
        state.claimed(head(100), new ClaimedBatch(List.of(), 100, false));
        state.dueClaimed(claimed(1));
        ClaimedMessage due = state.takeReady().get(0);

        state.giveBack(due);
        state.settled(state.takeOutcomes(10));

        assertThat(plan().after()).isEqualTo(100);
    }

    @Test
    void aReleasedMessageThatWasScannedTakesTheHeadBack() {
        own();
        state.claimed(head(100), new ClaimedBatch(List.of(), 100, false));
        state.accept(claimed(1), claimed -> true);
        ClaimedMessage scanned = state.takeReady().get(0);

        state.giveBack(scanned);
        state.settled(state.takeOutcomes(10));

        assertThat(plan().after()).isZero();
    }

    @Test
    @Tag("B1")
    void aClaimTheStoreForgotIsScannedAgain() {
        own();
        state.claimed(head(100), new ClaimedBatch(List.of(), 100, false));
        state.accept(claimed(2), claimed -> true);
        ClaimedMessage failed = state.takeReady().get(1);
        state.answered(failed, PublishResult.failed("not now"));

        state.lost(state.takeOutcomes(10));

        assertThat(plan().after()).isEqualTo(1);
    }

    private Scan.Plan plan() {
        return Objects.requireNonNull(state.plan(new ClaimSize(BATCH, 1_000)));
    }

    private Claim head(long upTo) {
        Scan.Plan plan = plan();
        return new Claim(plan.request(), new SeqRange(plan.after(), upTo), Claim.Kind.HEAD, List.of());
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

package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.ClaimSize;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.FetchedRow;
import dev.postrider.spi.OwnedShard;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.TopicFilter;
import dev.postrider.spi.TopicName;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class RelayStateTest {

    private static final int BATCH = 8;
    private static final ClaimSize ROOM = new ClaimSize(BATCH, Long.MAX_VALUE);

    private final RelayConfig config =
            new RelayConfig(UnusedStore.relay().batchSize(BATCH).prefetchMessages(BATCH));
    private final RelayState state = new RelayState(config);

    @Test
    void aFetchWaitsUntilThereIsRoomForAQuarterOfABatch() {
        own();
        Turn.accept(state, claimed(6));
        assertThat(state.room()).isNotNull();

        Turn.accept(state, claimed(7).get(6));

        assertThat(state.room()).isNull();
    }

    @Test
    void suspectsOfAFewCrashesLeaveRoomForOtherMessagesUpToABound() {
        own();
        OutboxMessage message = OutboxMessage.to("orders", "placed").build();
        for (long seq = 1; seq <= 4L * BATCH; seq++) {
            Turn.accept(state, Turn.claimed(seq, message, null, 2));
            assertThat(state.room()).isNotNull();
        }
        for (long seq = 1; seq <= BATCH; seq++) {
            Turn.accept(state, Turn.claimed(1_000 + seq, message, null, 2));
        }

        assertThat(state.room()).isNull();
    }

    @Test
    void aFewOutcomesWaitForOthersWhileManyAnswersAreUnderWay() {
        own();
        List<ClaimedMessage> messages = claimed(BATCH);
        Turn.accept(state, messages);
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
        Turn.accept(state, claimed(2));
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
        Turn.own(clocked, nanos.get());
        Turn.accept(clocked, claimed(3));
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
    void aMessageThatWasDueDoesNotTakeTheScanBack() {
        own();
        scanTo(100);
        Turn.acceptDue(state, claimed(1).get(0));
        ClaimedMessage due = state.takeReady().get(0);

        state.giveBack(due);

        assertThat(nextRange()).isEqualTo(SeqRange.above(100));
    }

    @Test
    void aMessageThatWasScannedIsReadAgainOnceItIsPutBack() {
        own();
        Turn.accept(state, claimed(1));
        scanTo(100);
        ClaimedMessage scanned = state.takeReady().get(0);

        state.giveBack(scanned);

        assertThat(nextRange()).isEqualTo(new SeqRange(0, 1));
    }

    @Test
    @Tag("B1")
    void aMessageThatIsPutBackWhileItsTopicCatchesUpIsNotOvertaken() {
        own();
        scanTo(100);
        catchUpFrom(0);
        Scan.Part first = catchUp();
        state.accept(first, 1, rows(keyed(1)), row -> true);
        Scan.Part second = catchUp();
        assertThat(second.range().after()).isEqualTo(1);
        ClaimedMessage thrown = state.takeReady().get(0);

        state.giveBack(thrown);
        state.accept(second, 2, rows(keyed(2)), row -> true);

        assertThat(state.takeReady()).isEmpty();
        assertThat(catchUp().range().after()).isZero();
    }

    @Test
    @Tag("B1")
    void rowsThatWereLeftOutAreReadAgainOnceTheirHolderIsWritten() {
        own();
        Turn.accept(state, keyed(1), keyed(2));
        List<Settlement> failed = failed(state.takeReady().get(0));
        state.refused(failed);
        Turn.accept(state, keyed(3));
        assertThat(state.inFlight()).isEqualTo(1);

        state.settled(failed);

        assertThat(nextRange()).isEqualTo(new SeqRange(1, 3));
    }

    @Test
    @Tag("B1")
    void anOutcomeThatCannotBeWrittenDoesNotHoldUpTheHandOver() {
        own();
        Turn.accept(state, keyed(1));
        ClaimedMessage sent = state.takeReady().get(0);
        state.handOver(Set.of(0));
        List<Settlement> failed = failed(sent);
        assertThat(state.handedOver())
                .as("its outcome may be written at any moment")
                .isEmpty();

        state.refused(failed);

        assertThat(state.handedOver()).extracting(OwnedShard::shard).containsExactly(0);
    }

    @Test
    void theLowWaterMarkRisesAgainAfterAShardWasLostWhileItWasHandedOver() {
        own();
        state.handOver(Set.of(0));
        assertThat(state.lowWater()).isZero();

        state.renewed(
                List.of(), config.nanoTime.getAsLong() + Duration.ofHours(1).toNanos());
        List<OwnedShard> again = List.of(new OwnedShard(0, 2, 50));
        state.gained(again);
        scanTo(100);
        scanTo(100);

        assertThat(state.lowWater()).isEqualTo(100);
    }

    @Test
    @Tag("B1")
    void aDueRowWhoseOutcomeWasNotWrittenIsFoundByTheNextLookAndCostsNoScan() {
        own();
        scanTo(100);
        Turn.acceptDue(state, keyed(7));
        List<Settlement> failed = failed(state.takeReady().get(0));

        state.lost(failed);

        assertThat(nextRange()).isEqualTo(SeqRange.above(100));
        assertThat(state.beginDue(ROOM)).isNotNull();
    }

    @Test
    @Tag("B1")
    void aRowWhoseOutcomeWasNotWrittenIsReadAgain() {
        own();
        Turn.accept(state, claimed(2));
        scanTo(100);
        ClaimedMessage failed = state.takeReady().get(1);
        state.answered(failed, PublishResult.failed("not now"));

        state.lost(state.takeOutcomes(10));

        assertThat(nextRange()).isEqualTo(new SeqRange(1, 2));
    }

    @Test
    @Tag("B1")
    void aLateRowWaitsUntilEverythingBelowItIsScanned() {
        own();
        scanTo(100);
        state.gained(List.of(new OwnedShard(1, 1, 0)));
        Scan.Part firstPage = Turn.begin(state);
        assertThat(firstPage.range()).isEqualTo(new SeqRange(0, 100));

        state.accept(firstPage, 10, rows(keyed(5), keyed(50)), row -> true);

        assertThat(state.inFlight())
                .as("an earlier message of its key may lie between 10 and 50")
                .isEqualTo(1);
        assertThat(nextRange()).isEqualTo(new SeqRange(10, 100));
    }

    // The topic was closed while the scan was here, and is open again.
    private void catchUpFrom(long seq) {
        TopicName orders = new TopicName("default", "orders");
        state.pause(orders);
        state.accept(allOrders(seq), seq, rows(keyed(seq + 1)), row -> true);
        state.resume(orders);
        Turn.begin(state);
        state.accept(catchUp(), seq, List.of(), row -> true);
        Turn.acceptDue(
                state, Turn.claimed(1_000, OutboxMessage.to("orders", "placed").build()));
        state.answered(state.takeReady().get(0), PublishResult.acked());
        state.settled(state.takeOutcomes(10));
    }

    private static Scan.Part allOrders(long after) {
        return new Scan.Part(new SeqRange(after, 100), TopicFilter.ALL, 100, 100, null);
    }

    private Scan.Part catchUp() {
        return Objects.requireNonNull(state.catchUp(ROOM));
    }

    private static List<FetchedRow> rows(ClaimedMessage... messages) {
        return Turn.rows(List.of(messages));
    }

    private static ClaimedMessage keyed(long seq) {
        return Turn.claimed(seq, OutboxMessage.to("orders", "placed").key("a").build());
    }

    private List<Settlement> failed(ClaimedMessage sent) {
        state.answered(sent, PublishResult.failed("not now"));
        return state.takeOutcomes(10);
    }

    private SeqRange nextRange() {
        return Turn.begin(state).range();
    }

    private void scanTo(long seq) {
        state.accept(Turn.begin(state), seq, List.of(), row -> true);
    }

    private void own() {
        Turn.own(state, config.nanoTime.getAsLong());
    }

    private static List<ClaimedMessage> claimed(int count) {
        OutboxMessage message = OutboxMessage.to("orders", "placed").build();
        return LongStream.rangeClosed(1, count)
                .mapToObj(seq -> Turn.claimed(seq, message))
                .toList();
    }
}

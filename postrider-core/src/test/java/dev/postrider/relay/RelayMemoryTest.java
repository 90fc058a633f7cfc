package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.OutboxMessage;
import dev.postrider.relay.RelayState.Gate;
import dev.postrider.retry.RetryPolicy;
import dev.postrider.spi.ClaimSize;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.ClosedGate;
import dev.postrider.spi.FetchRequest;
import dev.postrider.spi.FetchedPage;
import dev.postrider.spi.OwnedShard;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.Settlement.Outcome;
import dev.postrider.spi.TopicFilter;
import dev.postrider.spi.TopicName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What {@link RelayState} remembers between two steps, in a time of its own. */
class RelayMemoryTest {

    private static final int BATCH = 8;
    private static final ClaimSize ROOM = new ClaimSize(BATCH, Long.MAX_VALUE);
    private static final PublishResult AWAY = PublishResult.unavailable("away");
    private static final TopicName ORDERS = new TopicName("default", "orders");

    private long nanos;
    private final List<Integer> claimed = new ArrayList<>();
    private final RelayConfig config = config();
    private final RelayState state = new RelayState(config);

    @BeforeEach
    void own() {
        Turn.own(state, nanos);
    }

    @Test
    void roomIsWhatIsLeftOfThePrefetchLimits() {
        Turn.accept(state, message(1, "a"));
        assertThat(Objects.requireNonNull(state.room()).bytes()).isEqualTo(10 - 4);
        assertThat(Objects.requireNonNull(state.room()).messages()).isEqualTo(BATCH - 1);

        Turn.accept(state, message(2, "b", "12345"));

        assertThat(Objects.requireNonNull(state.room()).bytes()).isEqualTo(1);
    }

    @Test
    void outcomesWaitOnlyIfMoreThanHalfABatchIsAtTheBroker() {
        Turn.accept(state, message(1), message(2), message(3), message(4), message(5));
        List<ClaimedMessage> sent = state.takeReady();
        state.answered(sent.get(0), PublishResult.acked());
        assertThat(state.isAwaitingAnswers()).as("four of eight").isFalse();

        state.settled(state.takeOutcomes(10));
        state.answered(sent.get(1), PublishResult.acked());

        assertThat(state.isAwaitingAnswers()).as("three of eight").isFalse();
    }

    @Test
    void journalEntryOfAFetchWithoutMessagesInFlightIsRemovedOnce() {
        FetchRequest empty = request();
        state.answered(empty, 0);
        state.endFetch();
        FetchRequest first = request();
        assertThat(first.ended())
                .as("a fetch that found nothing leaves no entry")
                .isEmpty();
        state.answered(first, 1);
        state.endFetch();

        FetchRequest second = request();
        assertThat(second.ended()).containsExactly(first.token());
        state.answered(second, 0);
        state.endFetch();

        assertThat(request().ended()).isEmpty();
    }

    @Test
    void dueRowThatWasSettledBeforeTheFetchBeganIsAccepted() {
        Turn.accept(state, message(1));
        state.answered(state.takeReady().get(0), PublishResult.failed("no"));
        state.settled(state.takeOutcomes(10));
        assertThat(state.nanosToNextRetry()).isEqualTo(Duration.ofSeconds(5).toNanos());

        pass(Duration.ofSeconds(5));
        assertThat(state.beginDue(ROOM)).isNotNull();

        assertThat(state.acceptDue(Turn.rows(List.of(message(1))), false)).isEqualTo(1);
        assertThat(state.nanosToNextRetry()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void lookThatFoundSomethingIsRepeatedAtOnceAndAnotherIsNot() {
        assertThat(state.beginDue(ROOM)).isNotNull();
        state.acceptDue(Turn.rows(List.of(message(1))), false);
        assertThat(state.beginDue(ROOM)).isNotNull();

        state.acceptDue(List.of(), false);

        assertThat(state.beginDue(ROOM)).isNull();
        state.gained(List.of(new OwnedShard(1, 1, 0)));
        assertThat(state.beginDue(ROOM))
                .as("the shard may have rows that are due")
                .isNotNull();
    }

    @Test
    void deliveredHolderLetsRowsBehindItBeDue() {
        scanTo(100);
        state.beginDue(ROOM);
        ClaimedMessage holder =
                new ClaimedMessage(1, Turn.TOKEN, "relay", 0, 1, 2, true, 0, false, null, outbox("a", "1234"));
        state.acceptDue(Turn.rows(List.of(holder, message(2))), false);
        List<ClaimedMessage> sent = state.takeReady();
        state.beginDue(ROOM);
        state.acceptDue(List.of(), false);

        state.answered(sent.get(1), PublishResult.acked());
        state.settled(state.takeOutcomes(10));
        assertThat(state.beginDue(ROOM)).as("nothing waited behind it").isNull();
        state.answered(sent.get(0), PublishResult.acked());
        state.settled(state.takeOutcomes(10));

        assertThat(state.beginDue(ROOM)).isNotNull();
    }

    @Test
    void rowsThatTheAuditFindsAreReadNext() {
        scanTo(100);
        Scan.Part step = state.audit().orElseThrow();

        state.audited(step, new FetchedPage(Turn.rows(List.of(message(4))), 100, false, 9, List.of()));

        assertThat(nextRange()).isEqualTo(new SeqRange(3, 4));
    }

    @Test
    void holesAreReviewedAndForgotten() {
        Scan.Part part = Turn.begin(state);
        state.saw(part, new FetchedPage(List.of(), 10, true, 8, List.of(new SeqRange(3, 5))));
        state.accept(part, 10, List.of(), row -> true);

        assertThat(state.review(Set.of(), 10)).containsExactly(new SeqRange(3, 5));
        state.reviewed();

        assertThat(state.hasHoles()).isFalse();
    }

    @Test
    void rangesThatWereReadForLateRowsAreReadAgainUnlessTheirRowsWereHandedOn() {
        scanTo(100);
        Scan.Part part = Turn.begin(state);
        state.readLate(List.of(new SeqRange(3, 5)));
        assertThat(state.lowWater()).isEqualTo(3);
        state.accept(part, 110, List.of(), row -> true);
        assertThat(state.lowWater()).isEqualTo(110);

        Scan.Part next = Turn.begin(state);
        state.readLate(List.of(new SeqRange(6, 8)));
        state.readLateAgain();

        assertThat(state.accept(next, 120, Turn.rows(List.of(message(115))), row -> true))
                .as("the rows of the ranges go first")
                .isZero();
        assertThat(nextRange()).isEqualTo(new SeqRange(6, 8));
    }

    @Test
    void rowThatIsNotCompleteStopsTheLaterOnesOfItsKeyOnly() {
        ClaimedMessage[] rows = {message(1, "a"), message(2), message(3, "a"), message(4, "b"), message(5)};

        int accepted = state.accept(Turn.begin(state), 10, Turn.rows(List.of(rows)), row -> row.seq() > 2);

        assertThat(accepted).isEqualTo(2);
        assertThat(seqs(state.takeReady())).containsExactly(4L, 5L);
    }

    @Test
    void rowsAreAcceptedInTheOrderOfTheirSequences() {
        Turn.accept(state, message(2, "a"), message(1, "a"));

        assertThat(seqs(state.takeReady())).containsExactly(1L);
    }

    @Test
    void rowsOfOtherShardsAndEpochsAreLeftOut() {
        assertThat(Turn.accept(state, ofShard(1, 1, 1), ofShard(2, 0, 2))).isZero();

        assertThat(state.isIdle()).isTrue();
    }

    @Test
    void listenerHearsHowManyMessagesAreInFlightThatWereNot() {
        Turn.accept(state, message(1), message(2));
        Turn.accept(state, message(1));
        Turn.acceptDue(state, message(3));
        Turn.acceptDue(state, message(3));

        assertThat(claimed).containsExactly(2, 1);
        assertThat(state.isIdle()).isFalse();
        assertThat(state.inFlight()).isEqualTo(3);
    }

    @Test
    void unreachableTopicIsLeftOutAndItsMessagesAreReadAgain() {
        Turn.accept(state, message(2, "b"), message(3, "b"), message(5, "a"), bill(9), bill(10));
        scanTo(100);
        List<ClaimedMessage> sent = state.takeReady();
        assertThat(seqs(sent)).containsExactly(2L, 5L, 9L);

        assertThat(state.answered(sent.get(1), AWAY)).isEqualTo(Gate.CLOSED);

        assertThat(state.inFlight())
                .as("what is at the broker, and other topics")
                .isEqualTo(3);
        assertThat(Turn.begin(state).topics()).isEqualTo(TopicFilter.allBut(Set.of(ORDERS)));
        assertThat(state.reachableTopics()).isEqualTo(TopicFilter.allBut(Set.of(ORDERS)));
        assertThat(state.unreachable()).containsExactly(ORDERS);
        assertThat(state.closedGates(1)).extracting(ClosedGate::error).containsExactly("away");
        state.answered(sent.get(0), PublishResult.acked());
        state.answered(sent.get(2), PublishResult.acked());
        state.settled(state.takeOutcomes(10));
        assertThat(state.lowWater()).as("message 3 is read again").isEqualTo(2);
    }

    @Test
    void messageThatFoundItsTopicUnreachableIsReadAgain() {
        Turn.accept(state, message(5));
        scanTo(100);

        state.answered(state.takeReady().get(0), AWAY);

        assertThat(state.lowWater()).isEqualTo(4);
        assertThat(state.isIdle()).isTrue();
    }

    @Test
    void answersTellWhatBecameOfTheGate() {
        Turn.accept(state, message(1), message(2), message(3));
        List<ClaimedMessage> sent = state.takeReady();

        assertThat(state.answered(sent.get(0), PublishResult.acked())).isEqualTo(Gate.UNCHANGED);
        assertThat(state.answered(sent.get(1), AWAY)).isEqualTo(Gate.CLOSED);
        assertThat(state.answered(sent.get(1), AWAY))
                .as("an answer counts once")
                .isNull();
        pass(Duration.ofMinutes(1));
        Turn.own(state, nanos);
        Turn.begin(state);
        assertThat(state.answered(sent.get(2), PublishResult.acked())).isEqualTo(Gate.OPENED);
    }

    @Test
    void secondFailureOfAClosedTopicChangesNothing() {
        Turn.accept(state, message(1), message(2));
        List<ClaimedMessage> sent = state.takeReady();
        state.answered(sent.get(0), AWAY);

        assertThat(state.answered(sent.get(1), AWAY)).isEqualTo(Gate.UNCHANGED);
    }

    @Test
    void messageWithoutAnAnswerInTimeHasFailed() {
        Turn.accept(state, message(1));
        state.takeReady();
        assertThat(state.hasOutcomes()).isFalse();

        pass(config.publishTimeout.plusNanos(1));

        assertThat(state.takeOutcomes(10)).singleElement().satisfies(late -> {
            assertThat(late.outcome()).isEqualTo(Outcome.RETRY);
            assertThat(late.error()).contains("No answer within");
        });
    }

    @Test
    void trialWithoutAnOutcomeIsReadAgainOnceTheStoreKnows() {
        Turn.accept(state, Turn.claimed(7, outbox("a", "1234"), null, 2));
        scanTo(100);
        assertThat(state.hasReady()).isTrue();
        ClaimedMessage tried = state.takeReady().get(0);
        assertThat(state.hasReady()).isFalse();

        state.giveBack(tried);
        assertThat(state.hasOutcomes()).isTrue();
        assertThat(nextRange()).isEqualTo(SeqRange.above(100));
        assertThat(state.settled(state.takeOutcomes(10))).as("a trial ended").isTrue();

        assertThat(nextRange()).isEqualTo(new SeqRange(6, 7));
    }

    @Test
    void onlyTheEndOfATrialLetsMoreBeSent() {
        Turn.accept(state, message(1), message(2));
        List<ClaimedMessage> sent = state.takeReady();
        state.answered(sent.get(0), PublishResult.acked());
        assertThat(state.settled(state.takeOutcomes(10))).isFalse();
        state.answered(sent.get(1), PublishResult.acked());
        List<Settlement> outcomes = state.takeOutcomes(10);
        assertThat(state.refused(outcomes)).isFalse();
        state.settled(outcomes);
        Turn.accept(state, Turn.claimed(3, outbox("a", "1234"), null, 2));
        state.answered(state.takeReady().get(0), PublishResult.acked());

        assertThat(state.refused(state.takeOutcomes(10))).isTrue();
    }

    @Test
    void messagesOfLostShardsAreForgotten() {
        Turn.accept(state, message(1));

        assertThat(state.renewed(List.of(), hourFromNow())).containsExactly(0);

        assertThat(state.inFlight()).isZero();
        assertThat(state.shards()).isEmpty();
    }

    @Test
    void messagesOfShardsThatAreHandedOverGoBackAndOthersStay() {
        ownTwo();
        Turn.accept(state, message(5), ofShard(6, 1, 1));
        scanTo(100);

        state.handOver(Set.of(0));

        assertThat(state.inFlight()).isEqualTo(1);
        assertThat(nextRange()).isEqualTo(new SeqRange(4, 5));
    }

    @Test
    void lowWaterRisesAgainOnceAShardIsHandedOver() {
        ownTwo();
        state.handOver(Set.of(0));
        scanTo(100);
        assertThat(state.lowWater()).isZero();

        state.gone(Set.of(0));

        assertThat(state.lowWater()).isEqualTo(100);
    }

    @Test
    void relayThatStopsClaimingGivesBackWhatItHasNotSent() {
        Turn.accept(state, message(1), message(2));
        scanTo(100);

        state.stopClaiming();
        assertThat(state.isIdle()).isTrue();
        assertThat(state.begin(ROOM)).isNull();
        state.startClaiming();

        assertThat(nextRange()).isEqualTo(new SeqRange(0, 2));
    }

    @Test
    void pausedTopicGivesBackWhatWasNotSentAndOthersStay() {
        Turn.accept(state, message(5), bill(9));
        scanTo(100);

        state.pause(ORDERS);

        assertThat(state.inFlight()).isEqualTo(1);
        assertThat(seqs(state.takeReady())).containsExactly(9L);
        assertThat(state.lowWater()).isEqualTo(4);
        assertThat(state.unreachable()).isEmpty();
    }

    private FetchRequest request() {
        return Objects.requireNonNull(state.request(Turn.begin(state), ROOM, Set.of()));
    }

    private SeqRange nextRange() {
        return Turn.begin(state).range();
    }

    private void scanTo(long seq) {
        state.accept(Turn.begin(state), seq, List.of(), row -> true);
    }

    private void ownTwo() {
        List<OwnedShard> second = List.of(new OwnedShard(1, 1, 0));
        state.gained(second);
        state.renewed(List.of(new OwnedShard(0, 1, 0), new OwnedShard(1, 1, 0)), hourFromNow());
    }

    private long hourFromNow() {
        return nanos + Duration.ofHours(1).toNanos();
    }

    private void pass(Duration time) {
        nanos += time.toNanos();
    }

    private static List<Long> seqs(List<ClaimedMessage> messages) {
        return messages.stream().map(ClaimedMessage::seq).toList();
    }

    private static ClaimedMessage message(long seq) {
        return message(seq, null);
    }

    private static ClaimedMessage message(long seq, @Nullable String key) {
        return message(seq, key, "1234");
    }

    private static ClaimedMessage message(long seq, @Nullable String key, String payload) {
        return Turn.claimed(seq, outbox(key, payload));
    }

    private static ClaimedMessage bill(long seq) {
        return Turn.claimed(seq, OutboxMessage.to("bills", "placed").key("b").build());
    }

    private static ClaimedMessage ofShard(long seq, int shard, long epoch) {
        return new ClaimedMessage(
                seq, Turn.TOKEN, "relay", shard, epoch, 1, false, 0, false, null, outbox(null, "1234"));
    }

    private static OutboxMessage outbox(@Nullable String key, String payload) {
        return OutboxMessage.to("orders", "placed").key(key).payload(payload).build();
    }

    private RelayConfig config() {
        RelayBuilder builder = UnusedStore.relay()
                .batchSize(BATCH)
                .prefetchMessages(BATCH)
                .prefetchBytes(10)
                .retry(RetryPolicy.schedule(List.of(Duration.ofSeconds(5))))
                .listener(new RelayListener() {
                    @Override
                    public void claimed(int messages) {
                        claimed.add(messages);
                    }
                });
        builder.nanoTime = () -> nanos;
        builder.random = new SplittableRandom(1);
        return new RelayConfig(builder);
    }
}

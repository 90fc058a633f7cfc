package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.relay.RelayState.Gate;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.ClosedGate;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.Settlement.Outcome;
import dev.postrider.spi.TopicFilter;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which messages {@link RelayState} gives back, and when more may be sent. */
class RelayReturnTest extends RelayMemory {

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
}

package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.FetchedRow;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.Settlement.Outcome;
import dev.postrider.spi.TopicName;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class LanesTest {

    private final TopicGates gates = new TopicGates(new SplittableRandom(1));
    private final JournalEntries journal = new JournalEntries();
    private final Lanes lanes = new Lanes(config(KeyPolicy.BLOCK_KEY), gates, journal);

    @Test
    @Tag("B1")
    void oneMessageOfAKeyIsSentAtATime() {
        add(message(1, "a"), message(2, "a"), message(3, "b"));

        assertThat(seqs(lanes.takeReady(10))).containsExactly(1L, 3L);
        assertThat(lanes.takeReady(10)).isEmpty();
    }

    @Test
    @Tag("B1")
    void anAckLetsTheNextOfTheKeyGo() {
        add(message(1, "a"), message(2, "a"));
        ClaimedMessage first = lanes.takeReady(10).get(0);

        end(first, Settlement.delivered(first));

        assertThat(seqs(lanes.takeReady(10))).containsExactly(2L);
    }

    @Test
    @Tag("B1")
    void aFailureSendsTheRestOfTheKeyBehindIt() {
        add(message(1, "a"), message(2, "a"), message(3, "b"));
        List<ClaimedMessage> wave = lanes.takeReady(10);

        end(wave.get(0), Settlement.retry(wave.get(0), Duration.ofSeconds(1), "no", true));
        add(message(4, "a"));
        List<Settlement> failed = lanes.takeOutcomes(10);
        assertThat(failed).extracting(Settlement::outcome).containsExactly(Outcome.RETRY);
        assertThat(lanes.hasOutcomes())
                .as("the store must know the holder first")
                .isFalse();
        lanes.settled(failed);
        add(message(5, "a"));

        assertThat(lanes.takeReady(10)).isEmpty();
        assertThat(lanes.takeOutcomes(10))
                .allSatisfy(each -> {
                    assertThat(each.outcome()).isEqualTo(Outcome.BEHIND);
                    assertThat(each.holder()).isEqualTo(1);
                })
                .extracting(each -> each.claimed().seq())
                .containsExactly(2L, 4L, 5L);
    }

    @Test
    @Tag("B1")
    void aMessageGoesBehindTheHolderOfItsKeyAndTheHolderItselfIsSent() {
        ClaimedMessage holder = message(1, "a");
        lanes.add(row(message(2, "a"), 1L), false);

        lanes.add(row(holder, null), true);
        add(message(3, "a"));

        assertThat(seqs(lanes.takeReady(10))).containsExactly(1L);
        assertThat(lanes.takeOutcomes(10))
                .extracting(each -> each.claimed().seq())
                .containsExactly(2L, 3L);
    }

    @Test
    @Tag("B1")
    void aHolderThatIsDueAgainIsSentWhileOthersArePutBehindIt() {
        add(message(1, "a"), message(2, "a"));
        ClaimedMessage first = lanes.takeReady(10).get(0);
        end(first, Settlement.retry(first, Duration.ofMillis(1), "no", true));
        lanes.settled(lanes.takeOutcomes(10));
        lanes.refused(lanes.takeOutcomes(10));

        lanes.add(row(message(1, "a"), null), true);

        assertThat(seqs(lanes.takeReady(10))).containsExactly(1L);
        assertThat(lanes.hasOutcomes()).isFalse();
        assertThat(lanes.leavesOut(message(3, "a")))
                .as("until the row of the second is free")
                .isTrue();
    }

    @Test
    @Tag("B1")
    void aMessageWhoseHolderIsInItsLaneWaitsThereForItsTurn() {
        add(message(1, "a"));
        lanes.add(row(message(2, "a"), 1L), false);

        ClaimedMessage first = lanes.takeReady(10).get(0);
        end(first, Settlement.delivered(first));

        assertThat(seqs(lanes.takeReady(10))).containsExactly(2L);
    }

    @Test
    void aMessageWithoutALaneGoesBehindTheHolderOfItsKey() {
        Lanes parking = new Lanes(config(KeyPolicy.PARK_AND_CONTINUE, true), gates, journal);

        parking.add(row(message(2, "a"), 1L), false);

        assertThat(parking.takeReady(10)).isEmpty();
        assertThat(parking.takeOutcomes(10)).extracting(Settlement::holder).containsExactly(1L);
    }

    @Test
    @Tag("B1")
    void aMessageThatWasPutBackIsNotAddedByTheFetchUnderWay() {
        lanes.beginFetch();
        add(message(1, "a"));
        lanes.release(claimed -> true);

        assertThat(lanes.knows(1)).isTrue();
        lanes.beginFetch();
        assertThat(lanes.knows(1)).isFalse();
    }

    @Test
    @Tag("B1")
    void afterATrialThatWasNotSentItsLaneIsReadAgainInOrder() {
        add(suspect(1, "a"));
        Flight trial = Objects.requireNonNull(lanes.sent(lanes.takeReady(10).get(0)));
        lanes.putBack(trial);
        add(message(2, "a"));

        lanes.settled(lanes.takeOutcomes(10));

        assertThat(lanes.takeReady(10))
                .as("the first of the key is not in flight")
                .isEmpty();
        assertThat(lanes.takeMissed()).containsExactly(new SeqRange(1, 2));
        assertThat(lanes.isEmpty()).isTrue();
    }

    @Test
    @Tag("B1")
    void aTrialWhoseOutcomeCannotBeWrittenHoldsUpNobody() {
        add(suspect(1, "a"), message(2, "b"));
        ClaimedMessage trial = lanes.takeReady(10).get(0);
        end(trial, Settlement.delivered(trial));

        boolean over = lanes.refused(lanes.takeOutcomes(10));

        assertThat(over).isTrue();
        assertThat(seqs(lanes.takeReady(10))).containsExactly(2L);
    }

    @Test
    @Tag("B1")
    void aHolderThatCannotBeWrittenKeepsNoOtherMessageOfItsKeyInMemory() {
        for (int seq = 1; seq <= 5_000; seq++) {
            add(message(seq, "a"));
        }
        ClaimedMessage first = lanes.takeReady(10).get(0);
        end(first, Settlement.retry(first, Duration.ofSeconds(1), "no", true));
        List<Settlement> failed = lanes.takeOutcomes(10);

        lanes.refused(failed);

        assertThat(lanes.size()).isEqualTo(1);
        assertThat(lanes.leavesOut(message(5_001, "a"))).isTrue();
        assertThat(lanes.leavesOut(message(5_002, "b"))).isFalse();
        assertThat(lanes.takeMissed())
                .as("not before the store knows the holder")
                .isEmpty();
        lanes.settled(failed);
        assertThat(lanes.takeMissed()).containsExactly(new SeqRange(1, 5_001));
        assertThat(lanes.leavesOut(message(5_003, "a"))).isFalse();
    }

    @Test
    void aBlockedLaneEndsWhenTheStoreKnows() {
        add(message(1, "a"));
        ClaimedMessage first = lanes.takeReady(10).get(0);
        end(first, Settlement.retry(first, Duration.ofSeconds(1), "no", true));
        lanes.settled(lanes.takeOutcomes(10));

        add(message(1, "a"));

        assertThat(seqs(lanes.takeReady(10))).containsExactly(1L);
    }

    @Test
    void aParkedMessageLetsItsKeyGoOn() {
        add(message(1, "a"), message(2, "a"));
        ClaimedMessage first = lanes.takeReady(10).get(0);

        end(first, Settlement.retry(first, Duration.ofSeconds(1), "no", false));

        assertThat(seqs(lanes.takeReady(10))).containsExactly(2L);
    }

    @Test
    void pipeliningIsOnlyForKeysThatMayBeParked() {
        Lanes blocking = new Lanes(config(KeyPolicy.BLOCK_KEY, true), gates, journal);
        Lanes parking = new Lanes(config(KeyPolicy.PARK_AND_CONTINUE, true), gates, journal);
        for (Lanes each : List.of(blocking, parking)) {
            each.add(row(message(1, "a"), null), false);
            each.add(row(message(2, "a"), null), false);
        }

        assertThat(seqs(blocking.takeReady(10))).containsExactly(1L);
        assertThat(seqs(parking.takeReady(10))).containsExactly(1L, 2L);
    }

    @Test
    void releasedMessagesGoBackInOrderAndTheLaneSendsNothingMore() {
        add(message(1, "a"), message(2, "a"), message(3, null));

        List<Flight> back = lanes.release(claimed -> true);

        assertThat(back).extracting(flight -> flight.claimed.seq()).containsExactly(1L, 2L, 3L);
        assertThat(lanes.takeReady(10)).isEmpty();
        assertThat(lanes.hasOutcomes()).as("a fetch has changed no row").isFalse();
        assertThat(lanes.isEmpty()).isTrue();
    }

    @Test
    void anAnswerCountsOnce() {
        add(message(1, "a"));
        ClaimedMessage first = lanes.takeReady(10).get(0);
        end(first, Settlement.delivered(first));

        assertThat(lanes.sent(first)).isNull();
    }

    @Test
    void droppedShardsAreForgottenWithoutATrace() {
        add(message(1, "a"), message(2, "a"));

        lanes.drop(Set.of(0));

        assertThat(lanes.isEmpty()).isTrue();
        assertThat(lanes.bytes()).isZero();
        assertThat(lanes.hasOutcomes()).isFalse();
        assertThat(lanes.takeReady(10)).isEmpty();
    }

    @Test
    void aHalfOpenGateLetsOneMessageThrough() {
        TopicName topic = new TopicName("default", "orders");
        gates.close(topic, 0, Duration.ZERO, "away");
        gates.openDue(Duration.ofMinutes(1).toNanos());
        add(message(1, "a"), message(2, "b"));

        assertThat(seqs(lanes.takeReady(10))).containsExactly(1L);
        assertThat(lanes.takeReady(10)).isEmpty();
        gates.answered(topic);
        assertThat(seqs(lanes.takeReady(10))).containsExactly(2L);
    }

    @Test
    void aSuspectIsSentAlone() {
        add(message(1, "a"), suspect(2, "b"), message(3, "c"));

        List<ClaimedMessage> first = lanes.takeReady(10);
        assertThat(seqs(first)).containsExactly(2L);
        assertThat(lanes.takeReady(10)).isEmpty();

        end(first.get(0), Settlement.delivered(first.get(0)));
        lanes.settled(lanes.takeOutcomes(10));
        assertThat(seqs(lanes.takeReady(10))).containsExactly(1L, 3L);
    }

    @Test
    void aTrialLastsUntilTheStoreKnowsItsOutcome() {
        add(suspect(1, "a"), suspect(2, "b"));
        ClaimedMessage first = lanes.takeReady(10).get(0);
        end(first, Settlement.delivered(first));

        assertThat(lanes.takeReady(10)).isEmpty();
        assertThat(lanes.settled(lanes.takeOutcomes(10))).isTrue();
        assertThat(seqs(lanes.takeReady(10))).containsExactly(2L);
    }

    @Test
    @Tag("B1")
    void suspectsAndOthersTakeTurns() {
        add(suspect(1, "a"), suspect(2, "b"), message(3, "c"), message(4, "d"));
        List<ClaimedMessage> trial = lanes.takeReady(10);
        assertThat(seqs(trial)).containsExactly(1L);
        deliver(trial);

        List<ClaimedMessage> others = lanes.takeReady(10);
        assertThat(seqs(others)).containsExactly(3L, 4L);
        add(message(5, "e"));
        assertThat(lanes.takeReady(10)).as("the next trial waits for answers").isEmpty();
        deliver(others);

        assertThat(seqs(lanes.takeReady(10))).containsExactly(2L);
    }

    @Test
    @Tag("B1")
    void afterOneLostClaimSuspectsGoInGroups() {
        for (int seq = 1; seq <= 10 * Lanes.TRIAL_GROUP; seq++) {
            add(lostOnce(seq, "key-" + seq));
        }
        add(message(9_999, "other"));

        List<ClaimedMessage> group = lanes.takeReady(10);
        assertThat(group).hasSize(Lanes.TRIAL_GROUP);
        assertThat(lanes.takeReady(10)).as("nothing else is at the broker").isEmpty();
        deliver(group);

        assertThat(seqs(lanes.takeReady(10))).containsExactly(9_999L);
    }

    @Test
    void suspectsOfAClosedTopicHoldUpNobody() {
        TopicName topic = new TopicName("default", "orders");
        add(suspect(1, "a"));
        gates.close(topic, 0, Duration.ofMinutes(1), "away");
        add(otherTopic(2));

        assertThat(seqs(lanes.takeReady(10))).containsExactly(2L);
    }

    private void deliver(List<ClaimedMessage> sent) {
        sent.forEach(claimed -> end(claimed, Settlement.delivered(claimed)));
        lanes.settled(lanes.takeOutcomes(sent.size()));
    }

    @Test
    void aSuspectWaitsUntilNothingElseIsAtTheBroker() {
        add(message(1, "a"));
        ClaimedMessage first = lanes.takeReady(10).get(0);
        add(suspect(2, "b"), message(3, "c"));

        assertThat(lanes.takeReady(10)).isEmpty();
        end(first, Settlement.delivered(first));
        assertThat(seqs(lanes.takeReady(10))).containsExactly(2L);
    }

    @Test
    void eachMessageIsOverdueAtItsOwnTime() {
        long start = System.nanoTime();
        long timeout = config(KeyPolicy.BLOCK_KEY).publishTimeout.toNanos();
        ClaimedMessage first = message(1, "a");
        add(first);
        lanes.takeReady(start);
        List<Long> early = overdue(start + timeout / 2);
        add(message(2, "b"));
        lanes.takeReady(start + timeout / 2);

        List<Long> onlyFirst = overdue(start + timeout + 1);
        end(first, Settlement.delivered(first));
        List<Long> notYet = overdue(start + timeout + timeout / 2);
        List<Long> onlySecond = overdue(start + timeout + timeout / 2 + 1);

        assertThat(early).isEmpty();
        assertThat(onlyFirst).containsExactly(1L);
        assertThat(notYet).isEmpty();
        assertThat(onlySecond).containsExactly(2L);
    }

    private List<Long> overdue(long nanos) {
        return lanes.overdue(nanos).stream().map(flight -> flight.claimed.seq()).toList();
    }

    private void add(ClaimedMessage... messages) {
        for (ClaimedMessage claimed : messages) {
            lanes.add(row(claimed, null), false);
        }
    }

    private void end(ClaimedMessage claimed, Settlement settlement) {
        lanes.end(Objects.requireNonNull(lanes.sent(claimed), "not sent"), settlement);
    }

    private static FetchedRow row(ClaimedMessage claimed, @Nullable Long holder) {
        return new FetchedRow(claimed, holder);
    }

    private static List<Long> seqs(List<ClaimedMessage> wave) {
        return wave.stream().map(ClaimedMessage::seq).toList();
    }

    private static ClaimedMessage message(long seq, @Nullable String key) {
        return claimed(seq, key, 0);
    }

    private static ClaimedMessage suspect(long seq, String key) {
        return claimed(seq, key, 2);
    }

    private static ClaimedMessage lostOnce(long seq, String key) {
        return claimed(seq, key, 1);
    }

    private static ClaimedMessage otherTopic(long seq) {
        OutboxMessage message =
                OutboxMessage.to("bills", "placed").payload("{}").build();
        return Turn.claimed(seq, message);
    }

    private static ClaimedMessage claimed(long seq, @Nullable String key, int lostClaims) {
        OutboxMessage message =
                OutboxMessage.to("orders", "placed").key(key).payload("{}").build();
        return Turn.claimed(seq, message, null, lostClaims);
    }

    private static RelayConfig config(KeyPolicy policy) {
        return config(policy, false);
    }

    private static RelayConfig config(KeyPolicy policy, boolean pipelined) {
        return new RelayConfig(UnusedStore.relay().keyPolicy(policy).pipelined(pipelined));
    }
}

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
import org.junit.jupiter.api.Test;

/** What {@link Lanes} remembers of the messages in flight, and that it forgets the others. */
class LaneMemoryTest {

    private final RelayConfig config = new RelayConfig(UnusedStore.relay());
    private final JournalEntries journal = new JournalEntries();
    private final Lanes lanes = new Lanes(config, new TopicGates(new SplittableRandom(1)), journal);

    @Test
    void messagesInFlightAreNamedByRangeByTopicAndByDueTime() {
        assertThat(lanes.isEmpty()).isTrue();
        add(message(1, "a"), message(5, "b"));
        lanes.add(row(message(9, "c"), null), true);

        assertThat(lanes.seqsIn(new SeqRange(1, 5))).containsExactly(5L);
        assertThat(lanes.seqsIn(new SeqRange(4, 8))).containsExactly(5L);
        assertThat(lanes.dueSeqs()).containsExactly(9L);
        assertThat(lanes.topics()).containsExactly(new TopicName("default", "orders"));
        assertThat(lanes.bytes()).isEqualTo(3 * 2);
        assertThat(lanes.isEmpty()).isFalse();
    }

    @Test
    void journalEntryLastsAsLongAsItsMessageIsInFlight() {
        add(message(1, "a"));
        journal.fetched(Turn.TOKEN);
        assertThat(journal.ended()).isEmpty();

        deliver(take(1));

        assertThat(journal.ended()).containsExactly(Turn.TOKEN);
        assertThat(lanes.bytes()).isZero();
        assertThat(lanes.isEmpty()).isTrue();
    }

    @Test
    void laneIsForgottenWithItsLastMessage() {
        add(message(1, "a"));
        fail(take(1));
        lanes.settled(lanes.takeOutcomes(10));

        // The holder was delivered by another relay meanwhile: the row of the next message names none.
        add(message(2, "a"));

        assertThat(lanes.hasOutcomes()).isFalse();
        take(2);
    }

    @Test
    void messageIsPutBehindTheHolderOfThoseThatAreBeingPutBehindItAndOfNoOther() {
        lanes.add(row(message(7, "a"), 5L), false);
        add(message(3, "a"));
        take(3);
        add(message(8, "a"));

        List<Settlement> behind = lanes.takeOutcomes(10);
        assertThat(behind).extracting(Settlement::holder).containsExactly(5L, 5L);
        lanes.settled(behind);
        add(message(9, "a"));

        assertThat(lanes.hasOutcomes()).as("the holder may be gone by now").isFalse();
    }

    @Test
    void groupOfSuspectsHoldsNoOtherMessages() {
        add(suspect(1, "a", 1), message(2, "b"));

        assertThat(seqs(lanes.takeReady(0))).containsExactly(1L);
        assertThat(lanes.suspects()).isEqualTo(1);
        deliver(1);

        assertThat(lanes.suspects()).isZero();
        assertThat(seqs(lanes.takeReady(0))).containsExactly(2L);
    }

    @Test
    void nothingIsReadyThatWasSentOrReleased() {
        add(message(1, "a"), message(2, null));
        assertThat(lanes.hasReady()).isTrue();

        assertThat(seqs(lanes.takeReady(0))).containsExactly(1L, 2L);
        assertThat(lanes.hasReady()).isFalse();
        add(message(3, "b"), message(4, null));
        lanes.release(claimed -> true);

        assertThat(lanes.takeReady(0)).isEmpty();
        assertThat(lanes.hasReady()).isFalse();
    }

    @Test
    void laneGoesOnWithARowThatWasReleasedAndReadAgain() {
        add(message(1, "a"), message(2, "a"), message(3, "a"));
        take(1);
        assertThat(lanes.release(claimed -> true))
                .extracting(flight -> flight.claimed.seq())
                .containsExactly(2L, 3L);
        end(1);

        add(message(2, "a"));

        take(2);
    }

    @Test
    void messagesOfALaneWaitUntilTheStoreKnowsThatItsTrialEndedWithoutAnOutcome() {
        add(suspect(1, "a", 2));
        ClaimedMessage tried = claimed(take(1));
        lanes.putBack(Objects.requireNonNull(lanes.sent(tried)));

        assertThat(lanes.mustWait(message(2, "a"))).isTrue();
        assertThat(lanes.mustWait(message(3, "b"))).isFalse();
        assertThat(lanes.settled(lanes.takeOutcomes(10))).isTrue();

        assertThat(lanes.mustWait(message(2, "a"))).isFalse();
    }

    @Test
    void trialOfAMessageWithoutAKeyEndsWithoutAnOutcomeToo() {
        add(suspect(1, null, 2));
        ClaimedMessage tried = claimed(take(1));

        assertThat(lanes.putBack(Objects.requireNonNull(lanes.sent(tried)))).isEmpty();

        assertThat(lanes.takeOutcomes(10)).extracting(Settlement::outcome).containsExactly(Outcome.RELEASED);
        assertThat(lanes.settled(List.of(Settlement.released(tried)))).isTrue();
        assertThat(lanes.isEmpty()).isTrue();
    }

    @Test
    void messagesOfLostShardsAreForgottenAndOthersOfTheirLaneGoOn() {
        add(message(1, null), message(2, "a"), ofShard(3, "a", 1));

        lanes.drop(Set.of(0));

        assertThat(lanes.size()).isEqualTo(1);
        take(3);
    }

    @Test
    void outcomesAreTakenUpToTheLimit() {
        add(message(1, "a"), message(2, "b"), message(3, "c"));
        lanes.takeReady(0)
                .forEach(claimed ->
                        lanes.end(Objects.requireNonNull(lanes.sent(claimed)), Settlement.delivered(claimed)));

        assertThat(lanes.takeOutcomes(2)).hasSize(2);
        assertThat(lanes.takeOutcomes(2)).hasSize(1);
    }

    @Test
    void onlyTheEndOfATrialLetsMoreBeSent() {
        add(message(1, "a"), message(2, "b"));
        lanes.takeReady(0);
        end(1);
        assertThat(lanes.settled(lanes.takeOutcomes(10))).isFalse();
        end(2);
        assertThat(lanes.refused(lanes.takeOutcomes(10))).isFalse();
        add(suspect(3, "c", 2));
        take(3);
        end(3);

        assertThat(lanes.refused(lanes.takeOutcomes(10))).isTrue();
    }

    @Test
    void rowsBehindAStalledMessageAreForgottenAndMissedOnce() {
        add(message(2, "a"));
        take(2);
        add(message(3, "a"), message(8, "a"));
        lanes.add(row(message(7, "a"), 5L), false);
        List<Settlement> behind = lanes.takeOutcomes(10);

        lanes.refused(behind);

        assertThat(lanes.seqsIn(new SeqRange(0, 10))).containsExactlyInAnyOrder(2L, 3L, 7L);
        assertThat(lanes.leavesOut(message(9, "a"))).isTrue();
        assertThat(lanes.leavesOut(message(6, "a"))).isFalse();
        deliver(2);
        deliver(take(3));
        assertThat(lanes.takeReady(0)).isEmpty();
        lanes.settled(behind);
        assertThat(lanes.takeMissed()).containsExactly(new SeqRange(7, 9));
        assertThat(lanes.takeMissed()).isEmpty();
    }

    @Test
    void messageIsOverdueBehindItsTimeAndNotAtIt() {
        long start = config.nanoTime.getAsLong() + Duration.ofSeconds(1).toNanos();
        long end = start + config.publishTimeout.toNanos();
        add(message(1, "a"));
        lanes.takeReady(start);

        assertThat(lanes.overdue(end)).isEmpty();
        assertThat(lanes.overdue(end + 1)).hasSize(1);
    }

    private long take(long seq) {
        assertThat(seqs(lanes.takeReady(0))).containsExactly(seq);
        return seq;
    }

    /** A flight is found by sequence and token, whatever the rest of the message is. */
    private static ClaimedMessage claimed(long seq) {
        return suspect(seq, "any", 2);
    }

    private void deliver(long seq) {
        end(seq);
        lanes.settled(lanes.takeOutcomes(10));
    }

    private void end(long seq) {
        ClaimedMessage claimed = message(seq, "any");
        lanes.end(Objects.requireNonNull(lanes.sent(claimed)), Settlement.delivered(claimed));
    }

    private void fail(long seq) {
        ClaimedMessage claimed = message(seq, "any");
        Settlement retry = Settlement.retry(claimed, Duration.ofSeconds(1), "no", true);
        lanes.end(Objects.requireNonNull(lanes.sent(claimed)), retry);
    }

    private void add(ClaimedMessage... messages) {
        for (ClaimedMessage claimed : messages) {
            lanes.add(row(claimed, null), false);
        }
    }

    private static FetchedRow row(ClaimedMessage claimed, @Nullable Long holder) {
        return new FetchedRow(claimed, holder);
    }

    private static List<Long> seqs(List<ClaimedMessage> wave) {
        return wave.stream().map(ClaimedMessage::seq).toList();
    }

    private static ClaimedMessage message(long seq, @Nullable String key) {
        return suspect(seq, key, 0);
    }

    private static ClaimedMessage suspect(long seq, @Nullable String key, int lostClaims) {
        return Turn.claimed(seq, outbox(key), null, lostClaims);
    }

    private static ClaimedMessage ofShard(long seq, String key, int shard) {
        return new ClaimedMessage(seq, Turn.TOKEN, "relay", shard, 1, 1, false, 0, false, null, outbox(key));
    }

    private static OutboxMessage outbox(@Nullable String key) {
        return OutboxMessage.to("orders", "placed").key(key).payload("{}").build();
    }
}

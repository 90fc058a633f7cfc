package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.FetchRequest;
import dev.postrider.spi.FetchedPage;
import dev.postrider.spi.OwnedShard;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.SeqRange;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What {@link RelayState} remembers between two steps. */
class RelayMemoryTest extends RelayMemory {

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
}

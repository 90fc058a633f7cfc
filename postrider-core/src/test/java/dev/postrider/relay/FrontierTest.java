package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Writer;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which part of a scan has to be scanned again, and when. */
@Tag("B1")
class FrontierTest {

    private static final long HEAD = Long.MAX_VALUE;
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final Frontier frontier = new Frontier();

    @Test
    void aScanWithoutHolesLeavesNothingBehind() {
        pass(0, 10, 10);

        assertThat(frontier.isClear()).isTrue();
        assertThat(frontier.lowest()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void holesAreScannedOnceMoreAfterTheWritersWereRead() {
        pass(0, 10, 8);

        assertThat(review()).containsExactly(new SeqRange(0, 10));
        frontier.reviewed();

        assertThat(frontier.isClear()).isTrue();
    }

    @Test
    void holesOfAnOpenTransactionAreScannedWhenItEnds() {
        pass(0, 10, 8);
        scanAgain("a");
        pass(10, 20, 10);

        assertThat(review("a")).as("it is still open").isEmpty();
        frontier.reviewed();
        assertThat(frontier.lowest()).isZero();
        assertThat(review()).containsExactly(new SeqRange(0, 10));
        frontier.reviewed();

        assertThat(frontier.isClear()).isTrue();
    }

    @Test
    void aTransactionCanOnlyFillHolesAboveItsBirth() {
        pass(0, 10, 8);
        scanAgain("old");
        pass(10, 20, 8);
        scanAgain("old", "young");

        assertThat(review("old")).containsExactly(new SeqRange(10, 20));
    }

    @Test
    void aTransactionThatBeganAndEndedBetweenTwoReadingsIsFound() {
        pass(0, 10, 8);
        scanAgain("a");
        pass(10, 20, 9);

        assertThat(review("a")).containsExactly(new SeqRange(10, 20));
    }

    @Test
    void whatWasNotScannedAgainStaysToBeScanned() {
        pass(0, 10, 8);
        scanAgain("a", "b");

        assertThat(review("b")).containsExactly(new SeqRange(0, 10));
        assertThat(review("b")).as("the scan failed").containsExactly(new SeqRange(0, 10));
    }

    @Test
    void aTransactionThatWasPreparedMayFillAnyHole() {
        pass(0, 10, 8);
        scanAgain("a");
        pass(10, 20, 20);
        frontier.review(Set.of(new Writer("-1/77", true)), HEAD);
        frontier.reviewed();

        assertThat(review()).containsExactly(new SeqRange(0, 10));
    }

    @Test
    void nothingAboveTheHeadIsScannedAgain() {
        pass(0, 10, 8);

        assertThat(frontier.review(Set.of(), 6)).containsExactly(new SeqRange(0, 6));
    }

    @Test
    void holesAboveAHeadThatWentBackAreScannedWhenItJumpsForward() {
        pass(0, 10, 8);
        frontier.review(Set.of(), 6);
        frontier.reviewed();

        assertThat(frontier.isClear()).isFalse();
        assertThat(review()).containsExactly(new SeqRange(6, 10));
        frontier.reviewed();
        assertThat(frontier.isClear()).isTrue();
    }

    @Test
    void sequencesThatWereRolledBackCostNothing() {
        for (long step = 0; step < 1_000; step++) {
            pass(step * 1_000, (step + 1) * 1_000, 500);
            scanAgain();
        }

        assertThat(frontier.isClear()).isTrue();
    }

    @Test
    void holesThatAreNamedAreRemembered() {
        frontier.passed(new SeqRange(10, 20), List.of(new SeqRange(12, 14), new SeqRange(18, 20)), 0);

        assertThat(frontier.below(HEAD)).containsExactly(new SeqRange(12, 14), new SeqRange(18, 20));
        assertThat(frontier.lowest()).isEqualTo(12);
    }

    @Test
    void passingAgainReplacesWhatWasKnownOfThatPart() {
        frontier.passed(new SeqRange(0, 10), List.of(new SeqRange(0, 1), new SeqRange(2, 9)), 0);

        frontier.passed(new SeqRange(3, 6), List.of(new SeqRange(4, 5)), 0);

        assertThat(frontier.below(HEAD))
                .containsExactly(new SeqRange(0, 1), new SeqRange(2, 3), new SeqRange(4, 5), new SeqRange(6, 9));
    }

    @Test
    void holesAboveTheHeadAreLeftToTheNextScan() {
        frontier.passed(new SeqRange(0, 10), List.of(new SeqRange(0, 2), new SeqRange(3, 6), new SeqRange(7, 9)), 0);

        assertThat(frontier.below(5)).containsExactly(new SeqRange(0, 2), new SeqRange(3, 5));
    }

    @Test
    void aHoleIsGivenUpAfterAMinuteIfTheStoreCannotListItsWriters() {
        frontier.passed(new SeqRange(0, 10), List.of(new SeqRange(0, 9)), 0);
        frontier.passed(new SeqRange(10, 20), List.of(new SeqRange(14, 19)), SECOND);

        assertThat(frontier.giveUp(60 * SECOND)).isEmpty();
        assertThat(frontier.giveUp(60 * SECOND + 1)).isPresent();

        assertThat(frontier.below(HEAD)).containsExactly(new SeqRange(14, 19));
    }

    @Test
    void aHoleAgesAlsoWhenTheClockIsBelowZero() {
        long start = Long.MAX_VALUE - SECOND;
        frontier.passed(new SeqRange(0, 10), List.of(new SeqRange(0, 9)), start);

        assertThat(frontier.giveUp(start + 60 * SECOND)).isEmpty();
        assertThat(frontier.giveUp(start + 61 * SECOND)).isPresent();
    }

    @Test
    void theRestOfAHoleIsAsOldAsTheHole() {
        frontier.passed(new SeqRange(0, 10), List.of(new SeqRange(0, 9)), 0);
        frontier.passed(new SeqRange(0, 5), List.of(new SeqRange(0, 4)), 30 * SECOND);

        frontier.giveUp(61 * SECOND);

        assertThat(frontier.below(HEAD)).containsExactly(new SeqRange(0, 4));
    }

    @Test
    void noHoleIsForgottenHoweverManyThereAre() {
        int holes = 10 * Frontier.MOST;
        frontier.passed(new SeqRange(0, 2L * holes), everySecond(0, holes), 0);

        List<SeqRange> kept = frontier.below(HEAD);

        assertThat(kept).hasSizeLessThanOrEqualTo(Frontier.MOST);
        for (long seq = 1; seq <= 2L * holes; seq += 2) {
            assertThat(covers(kept, seq)).as("hole %d", seq).isTrue();
        }
    }

    @Test
    void noHoleIsForgottenThatComesPageByPage() {
        SplittableRandom random = new SplittableRandom(42);
        BitSet naive = new BitSet();
        long after = 0;
        for (int page = 0; page < 10 * Frontier.MOST; page++) {
            long upTo = after + 1 + random.nextInt(10);
            long from = after + random.nextLong(upTo - after);
            long to = from + 1 + random.nextLong(upTo - from);
            frontier.passed(new SeqRange(after, upTo), List.of(new SeqRange(from, to)), 0);
            naive.set((int) from + 1, (int) to + 1);
            after = upTo;
        }

        List<SeqRange> kept = frontier.below(HEAD);

        assertThat(kept).hasSizeLessThanOrEqualTo(Frontier.MOST);
        kept.forEach(range -> naive.clear((int) range.after() + 1, (int) range.upTo() + 1));
        assertThat(naive.stream()).as("forgotten").isEmpty();
    }

    @Test
    void mergedHolesAreAsYoungAsTheYoungestOfThem() {
        frontier.passed(new SeqRange(0, 10), List.of(new SeqRange(0, 9)), 0);
        frontier.passed(new SeqRange(10, 10 + 2L * Frontier.MOST), everySecond(10, Frontier.MOST), 30 * SECOND);

        frontier.giveUp(61 * SECOND);

        assertThat(frontier.lowest()).isZero();
    }

    @Test
    void rangesAreJoinedIfTheirEndsAreAtMostAThousandApart() {
        SeqRange first = new SeqRange(4_999, 5_000);
        SeqRange close = new SeqRange(5_999, 6_000);
        SeqRange far = new SeqRange(7_000, 7_001);

        assertThat(Frontier.joined(List.of())).isEmpty();
        assertThat(Frontier.joined(List.of(first))).containsExactly(first);
        assertThat(Frontier.joined(List.of(first, close, far))).containsExactly(new SeqRange(4_999, 6_000), far);
    }

    @Test
    void aMillionHolesAreRememberedInABoundedNumberOfRanges() {
        frontier.passed(new SeqRange(0, 2_000_000), everySecond(0, 1_000_000), 0);

        assertThat(frontier.below(HEAD)).hasSizeLessThanOrEqualTo(Frontier.MOST);
    }

    @Test
    void aLongTransactionCostsOneScanWhenItEnds() {
        pass(0, 1_000, 500);
        scanAgain("long");
        for (long step = 1; step < 10 * Frontier.MOST; step++) {
            pass(step * 1_000, (step + 1) * 1_000, 500);
            assertThat(review("long")).containsExactly(new SeqRange(step * 1_000, (step + 1) * 1_000));
            frontier.reviewed();
        }

        List<SeqRange> again = review();

        assertThat(again).hasSizeLessThanOrEqualTo(Frontier.MOST);
        assertThat(again.get(0).after()).isZero();
        assertThat(again.get(again.size() - 1).upTo()).isEqualTo(10L * Frontier.MOST * 1_000);
    }

    // As a store answers that names one hole for a whole page.
    private void pass(long after, long upTo, int seen) {
        SeqRange range = new SeqRange(after, upTo);
        frontier.passed(range, seen < upTo - after ? List.of(range) : List.of(), 0);
    }

    private static List<SeqRange> everySecond(long after, int holes) {
        return LongStream.range(0, holes)
                .mapToObj(i -> new SeqRange(after + 2 * i, after + 2 * i + 1))
                .toList();
    }

    private static boolean covers(List<SeqRange> ranges, long seq) {
        return ranges.stream().anyMatch(range -> range.after() < seq && seq <= range.upTo());
    }

    private void scanAgain(String... writers) {
        review(writers);
        frontier.reviewed();
    }

    private List<SeqRange> review(String... writers) {
        return frontier.review(
                Stream.of(writers).map(name -> new Writer(name, false)).collect(Collectors.toSet()), HEAD);
    }
}

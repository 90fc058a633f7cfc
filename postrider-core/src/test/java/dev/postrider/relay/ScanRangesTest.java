package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.spi.SeqRange;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which sequences a relay has still to scan. */
@Tag("B1")
class ScanRangesTest {

    private static final int HEAD = 100_000;

    private final ScanRanges ranges = new ScanRanges();

    @Test
    void theHeadFollowsTheScan() {
        scanTo(100);

        assertThat(ranges.next()).isEqualTo(SeqRange.above(100));
        assertThat(ranges.lowest()).isEqualTo(100);
    }

    @Test
    void nothingIsToBeScannedBeforeAShardIsOwned() {
        ranges.add(3, 4);

        assertThat(ranges.next()).isEqualTo(SeqRange.above(Long.MAX_VALUE));
    }

    @Test
    void theLowestRangeIsScannedFirst() {
        scanTo(100);
        ranges.add(70, 71);
        ranges.add(40, 42);

        assertThat(drain()).containsExactly(new SeqRange(40, 42), new SeqRange(70, 71), SeqRange.above(100));
    }

    @Test
    void rangesThatTouchOrOverlapAreMerged() {
        scanTo(100);
        ranges.add(10, 20);
        ranges.add(40, 50);
        ranges.add(60, 70);

        ranges.add(20, 45);

        assertThat(drain()).containsExactly(new SeqRange(10, 50), new SeqRange(60, 70), SeqRange.above(100));
    }

    @Test
    void aRangeInsideAnotherAddsNothing() {
        scanTo(100);
        ranges.add(10, 50);

        ranges.add(20, 30);

        assertThat(drain()).containsExactly(new SeqRange(10, 50), SeqRange.above(100));
    }

    @Test
    void whatLiesAboveTheHeadIsNotAddedTwice() {
        scanTo(100);

        ranges.add(90, 200);
        ranges.add(100, 150);

        assertThat(drain()).containsExactly(new SeqRange(90, 100), SeqRange.above(100));
    }

    @Test
    void aPartThatWasScannedLeavesTheRest() {
        scanTo(100);
        ranges.add(10, 50);

        ranges.scanned(ranges.next(), 30);

        assertThat(ranges.next()).isEqualTo(new SeqRange(30, 50));
    }

    @Test
    void aRangeThatWasMergedWhileItWasScannedIsScannedAgain() {
        scanTo(100);
        ranges.add(40, 50);
        SeqRange underWay = ranges.next();
        ranges.add(38, 41);

        ranges.scanned(underWay, 50);

        assertThat(ranges.next()).isEqualTo(new SeqRange(38, 50));
    }

    @Test
    void aScanThatWasUnderWayDoesNotSkipWhatCameBackMeanwhile() {
        scanTo(100);
        SeqRange underWay = ranges.next();
        ranges.add(41, 42);
        ranges.add(50, 51);

        ranges.scanned(underWay, 200);

        assertThat(drain()).containsExactly(new SeqRange(41, 42), new SeqRange(50, 51), SeqRange.above(200));
    }

    @Test
    void theScanBeginsAtTheLowestOfTheShards() {
        ranges.startAt(50);
        ranges.startAt(80);
        ranges.startAt(20);

        assertThat(ranges.lowest()).isEqualTo(20);
        assertThat(drain()).containsExactly(new SeqRange(20, 50), SeqRange.above(50));
    }

    @Test
    void theClosestNeighboursAreMergedIfThereAreTooMany() {
        scanTo(HEAD);
        for (int i = 0; i < ScanRanges.MOST; i++) {
            ranges.add(1_000L * i, 1_000L * i + 1);
        }

        ranges.add(7_003, 7_004);

        List<SeqRange> left = drain();
        assertThat(left).hasSize(ScanRanges.MOST + 1).contains(new SeqRange(7_000, 7_004));
    }

    @Test
    void noSequenceIsForgottenAtTenTimesTheBound() {
        SplittableRandom random = new SplittableRandom(42);
        for (int round = 0; round < 20; round++) {
            ScanRanges some = new ScanRanges();
            some.startAt(0);
            some.scanned(some.next(), HEAD);
            BitSet naive = new BitSet();
            for (int i = 0; i < 10 * ScanRanges.MOST; i++) {
                int after = random.nextInt(HEAD);
                int upTo = Math.min(HEAD, after + 1 + random.nextInt(20));
                some.add(after, upTo);
                naive.set(after + 1, upTo + 1);
                if (random.nextInt(5) == 0) {
                    scanAPart(some, naive, random);
                }
            }

            BitSet left = new BitSet();
            int count = 0;
            long last = -1;
            for (SeqRange next = some.next(); next.upTo() < Long.MAX_VALUE; next = some.next()) {
                assertThat(next.after()).as("in order").isGreaterThan(last);
                last = next.upTo();
                left.set((int) next.after() + 1, (int) next.upTo() + 1);
                some.scanned(next, next.upTo());
                count++;
            }
            assertThat(count).isLessThanOrEqualTo(ScanRanges.MOST);
            naive.andNot(left);
            assertThat(naive.stream()).as("forgotten in round %d", round).isEmpty();
            assertThat(some.next()).isEqualTo(SeqRange.above(HEAD));
        }
    }

    private static void scanAPart(ScanRanges some, BitSet naive, SplittableRandom random) {
        SeqRange next = some.next();
        long upTo = next.after() + 1 + random.nextLong(next.upTo() - next.after());
        some.scanned(next, upTo);
        naive.clear((int) next.after() + 1, (int) upTo + 1);
    }

    private void scanTo(long seq) {
        ranges.startAt(0);
        ranges.scanned(ranges.next(), seq);
    }

    private List<SeqRange> drain() {
        List<SeqRange> all = new ArrayList<>();
        for (SeqRange next = ranges.next(); next.upTo() < Long.MAX_VALUE; next = ranges.next()) {
            all.add(next);
            ranges.scanned(next, next.upTo());
        }
        all.add(ranges.next());
        return all;
    }
}

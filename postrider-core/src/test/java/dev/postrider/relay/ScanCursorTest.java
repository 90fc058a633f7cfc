package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.spi.ClaimedBatch;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Shards;
import dev.postrider.spi.TopicName;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScanCursorTest {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final TopicName ORDERS = new TopicName("default", "orders");
    private static final TopicName BILLS = new TopicName("default", "bills");

    private final ScanCursor cursor = new ScanCursor();

    @Test
    void theHeadFollowsTheScan() {
        scanFrom0To(100);

        assertThat(cursor.begin()).isEqualTo(100);
    }

    @Test
    void releasedRowsAreLookedAtAgain() {
        scanFrom0To(100);
        cursor.rewind(41);

        assertThat(cursor.begin()).isEqualTo(41);
    }

    @Test
    void aScanThatWasUnderWayDoesNotSkipWhatCameBackMeanwhile() {
        scanFrom0To(100);
        cursor.begin();
        cursor.rewind(41);
        cursor.rewind(50);

        cursor.scanned(200);

        assertThat(cursor.begin()).isEqualTo(41);
        cursor.scanned(200);
        assertThat(cursor.begin()).isEqualTo(200);
    }

    @Test
    void aSweepNeverGoesAboveTheHead() {
        scanFrom0To(30_000);
        cursor.rewind(7);
        for (long now = 0; now < 30 * SECOND; now += SECOND) {
            sweep(now, Shards.COUNT).ifPresent(range -> assertThat(range.upTo()).isLessThanOrEqualTo(7));
        }
    }

    @Test
    void theWalkCoversTheWholeTableOneStepASecond() {
        scanFrom0To(35_000);
        boolean[] seen = new boolean[35_001];
        for (long now = 0; now < 5 * SECOND; now += SECOND) {
            SeqRange range = sweep(now, Shards.COUNT).orElseThrow();
            assertThat(sweep(now + 1, Shards.COUNT)).isEmpty();
            for (long seq = range.after() + 1; seq <= range.upTo(); seq++) {
                seen[(int) seq] = true;
            }
        }

        for (int seq = 1; seq <= 35_000; seq++) {
            assertThat(seen[seq]).as("seq %d", seq).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({"64,160000", "32,80000", "16,40000", "1,40000"})
    void aBusyRelayWalksAsFarAsItsShareInShortSteps(int shards, long rows) {
        scanFrom0To(1_000_000);
        sweep(0, shards);
        long walked = 0;
        for (long now = 0; now <= 16 * SECOND; now += SECOND / 1_000) {
            SeqRange range = sweep(now, shards).orElse(null);
            if (range != null) {
                assertThat(range.upTo() - range.after()).isLessThanOrEqualTo(2_000);
                walked += range.upTo() - range.after();
            }
        }

        assertThat(walked).isEqualTo(rows);
    }

    @Test
    void aStepOfTheWalkWithMoreInItThanOneClaimTakesIsRepeatedAtOnce() {
        scanFrom0To(35_000);
        SeqRange range = sweep(0, Shards.COUNT).orElseThrow();

        cursor.swept(range, new ClaimedBatch(List.of(), 17, true), 0);

        assertThat(sweep(0, Shards.COUNT)).contains(range);
    }

    @Test
    void aStepThatIsRepeatedDoesNotGoAboveAHeadThatWentBack() {
        scanFrom0To(35_000);
        SeqRange range = sweep(0, Shards.COUNT).orElseThrow();
        cursor.swept(range, new ClaimedBatch(List.of(), 17, true), 0);

        cursor.rewind(7);

        assertThat(sweep(0, Shards.COUNT)).contains(new SeqRange(0, 7));
    }

    @Test
    void aTopicThatClosesAgainDoesNotMakeTheOthersWalkBack() {
        scanFrom0To(1_000);
        cursor.rewindFor(ORDERS, 10);
        cursor.begin();
        cursor.scanned(60);
        cursor.forward(ORDERS);

        assertThat(cursor.begin()).isEqualTo(1_000);
    }

    @Test
    void aTopicIsNotSkippedForAnotherThatWentBackFurther() {
        scanFrom0To(1_000);
        cursor.rewindFor(BILLS, 5);
        cursor.rewindFor(ORDERS, 10);
        cursor.forward(BILLS);

        assertThat(cursor.begin()).isEqualTo(5);
    }

    @Test
    void aTopicThatIsCatchingUpIsNotSkippedForAnother() {
        scanFrom0To(1_000);
        cursor.rewindFor(ORDERS, 10);
        cursor.rewindFor(BILLS, 5);
        cursor.forward(ORDERS);

        assertThat(cursor.begin()).isEqualTo(5);
    }

    @Test
    @Tag("B1")
    void aSweepStepIsFollowedByAScanAboveTheHeadHoweverLongItTook() {
        scanFrom0To(1_000_000);

        assertThat(cursor.sweep(0, Shards.COUNT)).isPresent();
        assertThat(cursor.sweep(60 * SECOND, Shards.COUNT)).isEmpty();
        assertThat(cursor.sweep(120 * SECOND, Shards.COUNT)).isPresent();
    }

    @Test
    @Tag("B1")
    void timeUntilTheNextStepCountsFromTheEndOfTheLast() {
        scanFrom0To(1_000_000);
        SeqRange range = sweep(0, Shards.COUNT).orElseThrow();
        cursor.swept(range, new ClaimedBatch(List.of(), range.upTo(), false), 10 * SECOND);

        assertThat(sweep(10 * SECOND + 1, Shards.COUNT)).isEmpty();
        assertThat(sweep(11 * SECOND, Shards.COUNT)).isPresent();
    }

    @Test
    @Tag("B1")
    void theSweepStartsOverAlthoughTheHeadMovesOn() {
        long head = 100_000;
        scanFrom0To(head);
        int laps = 0;
        for (long now = 0; now < 3_600 * SECOND; now += SECOND) {
            head += 300;
            cursor.begin();
            cursor.scanned(head);
            Optional<SeqRange> step = sweep(now, Shards.COUNT);
            laps += step.isPresent() && step.get().after() == 0 ? 1 : 0;
        }

        assertThat(laps).isGreaterThan(20);
    }

    // A step and the scan above the head that follows it.
    private Optional<SeqRange> sweep(long nanos, int shards) {
        Optional<SeqRange> step = cursor.sweep(nanos, shards);
        if (step.isPresent()) {
            assertThat(cursor.sweep(nanos, shards)).isEmpty();
        }
        return step;
    }

    private void scanFrom0To(long seq) {
        cursor.rewind(0);
        cursor.begin();
        cursor.scanned(seq);
    }
}

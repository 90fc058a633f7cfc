package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.spi.ClaimedBatch;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.TopicName;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScanCursorTest {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final TopicName ORDERS = new TopicName("default", "orders");
    private static final TopicName BILLS = new TopicName("default", "bills");

    private final ScanCursor cursor = new ScanCursor();

    @Test
    void theHeadFollowsTheScan() {
        cursor.rewind(0);
        scanHead(100);

        assertThat(nextHead()).isEqualTo(SeqRange.above(100));
    }

    @Test
    void releasedRowsAreLookedAtAgain() {
        cursor.rewind(0);
        scanHead(100);
        cursor.rewind(41);

        assertThat(nextHead()).isEqualTo(SeqRange.above(41));
    }

    @Test
    void aClaimThatWasUnderWayDoesNotUndoARewind() {
        cursor.rewind(0);
        SeqRange underWay = nextHead();
        cursor.rewind(5);
        cursor.rewind(9);
        cursor.scanned(underWay, new ClaimedBatch(List.of(), 100, false), 0);

        assertThat(nextHead()).isEqualTo(SeqRange.above(5));
    }

    @Test
    void everySecondRowsBelowTheHeadAreLookedAtForLateCommits() {
        cursor.rewind(0);
        cursor.next(0);
        scanHead(500);
        List<SeqRange> sweeps = List.of(cursor.next(SECOND), cursor.next(2 * SECOND));

        assertThat(sweeps).allMatch(range -> range.upTo() == 500).anyMatch(range -> range.after() == 0);
    }

    @Test
    void aSweepNeverGoesAboveTheHead() {
        cursor.rewind(0);
        scanHead(30_000);
        cursor.rewind(7);
        for (long now = 0; now < 30 * SECOND; now += SECOND) {
            SeqRange range = cursor.next(now);
            if (range.upTo() != Long.MAX_VALUE) {
                assertThat(range.upTo()).isLessThanOrEqualTo(7);
            }
        }
    }

    @Test
    void theSlowWalkCoversTheWholeTable() {
        cursor.rewind(0);
        scanHead(35_000);
        boolean[] seen = new boolean[35_001];
        for (long now = 0; now < 20 * SECOND; now += SECOND) {
            SeqRange range = cursor.next(now);
            for (long seq = range.after() + 1; seq <= Math.min(range.upTo(), 35_000); seq++) {
                seen[(int) seq] = true;
            }
        }

        for (int seq = 1; seq <= 35_000; seq++) {
            assertThat(seen[seq]).as("seq %d", seq).isTrue();
        }
    }

    @Test
    void aTopicThatClosesAgainDoesNotMakeTheOthersWalkBack() {
        cursor.rewind(0);
        scanHead(1_000);
        cursor.rewindFor(ORDERS, 10);
        scanHead(60);
        cursor.forward(ORDERS);

        assertThat(nextHead()).isEqualTo(SeqRange.above(1_000));
    }

    @Test
    void aTopicThatIsCatchingUpIsNotSkippedForAnother() {
        cursor.rewind(0);
        scanHead(1_000);
        cursor.rewindFor(ORDERS, 10);
        cursor.rewindFor(BILLS, 5);
        cursor.forward(ORDERS);

        assertThat(nextHead()).isEqualTo(SeqRange.above(5));
    }

    private SeqRange nextHead() {
        SeqRange range = cursor.next(0);
        return range.upTo() == Long.MAX_VALUE ? range : cursor.next(0);
    }

    private void scanHead(long to) {
        cursor.scanned(SeqRange.above(cursor.head()), new ClaimedBatch(List.of(), to, false), 0);
    }
}

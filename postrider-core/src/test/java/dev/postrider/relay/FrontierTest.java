package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Writer;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which part of a scan has to be scanned again, and when. */
@Tag("B1")
class FrontierTest {

    private static final long HEAD = Long.MAX_VALUE;

    private final Frontier frontier = new Frontier();

    @Test
    void aScanWithoutHolesLeavesNothingBehind() {
        frontier.passed(0, 10, 10);

        assertThat(frontier.isClear()).isTrue();
        assertThat(frontier.lowest()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void holesAreScannedOnceMoreAfterTheWritersWereRead() {
        frontier.passed(0, 10, 8);

        assertThat(review()).containsExactly(new SeqRange(0, 10));
        frontier.reviewed();

        assertThat(frontier.isClear()).isTrue();
    }

    @Test
    void holesOfAnOpenTransactionAreScannedWhenItEnds() {
        frontier.passed(0, 10, 8);
        scanAgain("a");
        frontier.passed(10, 20, 10);

        assertThat(review("a")).as("it is still open").isEmpty();
        frontier.reviewed();
        assertThat(frontier.lowest()).isZero();
        assertThat(review()).containsExactly(new SeqRange(0, 10));
        frontier.reviewed();

        assertThat(frontier.isClear()).isTrue();
    }

    @Test
    void aTransactionCanOnlyFillHolesAboveItsBirth() {
        frontier.passed(0, 10, 8);
        scanAgain("old");
        frontier.passed(10, 20, 8);
        scanAgain("old", "young");

        assertThat(review("old")).containsExactly(new SeqRange(10, 20));
    }

    @Test
    void aTransactionThatBeganAndEndedBetweenTwoReadingsIsFound() {
        frontier.passed(0, 10, 8);
        scanAgain("a");
        frontier.passed(10, 20, 9);

        assertThat(review("a")).containsExactly(new SeqRange(10, 20));
    }

    @Test
    void whatWasNotScannedAgainStaysToBeScanned() {
        frontier.passed(0, 10, 8);
        scanAgain("a", "b");

        assertThat(review("b")).containsExactly(new SeqRange(0, 10));
        assertThat(review("b")).as("the scan failed").containsExactly(new SeqRange(0, 10));
    }

    @Test
    void aTransactionThatWasPreparedMayFillAnyHole() {
        frontier.passed(0, 10, 8);
        scanAgain("a");
        frontier.passed(10, 20, 20);
        frontier.review(Set.of(new Writer("-1/77", true)), HEAD);
        frontier.reviewed();

        assertThat(review()).containsExactly(new SeqRange(0, 10));
    }

    @Test
    void nothingAboveTheHeadIsScannedAgain() {
        frontier.passed(0, 10, 8);

        assertThat(frontier.review(Set.of(), 6)).containsExactly(new SeqRange(0, 6));
    }

    @Test
    void holesAboveAHeadThatWentBackAreScannedWhenItJumpsForward() {
        frontier.passed(0, 10, 8);
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
            frontier.passed(step * 1_000, (step + 1) * 1_000, 500);
            scanAgain();
        }

        assertThat(frontier.isClear()).isTrue();
    }

    @Test
    void aLongTransactionCostsOneScanWhenItEnds() {
        frontier.passed(0, 1_000, 500);
        scanAgain("long");
        for (long step = 1; step < 10 * Frontier.MOST; step++) {
            frontier.passed(step * 1_000, (step + 1) * 1_000, 500);
            assertThat(review("long")).containsExactly(new SeqRange(step * 1_000, (step + 1) * 1_000));
            frontier.reviewed();
        }

        List<SeqRange> again = review();

        assertThat(again).hasSizeLessThanOrEqualTo(Frontier.MOST);
        assertThat(again.get(0).after()).isZero();
        assertThat(again.get(again.size() - 1).upTo()).isEqualTo(10L * Frontier.MOST * 1_000);
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

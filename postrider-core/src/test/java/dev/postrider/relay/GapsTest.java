package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.spi.Outlook;
import dev.postrider.spi.SeqRange;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class GapsTest {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final Gaps gaps = new Gaps();

    @Test
    void aGapThatReachesBeyondAScanIsKept() {
        gaps.passed(0, 10, List.of(4L, 10L), 0);
        gaps.passed(0, 6, List.of(4L, 5L, 6L), 0);

        assertThat(gaps.below(Long.MAX_VALUE)).contains(new SeqRange(6, 9));
    }

    @Test
    @Tag("B1")
    void whatAScanDidNotSeeIsAGap() {
        gaps.passed(10, 20, List.of(11L, 12L, 15L, 18L), 0);

        assertThat(gaps.below(Long.MAX_VALUE))
                .containsExactly(new SeqRange(12, 14), new SeqRange(15, 17), new SeqRange(18, 20));
        assertThat(gaps.lowest()).isEqualTo(12);
    }

    @Test
    void rowsBeyondWhatWasScannedAreNoBoundary() {
        gaps.passed(10, 12, List.of(11L, 12L, 15L), 0);

        assertThat(gaps.below(Long.MAX_VALUE)).isEmpty();
        assertThat(gaps.lowest()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void gapsAboveTheHeadAreLeftToTheNextScan() {
        gaps.passed(0, 10, List.of(3L, 7L, 10L), 0);

        assertThat(gaps.below(5)).containsExactly(new SeqRange(0, 2), new SeqRange(3, 5));
    }

    @Test
    void aRowThatWasFoundSplitsItsGap() {
        gaps.passed(0, 10, List.of(10L), 0);

        gaps.found(4);
        gaps.found(1);
        gaps.found(9);

        assertThat(gaps.below(Long.MAX_VALUE)).containsExactly(new SeqRange(1, 3), new SeqRange(4, 8));
    }

    @Test
    void passingAgainReplacesWhatWasKnownOfThatPart() {
        gaps.passed(0, 10, List.of(2L, 10L), 0);
        gaps.passed(0, 10, List.of(2L, 5L, 10L), 0);

        assertThat(gaps.below(Long.MAX_VALUE))
                .containsExactly(new SeqRange(0, 1), new SeqRange(2, 4), new SeqRange(5, 9));
    }

    @Test
    void aGapIsGivenUpWhenAllTransactionsOfItsTimeHaveEnded() {
        gaps.passed(0, 10, List.of(10L), 0);

        gaps.review(outlook(100, 90), SECOND);
        gaps.review(outlook(120, 90), 6 * SECOND);
        gaps.review(outlook(150, 119), 7 * SECOND);
        assertThat(gaps.below(Long.MAX_VALUE)).hasSize(1);

        gaps.review(outlook(150, 120), 8 * SECOND);
        assertThat(gaps.below(Long.MAX_VALUE)).isEmpty();
    }

    @Test
    void aLongTransactionKeepsItsGapForAsLongAsItRuns() {
        gaps.passed(0, 10, List.of(10L), 0);
        for (int hour = 0; hour < 10; hour++) {
            gaps.review(outlook(1_000 + hour, 90), 3_600L * SECOND * hour);
        }

        assertThat(gaps.below(Long.MAX_VALUE)).hasSize(1);
    }

    @Test
    void aGapIsGivenUpAfterAMinuteWhereTheStoreCannotTell() {
        gaps.passed(0, 10, List.of(10L), 0);

        gaps.review(outlook(Outlook.UNKNOWN, Outlook.UNKNOWN), 59 * SECOND);
        assertThat(gaps.below(Long.MAX_VALUE)).hasSize(1);
        gaps.review(outlook(Outlook.UNKNOWN, Outlook.UNKNOWN), 61 * SECOND);
        assertThat(gaps.below(Long.MAX_VALUE)).isEmpty();
    }

    @Test
    void theOldestGapsAreForgottenWhenThereAreTooMany() {
        gaps.passed(
                0,
                2_000,
                LongStream.rangeClosed(1, 1_000).map(i -> 2 * i).boxed().toList(),
                0);
        gaps.passed(
                2_000,
                6_000,
                LongStream.rangeClosed(1_001, 3_000).map(i -> 2 * i).boxed().toList(),
                1);

        assertThat(gaps.below(Long.MAX_VALUE)).hasSize(2_000);
        assertThat(gaps.lowest()).isEqualTo(2_000);
    }

    @Test
    void rowsThatAppearedAreClaimedInAFewRanges() {
        assertThat(Gaps.clusters(List.of(5L, 7L, 20L, 50_000L, 50_001L)))
                .containsExactly(new SeqRange(4, 20), new SeqRange(49_999, 50_001));
    }

    private static Outlook outlook(long begun, long ended) {
        return new Outlook(List.of(), List.of(), begun, ended);
    }
}

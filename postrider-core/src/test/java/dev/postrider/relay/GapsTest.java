package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

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
    void aGapIsGivenUpAfterAMinuteWhereTheStoreCannotTell() {
        gaps.passed(0, 10, List.of(10L), 0);

        gaps.review(59 * SECOND);
        assertThat(gaps.below(Long.MAX_VALUE)).hasSize(1);
        gaps.review(61 * SECOND);
        assertThat(gaps.below(Long.MAX_VALUE)).isEmpty();
    }

    @Test
    @Tag("B1")
    void noGapIsForgottenHoweverManyThereAre() {
        int holes = 10 * Gaps.MOST;
        gaps.passed(
                0,
                2L * holes,
                LongStream.rangeClosed(1, holes).map(i -> 2 * i).boxed().toList(),
                0);

        List<SeqRange> kept = gaps.below(Long.MAX_VALUE);

        assertThat(kept).hasSizeLessThanOrEqualTo(Gaps.MOST);
        for (int hole = 1; hole <= 2 * holes; hole += 2) {
            long seq = hole;
            assertThat(kept).as("hole %d", seq).anyMatch(range -> range.after() < seq && seq <= range.upTo());
        }
    }

    @Test
    void mergedGapsAreAsOldAsTheYoungestOfThem() {
        gaps.passed(0, 10, List.of(10L), 0);
        gaps.passed(
                10,
                10 + 2L * Gaps.MOST,
                LongStream.rangeClosed(1, Gaps.MOST)
                        .map(i -> 10 + 2 * i)
                        .boxed()
                        .toList(),
                30 * SECOND);

        gaps.review(61 * SECOND);

        assertThat(gaps.lowest()).isZero();
    }

    @Test
    @Tag("B1")
    void aMillionHolesTakeNoTime() {
        gaps.passed(
                0,
                3_000_000,
                LongStream.rangeClosed(1, 1_000_000).map(i -> 3 * i).boxed().toList(),
                0);

        assertThat(gaps.below(Long.MAX_VALUE)).hasSizeLessThanOrEqualTo(Gaps.MOST);
    }

    @Test
    void rowsThatAppearedAreClaimedInAFewRanges() {
        assertThat(Gaps.clusters(List.of(5L, 7L, 20L, 50_000L, 50_001L)))
                .containsExactly(new SeqRange(4, 20), new SeqRange(49_999, 50_001));
    }
}

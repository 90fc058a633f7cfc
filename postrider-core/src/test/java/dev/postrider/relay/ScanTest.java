package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.FetchedPage;
import dev.postrider.spi.OwnedShard;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Shards;
import dev.postrider.spi.TopicFilter;
import dev.postrider.spi.TopicName;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ScanTest {

    private static final int BATCH = 10;
    private static final int ALL = Shards.COUNT;
    private static final OutboxMessage MESSAGE =
            OutboxMessage.to("orders", "placed").build();
    private static final TopicName ORDERS = TopicName.of(MESSAGE);

    private final TopicGates gates = new TopicGates(new SplittableRandom(1));
    private final Scan scan = new Scan(BATCH, gates);

    @BeforeEach
    void own() {
        scan.gained(List.of(new OwnedShard(0, 1, 0)));
    }

    @Test
    void asManyMoreRowsAreLookedAtAsThereAreShardsOfOthers() {
        assertThat(rows(ALL)).isEqualTo(BATCH);

        assertThat(rows(1)).isEqualTo(BATCH * Shards.COUNT);
    }

    @Test
    void stepsGrowWhereMostRowsAreSettledAndAreSmallAgainAfterwards() {
        pass(0, 40, 0);
        assertThat(rows(ALL)).isEqualTo(4 * BATCH);
        pass(40, 80, 0);
        assertThat(rows(ALL)).isEqualTo(16 * BATCH);

        pass(80, 90, 10);

        assertThat(rows(ALL)).isEqualTo(BATCH);
    }

    @Test
    void stepsDoNotGrowBecauseOfTheRowsOfOthers() {
        int few = 8;
        int expected = rows(few);

        pass(0, 80, 9);

        assertThat(rows(few)).isEqualTo(expected);
    }

    @Test
    void aRowThatWasPutBackIsReadAgain() {
        pass(0, 10, 10);

        Scan.Part underWay = scan.begin(BATCH, ALL);

        scan.putBack(claimed(4));

        assertThat(scan.wentBackTo(underWay)).isEqualTo(3);
        assertThat(scan.begin(BATCH, ALL).range()).isEqualTo(new SeqRange(3, 4));
        assertThat(scan.isAhead(claimed(4))).isTrue();
        assertThat(scan.isAhead(claimed(3))).isFalse();
        assertThat(scan.lowWater()).isEqualTo(3);
    }

    @Test
    void aRowOfAClosedTopicIsForLaterAndKeepsTheLowWaterDown() {
        pass(0, 10, 10);
        gates.close(ORDERS, 0, Duration.ofSeconds(5), "away");
        scan.closed(ORDERS);

        scan.putBack(claimed(4));

        assertThat(scan.begin(BATCH, ALL).range()).as("the main scan goes on").isEqualTo(SeqRange.above(10));
        assertThat(scan.lowWater()).isEqualTo(3);
    }

    @Test
    void stepsGrowOnlyIfLessThanAQuarterOfABatchIsInABatchOfRows() {
        Scan eight = new Scan(8, gates);
        eight.gained(List.of(new OwnedShard(0, 1, 0)));

        eight.saw(eight.begin(8, ALL), page(40, 2, 40), 0);
        assertThat(eight.begin(8, ALL).rows()).isEqualTo(8);
        eight.saw(eight.begin(8, ALL), page(40, 1, 7), 0);
        assertThat(eight.begin(8, ALL).rows()).isEqualTo(8);
        eight.saw(eight.begin(8, ALL), page(40, 1, 8), 0);

        assertThat(eight.begin(8, ALL).rows()).isEqualTo(4 * 8);
    }

    @Test
    void pageThatReadNothingChangesNoStep() {
        pass(0, 40, 0);

        scan.saw(scan.begin(BATCH, ALL), new FetchedPage(List.of(), 40, false, 0, List.of()), 0);

        assertThat(rows(ALL)).isEqualTo(4 * BATCH);
    }

    @Test
    void openTopicIsPartOfTheMainScanAgainOnceItHasCaughtUp() {
        assertThat(scan.isCatchingUp()).isFalse();
        pass(0, 10, 10);
        gates.close(ORDERS, 0, Duration.ofSeconds(5), "away");
        scan.closed(ORDERS);
        scan.putBack(claimed(4));
        assertThat(scan.reachableTopics()).isEqualTo(TopicFilter.allBut(Set.of(ORDERS)));
        assertThat(scan.catchUp(BATCH, Set.of())).as("still closed").isNull();

        gates.openDue(Duration.ofHours(1).toNanos());
        assertThat(scan.reachableTopics()).isEqualTo(TopicFilter.ALL);
        Scan.Part probe = Objects.requireNonNull(scan.catchUp(BATCH, Set.of()));
        assertThat(probe.range()).isEqualTo(new SeqRange(3, 10));
        assertThat(probe.messages()).isEqualTo(1);
        assertThat(scan.catchUp(BATCH, Set.of(ORDERS))).as("one is on its way").isNull();

        gates.answered(ORDERS);
        assertThat(scan.begin(BATCH, ALL).topics()).isEqualTo(TopicFilter.allBut(Set.of(ORDERS)));
        Scan.Part rest = Objects.requireNonNull(scan.catchUp(BATCH, Set.of()));
        assertThat(rest.messages()).isEqualTo(BATCH);
        scan.advance(rest, 10);
        assertThat(scan.catchUp(BATCH, Set.of())).isNull();
        assertThat(scan.isCatchingUp()).isTrue();

        assertThat(scan.begin(BATCH, ALL).topics()).isEqualTo(TopicFilter.ALL);
        assertThat(scan.isCatchingUp()).isFalse();
    }

    @Test
    void rowsThatTheAuditFindsAreScannedNext() {
        pass(0, 10, 10);
        Scan.Part step = scan.audit(0, ALL).orElseThrow();
        assertThat(step.range()).isEqualTo(new SeqRange(0, 10));

        scan.audited(step, new FetchedPage(Turn.rows(List.of(claimed(4))), 9, false, 10, List.of()), 0);

        assertThat(scan.begin(BATCH, ALL).range()).isEqualTo(new SeqRange(3, 4));
        assertThat(scan.audit(Duration.ofSeconds(1).toNanos(), ALL))
                .as("its lap is over")
                .isEmpty();
    }

    @Test
    void closedTopicReadsWhatTheMainScanLeavesOut() {
        pass(0, 10, 10);
        gates.close(ORDERS, 0, Duration.ofSeconds(5), "away");
        scan.closed(ORDERS);

        scan.saw(scan.main(new SeqRange(2, 5), BATCH, ALL), new FetchedPage(List.of(), 5, false, 3, List.of()), 0);

        assertThat(scan.lowWater()).isEqualTo(2);
    }

    @Test
    void closedTopicReadsAgainWhatWasPutBackForAnother() {
        pass(0, 10, 10);
        scan.closed(new TopicName("default", "bills"));

        scan.putBack(claimed(4));
        scan.advance(scan.begin(BATCH, ALL), 4);

        assertThat(scan.begin(BATCH, ALL).range()).isEqualTo(SeqRange.above(10));
        assertThat(scan.lowWater()).isEqualTo(3);
    }

    @Test
    void endOfARangeWithoutRowsIsAHole() {
        pass(0, 10, 10);
        scan.saw(scan.main(new SeqRange(2, 8), BATCH, ALL), new FetchedPage(List.of(), 5, false, 3, List.of()), 0);

        assertThat(scan.hasHoles()).isTrue();
        assertThat(scan.holes(0, 0)).containsExactly(new SeqRange(5, 8));
    }

    @Test
    void holesAreScannedAgainAfterTheWritersWereRead() {
        passWithHole();

        assertThat(scan.review(Set.of(), 0)).containsExactly(new SeqRange(3, 5));
        scan.reviewed();

        assertThat(scan.hasHoles()).isFalse();
    }

    @Test
    void holeThatIsGivenUpIsLookedAtByClosedTopicsAndTheAudit() {
        passWithHole();
        scan.closed(ORDERS);
        scan.audited(scan.audit(0, ALL).orElseThrow(), new FetchedPage(List.of(), 10, false, 8, List.of()), 0);
        long later = Duration.ofSeconds(61).toNanos();

        assertThat(scan.holes(10, later)).isEmpty();

        assertThat(scan.lowWater()).as("of the closed topic").isEqualTo(3);
        assertThat(scan.audit(later, ALL)).as("a lap after a short pause").isPresent();
    }

    @Test
    void rangesThatWereReadForLateRowsKeepTheLowWaterDownUntilTheirRowsAreHandedOn() {
        pass(0, 10, 10);
        scan.readLate(List.of(new SeqRange(3, 5)));
        assertThat(scan.lowWater()).isEqualTo(3);

        scan.acceptedLate();

        assertThat(scan.lowWater()).isEqualTo(10);
    }

    @Test
    void rangesThatWereReadForLateRowsAreReadAgainOnceIfTheTurnFails() {
        pass(0, 10, 10);
        scan.readLate(List.of(new SeqRange(3, 5)));

        Scan.Part again = scan.begin(BATCH, ALL);
        assertThat(again.range()).isEqualTo(new SeqRange(3, 5));
        scan.advance(again, 5);

        assertThat(scan.begin(BATCH, ALL).range()).isEqualTo(SeqRange.above(10));
    }

    @Test
    void scanUnderWayStopsWhereAShardThatIsGainedBegins() {
        pass(0, 10, 10);
        Scan.Part underWay = scan.begin(BATCH, ALL);

        scan.gained(List.of(new OwnedShard(1, 1, 2)));

        assertThat(scan.wentBackTo(underWay)).isEqualTo(2);
    }

    private void passWithHole() {
        Scan.Part part = scan.begin(BATCH, ALL);
        scan.saw(part, new FetchedPage(List.of(), 10, true, 8, List.of(new SeqRange(3, 5))), 0);
        scan.advance(part, 10);
    }

    private int rows(int shards) {
        return scan.begin(BATCH, shards).rows();
    }

    private void pass(long after, long upTo, int messages) {
        Scan.Part part = scan.begin(BATCH, ALL);
        assertThat(part.range().after()).isEqualTo(after);
        scan.saw(part, page(upTo, messages, (int) (upTo - after)), 0);
        scan.advance(part, upTo);
    }

    private static FetchedPage page(long upTo, int messages, int seen) {
        List<ClaimedMessage> claimed = LongStream.rangeClosed(upTo - messages + 1, upTo)
                .mapToObj(ScanTest::claimed)
                .toList();
        return new FetchedPage(Turn.rows(claimed), upTo, true, seen, List.of());
    }

    private static ClaimedMessage claimed(long seq) {
        return Turn.claimed(seq, MESSAGE);
    }
}

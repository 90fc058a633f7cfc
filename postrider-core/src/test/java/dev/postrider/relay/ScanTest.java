package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.FetchedPage;
import dev.postrider.spi.OwnedShard;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Shards;
import dev.postrider.spi.TopicName;
import java.time.Duration;
import java.util.List;
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

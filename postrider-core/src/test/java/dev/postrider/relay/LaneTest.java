package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.spi.SeqRange;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LaneTest {

    private static final Lane.Key KEY = new Lane.Key("shop", "orders", "42");

    private final Lane lane = new Lane(KEY);

    @Test
    void keysAreEqualIfNamespaceTopicAndKeyAre() {
        assertThat(KEY).isEqualTo(new Lane.Key("shop", "orders", "42")).hasSameHashCodeAs(copy());
        assertThat(KEY)
                .isNotEqualTo(new Lane.Key("shop", "orders", "43"))
                .isNotEqualTo(new Lane.Key("shop", "refunds", "42"))
                .isNotEqualTo(new Lane.Key("store", "orders", "42"))
                .isNotEqualTo("42");
    }

    private static Lane.Key copy() {
        return new Lane.Key("shop", "orders", "42");
    }

    @Test
    void keysThatDifferInOnePartSpreadOverTheirHashes() {
        assertThat(IntStream.range(0, 1_000)
                        .map(i -> new Lane.Key("shop", "orders", "key-" + i).hashCode())
                        .distinct())
                .hasSize(1_000);
        assertThat(IntStream.range(0, 1_000)
                        .map(i -> new Lane.Key("shop", "topic-" + i, "42").hashCode())
                        .distinct())
                .hasSize(1_000);
        assertThat(IntStream.range(0, 1_000)
                        .map(i -> new Lane.Key("shop-" + i, "orders", "42").hashCode())
                        .distinct())
                .hasSize(1_000);
    }

    @Test
    void laneIsHeldByItsHolderOnly() {
        assertThat(lane.isHeldBy(7)).isFalse();

        lane.holder = 7L;

        assertThat(lane.isHeldBy(7)).isTrue();
        assertThat(lane.isHeldBy(8)).isFalse();
    }

    @Test
    void laterMessagesThanTheFirstStalledOneWait() {
        assertThat(lane.isStalledFor(7)).isFalse();

        lane.stalled.add(9L);
        lane.stalled.add(7L);

        assertThat(lane.isStalledFor(6)).isFalse();
        assertThat(lane.isStalledFor(7)).as("itself").isFalse();
        assertThat(lane.isStalledFor(8)).isTrue();
    }

    @Test
    void missedRowsAreOneRangeThatIsTakenOnce() {
        assertThat(lane.takeMissed()).isEmpty();
        lane.miss(7);
        lane.miss(5);
        lane.miss(6);

        assertThat(lane.takeMissed()).contains(new SeqRange(4, 7));

        assertThat(lane.takeMissed()).isEmpty();
        lane.miss(9);
        assertThat(lane.takeMissed()).contains(new SeqRange(8, 9));
    }
}

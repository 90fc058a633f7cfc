package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.spi.OwnedShard;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OwnershipTest {

    private final Ownership ownership = new Ownership();

    @Test
    void sendingEndsWhenTheOwnershipEnds() {
        assertThat(ownership.maySend(0)).as("the store was never asked").isFalse();

        ownership.renewed(List.of(), 100);

        assertThat(ownership.maySend(99)).isTrue();
        assertThat(ownership.maySend(100)).isFalse();
    }

    @Test
    void shorterOwnershipCountsFromTheQuestionOn() {
        ownership.renewed(List.of(), 100);

        ownership.renewing(200);
        assertThat(ownership.maySend(100)).isFalse();
        ownership.renewing(50);

        assertThat(ownership.maySend(49)).isTrue();
        assertThat(ownership.maySend(50)).isFalse();
    }

    @Test
    void shardsThatAreGoneOrHaveAnotherEpochAreLost() {
        ownership.add(List.of(shard(1, 1), shard(2, 1), shard(3, 1)));

        Set<Integer> lost = ownership.renewed(List.of(shard(1, 1), shard(2, 2)), 100);

        assertThat(lost).containsExactlyInAnyOrder(2, 3);
        assertThat(ownership.shards()).containsExactly(1);
    }

    @Test
    void onlyShardsUnderTheirEpochThatStayAreClaimable() {
        ownership.add(List.of(shard(1, 7), shard(2, 8)));
        ownership.handOver(Set.of(2));

        assertThat(ownership.isClaimable(1, 7)).isTrue();
        assertThat(ownership.isClaimable(1, 6)).as("another epoch").isFalse();
        assertThat(ownership.isClaimable(2, 8)).as("handed over").isFalse();
        assertThat(ownership.isClaimable(3, 7)).as("of another relay").isFalse();
        assertThat(ownership.epochs()).isEqualTo(Map.of(1, 7L));
        assertThat(ownership.claimable()).containsExactly(1);
        assertThat(ownership.owned(ownership.handingOver())).containsExactly(shard(2, 8));
    }

    @Test
    void shardThatIsGainedAgainIsNotHandedOver() {
        ownership.add(List.of(shard(1, 7)));
        ownership.handOver(Set.of(1));

        ownership.add(List.of(shard(1, 8)));

        assertThat(ownership.handingOver()).isEmpty();
        assertThat(ownership.isClaimable(1, 8)).isTrue();
    }

    private static OwnedShard shard(int shard, long epoch) {
        return new OwnedShard(shard, epoch, 0);
    }
}

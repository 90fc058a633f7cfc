package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.spi.Membership;
import dev.postrider.spi.OwnedShard;
import dev.postrider.spi.Shards;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A shard has one owner at a time, and every owner its own epoch. */
@Tag("B1")
interface OwnershipContract extends StoreSteps {

    @Test
    default void aNewRelaySeesEveryShardFree() {
        Membership membership = store().renew("a", LONG);

        assertThat(membership.relays()).containsExactly("a");
        assertThat(membership.owned()).isEmpty();
        assertThat(membership.free()).containsExactlyInAnyOrderElementsOf(ALL_SHARDS);
    }

    @Test
    default void acquiredShardsAreOwnedAndNoLongerFree() {
        store().renew("a", LONG);

        List<OwnedShard> taken = acquire("a", Set.of(3, 5));

        Membership membership = store().renew("a", LONG);
        assertThat(taken).extracting(OwnedShard::shard).containsExactlyInAnyOrder(3, 5);
        assertThat(membership.owned()).containsExactlyInAnyOrderElementsOf(taken);
        assertThat(membership.free()).hasSize(Shards.COUNT - 2).doesNotContain(3, 5);
    }

    @Test
    default void relaysAreNamedInTheOrderInWhichTheyJoined() {
        store().renew("z", LONG);
        store().renew("m", LONG);
        store().renew("a", LONG);

        store().renew("z", LONG);

        assertThat(store().renew("m", LONG).relays()).containsExactly("z", "m", "a");
    }

    @Test
    default void theShardOfALiveOwnerIsNeverTaken() {
        join("a");
        store().renew("b", LONG);

        assertThat(acquire("b", ALL_SHARDS)).isEmpty();
        assertThat(store().renew("b", LONG).free()).isEmpty();
        assertThat(store().renew("a", LONG).owned()).hasSize(Shards.COUNT);
    }

    @Test
    default void acquiringAnOwnedShardAgainKeepsItsEpoch() {
        List<OwnedShard> owned = join("a");

        assertThat(acquire("a", ALL_SHARDS)).isEmpty();
        assertThat(store().renew("a", LONG).owned()).containsExactlyInAnyOrderElementsOf(owned);
    }

    @Test
    default void aRelayThatNeverJoinedAcquiresNothing() {
        assertThat(acquire("ghost", ALL_SHARDS)).isEmpty();
    }

    @Test
    default void theShardsOfAnExpiredRelayAreFreeAndTakeOverRaisesTheirEpochs() {
        store().renew("a", LONG);
        List<OwnedShard> before = acquire("a", Set.of(7));
        store().renew("a", SHORT);
        store().renew("b", LONG);

        List<OwnedShard> after = await(() -> acquire("b", Set.of(7)));

        assertThat(after).singleElement().satisfies(shard -> {
            assertThat(shard.shard()).isEqualTo(7);
            assertThat(shard.epoch()).isGreaterThan(before.get(0).epoch());
        });
        assertThat(store().renew("b", LONG).relays()).containsExactly("b");
    }

    @Test
    default void aRelayThatWasTakenOverJoinsAnewWithoutShards() {
        join("a", Set.of(7, 8));
        takeOver("a", "b", Set.of(7));

        Membership membership = store().renew("a", LONG);

        assertThat(membership.relays()).containsExactly("b", "a");
        assertThat(membership.owned()).isEmpty();
        assertThat(membership.free()).contains(8).doesNotContain(7);
    }

    @Test
    default void aRelayThatExpiredButWasNotTakenOverKeepsItsShards() {
        List<OwnedShard> owned = join("a");
        store().renew("a", SHORT);
        advance(SHORT.multipliedBy(2));

        assertThat(store().renew("a", LONG).owned()).containsExactlyInAnyOrderElementsOf(owned);
    }

    @Test
    default void anExpiredRelayAcquiresNothing() {
        store().renew("a", SHORT);

        awaitDeath("a", "b");

        assertThat(acquire("a", ALL_SHARDS)).isEmpty();
    }

    @Test
    default void renewingKeepsARelayAlive() {
        store().renew("a", LONG);
        acquire("a", Set.of(7));
        store().renew("a", SHORT);
        store().renew("a", LONG);
        store().renew("b", LONG);

        advance(SHORT.multipliedBy(2));

        assertThat(acquire("b", Set.of(7))).isEmpty();
    }

    @Test
    default void leavingFreesEveryShardAtOnce() {
        List<OwnedShard> before = join("a");
        store().renew("b", LONG);

        store().leave("a");

        Membership membership = store().renew("b", LONG);
        assertThat(membership.relays()).containsExactly("b");
        assertThat(membership.free()).hasSize(Shards.COUNT);
        assertThat(acquire("b", ALL_SHARDS))
                .hasSize(Shards.COUNT)
                .allSatisfy(shard -> assertThat(shard.epoch()).isGreaterThan(epochOf(before, shard.shard())));
    }

    @Test
    default void aReleasedShardIsFreeAndTheOthersAreKept() {
        List<OwnedShard> owned = join("a");
        OwnedShard given = owned.get(0);
        store().renew("b", LONG);

        store().release("a", List.of(given));

        assertThat(store().renew("b", LONG).free()).containsExactly(given.shard());
        assertThat(store().renew("a", LONG).owned()).hasSize(Shards.COUNT - 1).doesNotContain(given);
    }

    @Test
    default void aShardOfAnotherOwnerOrEpochIsNotReleased() {
        List<OwnedShard> old = join("a");
        handOver("a", "b");
        List<OwnedShard> current = store().renew("b", LONG).owned();

        store().release("a", current);
        store().release("b", old);

        assertThat(store().renew("b", LONG).owned()).containsExactlyInAnyOrderElementsOf(current);
    }

    @Test
    default void theLowWaterIsKeptForTheNextOwner() {
        store().renew("a", LONG);
        acquire("a", Set.of(1, 2));
        store().renew("b", LONG);
        acquire("b", Set.of(3));

        store().saveLowWater("a", 4711);

        assertThat(store().renew("a", LONG).owned())
                .extracting(OwnedShard::lowWater)
                .containsOnly(4711L);
        assertThat(store().renew("b", LONG).owned())
                .extracting(OwnedShard::lowWater)
                .containsOnly(0L);
        store().leave("a");
        assertThat(acquire("b", Set.of(1)))
                .singleElement()
                .extracting(OwnedShard::lowWater)
                .isEqualTo(4711L);
    }

    @Test
    @Tag("R0.4")
    default void racingRelaysNeverOwnTheSameShard() throws Exception {
        List<String> relays = List.of("a", "b", "c", "d");
        relays.forEach(relay -> store().renew(relay, LONG));
        CyclicBarrier start = new CyclicBarrier(relays.size());
        ExecutorService executor = Executors.newFixedThreadPool(relays.size());
        try {
            List<Future<List<OwnedShard>>> races = new ArrayList<>();
            for (String relay : relays) {
                races.add(executor.submit(() -> {
                    start.await();
                    return acquire(relay, ALL_SHARDS);
                }));
            }

            List<Integer> taken = new ArrayList<>();
            for (Future<List<OwnedShard>> race : races) {
                race.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).forEach(shard -> taken.add(shard.shard()));
            }
            acquire("a", ALL_SHARDS).forEach(shard -> taken.add(shard.shard()));
            assertThat(taken).containsExactlyInAnyOrderElementsOf(ALL_SHARDS);
        } finally {
            executor.shutdownNow();
        }
    }

    private static long epochOf(List<OwnedShard> shards, int number) {
        return shards.stream()
                .filter(shard -> shard.shard() == number)
                .findFirst()
                .orElseThrow()
                .epoch();
    }
}

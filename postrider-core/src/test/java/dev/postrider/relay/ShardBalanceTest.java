package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.spi.Acquired;
import dev.postrider.spi.Membership;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.OwnedShard;
import dev.postrider.spi.RelayReport;
import dev.postrider.spi.Shards;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How many shards a relay takes, hands over and reports, with a store that does as it is told. */
@Tag("B1")
class ShardBalanceTest {

    private static final String ME = "me";

    private final List<String> heard = new ArrayList<>();
    private final List<String> called = new ArrayList<>();
    private List<String> relays = List.of(ME);
    private final Set<Integer> free = new TreeSet<>(shards(0, Shards.COUNT));
    private final TreeMap<Integer, OwnedShard> owned = new TreeMap<>();
    private int lostClaims;
    private int activeRelays = Integer.MAX_VALUE;
    private boolean acquireFails;
    private long nanos = -Duration.ofDays(1).toNanos();

    @Test
    void relayOnItsOwnTakesAllShardsAndTellsHowManyClaimsWereLost() {
        lostClaims = 7;

        keeper().turn();

        assertThat(owned).hasSize(Shards.COUNT);
        assertThat(heard).containsExactly("acquired " + shards(0, Shards.COUNT), "recovered 7");
    }

    @Test
    void sharesDifferByOneAtMostAndTheFirstRelaysHaveMore() {
        relays = List.of("a", ME, "b");
        keeper().turn();
        assertThat(owned.keySet()).isEqualTo(shards(0, 21));

        giveBack();
        relays = List.of(ME, "a", "b");
        keeper().turn();

        assertThat(owned.keySet()).isEqualTo(shards(0, 22));
        assertThat(heard).doesNotContain("recovered 0");
    }

    @Test
    void relayWithItsShareNeitherTakesNorHandsOver() {
        relays = List.of(ME, "a");
        Keeping keeping = keeping();
        keeping.keeper.turn();
        called.clear();
        heard.clear();

        keeping.keeper.turn();
        keeping.state.accept(Turn.begin(keeping.state), 100, List.of(), row -> true);

        assertThat(called).containsExactly("renew");
        assertThat(heard).isEmpty();
        assertThat(keeping.state.lowWater()).isEqualTo(100);
    }

    @Test
    void relayDoesNotAskForShardsIfNoneIsFree() {
        free.clear();

        keeper().turn();

        assertThat(called).containsExactly("renew");
    }

    @Test
    void relayBeyondTheActiveOnesAndOneThatIsNotListedStandBy() {
        activeRelays = 1;
        relays = List.of("a", ME);
        keeper().turn();
        relays = List.of("a");
        activeRelays = 2;
        keeper().turn();

        assertThat(called).containsExactly("renew", "renew");
    }

    @Test
    void surplusIsReleasedWithTheLowWaterMarkAndReported() {
        ShardKeeper keeper = keeper();
        keeper.turn();
        relays = List.of(ME, "a");
        keeper.turn();
        called.clear();
        heard.clear();

        keeper.turn();

        assertThat(called).containsExactly("renew", "low 0", "release " + shards(32, 64));
        assertThat(heard).containsExactly("lost " + shards(32, 64));
        assertThat(owned.keySet()).isEqualTo(shards(0, 32));
    }

    @Test
    void shardsThatTheStoreNamesAreGainedAndOthersAreLost() {
        relays = List.of(ME, "a");
        Keeping keeping = keeping();
        keeping.keeper.turn();
        heard.clear();
        owned.remove(3);
        owned.put(40, new OwnedShard(40, 9, 0));

        keeping.keeper.turn();

        assertThat(heard).containsExactly("lost [3]", "acquired [40]");
        assertThat(keeping.state.shards()).contains(40).doesNotContain(3);
    }

    @Test
    void lowWaterMarkIsSavedEveryFiveSeconds() {
        ShardKeeper keeper = keeper();
        keeper.turn();
        pass(Duration.ofSeconds(5).minusNanos(1));
        keeper.turn();
        assertThat(called).doesNotContain("low 0");
        pass(Duration.ofNanos(1));
        keeper.turn();
        assertThat(called).endsWith("low 0");
        called.clear();

        pass(Duration.ofSeconds(5).minusNanos(1));
        keeper.turn();
        assertThat(called).containsExactly("renew");
        pass(Duration.ofNanos(1));
        keeper.turn();

        assertThat(called).containsExactly("renew", "renew", "low 0");
    }

    @Test
    void relayWithoutShardsSavesNoLowWaterMark() {
        free.clear();
        ShardKeeper keeper = keeper();
        pass(Duration.ofMinutes(1));
        keeper.turn();

        keeper.leave();

        assertThat(called).containsExactly("renew", "leave");
    }

    @Test
    void relayThatLeavesSavesItsLowWaterMarkFirst() {
        ShardKeeper keeper = keeper();
        keeper.turn();
        called.clear();

        keeper.leave();

        assertThat(called).containsExactly("low 0", "leave");
    }

    @Test
    void relaySavesNoLowWaterMarkWhileShardsMayBeItsThatItHasNotHeardOf() {
        relays = List.of(ME, "a");
        ShardKeeper keeper = keeper();
        keeper.turn();
        relays = List.of(ME);
        acquireFails = true;
        assertThatThrownBy(keeper::turn).hasMessage("no answer");
        called.clear();

        keeper.leave();
        assertThat(called).containsExactly("leave");
        acquireFails = false;
        keeper.turn();
        called.clear();
        keeper.leave();

        assertThat(called).containsExactly("low 0", "leave");
    }

    private record Keeping(ShardKeeper keeper, RelayState state) {}

    private ShardKeeper keeper() {
        return keeping().keeper;
    }

    private Keeping keeping() {
        OutboxStore store = store();
        RelayBuilder builder = Relay.builder(store, (wave, answers) -> {})
                .activeRelays(activeRelays)
                .listener(new RelayListener() {
                    @Override
                    public void shardsAcquired(Set<Integer> shards) {
                        heard.add("acquired " + new TreeSet<>(shards));
                    }

                    @Override
                    public void shardsLost(Set<Integer> shards) {
                        heard.add("lost " + new TreeSet<>(shards));
                    }

                    @Override
                    public void claimsRecovered(int messages) {
                        heard.add("recovered " + messages);
                    }
                });
        builder.name = ME;
        builder.nanoTime = () -> nanos;
        RelayConfig config = new RelayConfig(builder);
        RelayState state = new RelayState(config);
        return new Keeping(new ShardKeeper(store, state, config, () -> RelayReport.of(ME)), state);
    }

    private OutboxStore store() {
        return (OutboxStore) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {OutboxStore.class}, (proxy, method, args) -> {
                    assertThat(args[0]).isEqualTo(method.getName().equals("renew") ? RelayReport.of(ME) : ME);
                    return switch (method.getName()) {
                        case "renew" -> {
                            called.add("renew");
                            yield new Membership(relays, List.copyOf(owned.values()), Set.copyOf(free));
                        }
                        case "acquire" -> acquire((Set<?>) args[1]);
                        case "release" -> {
                            Set<Integer> released = ((Collection<?>) args[1])
                                    .stream()
                                            .map(each -> ((OwnedShard) each).shard())
                                            .collect(Collectors.toCollection(TreeSet::new));
                            called.add("release " + released);
                            owned.keySet().removeAll(released);
                            yield null;
                        }
                        case "saveLowWater" -> {
                            called.add("low " + args[1]);
                            yield null;
                        }
                        case "leave" -> {
                            called.add("leave");
                            yield null;
                        }
                        default -> throw new AssertionError(method);
                    };
                });
    }

    private Acquired acquire(Set<?> wanted) {
        called.add("acquire");
        if (acquireFails) {
            throw new IllegalStateException("no answer");
        }
        List<OwnedShard> got = wanted.stream()
                .map(each -> new OwnedShard((Integer) each, 1, 0))
                .toList();
        got.forEach(each -> {
            owned.put(each.shard(), each);
            free.remove(each.shard());
        });
        return new Acquired(got, lostClaims);
    }

    private void giveBack() {
        free.addAll(owned.keySet());
        owned.clear();
    }

    private void pass(Duration time) {
        nanos += time.toNanos();
    }

    private static Set<Integer> shards(int from, int to) {
        return IntStream.range(from, to).boxed().collect(Collectors.toCollection(TreeSet::new));
    }
}

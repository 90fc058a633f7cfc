package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.ClaimSize;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.FetchedRow;
import dev.postrider.spi.Membership;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.OwnedShard;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.RelayReport;
import dev.postrider.spi.Settlement;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R0.4")
class HandOverTest {

    private static final ClaimSize ROOM = new ClaimSize(10, 1_000);
    private static final List<OwnedShard> ALL = IntStream.range(0, 64)
            .mapToObj(shard -> new OwnedShard(shard, 1, 0))
            .toList();

    private final RelayConfig config = config();
    private final RelayState state = new RelayState(config);
    private final ShardKeeper keeper = new ShardKeeper(store(), state, config, () -> RelayReport.of("first"));
    private List<String> relays = List.of("first");
    private long nanos = 1_000;

    @Test
    void aShardWhoseOutcomesCannotBeWrittenIsHandedOver() {
        keeper.turn();
        ClaimedMessage acked = send();
        state.answered(acked, PublishResult.acked());
        List<Settlement> locked = state.takeOutcomes(10);
        state.refused(locked);
        relays = List.of("first", "second");

        turnsFor(Duration.ofSeconds(3));

        assertThat(locked).hasSize(1);
        assertThat(state.shards()).hasSize(32).doesNotContain(63);
    }

    @Test
    void aShardWithAMessageAtTheBrokerIsKeptButNotReadUntilItsAnswer() {
        keeper.turn();
        ClaimedMessage sent = send();
        relays = List.of("first", "second");

        turnsFor(Duration.ofSeconds(3));

        assertThat(sent.shard()).isEqualTo(63);
        assertThat(claimable()).doesNotContain(63);
        assertThat(state.shards()).contains(63);
    }

    private ClaimedMessage send() {
        OutboxMessage message =
                OutboxMessage.to("orders", "placed").payload("{}").build();
        ClaimedMessage claimed = new ClaimedMessage(1, 7, "first", 63, 1, 1, false, 0, false, null, message);
        state.accept(Objects.requireNonNull(state.begin(ROOM)), 1, List.of(new FetchedRow(claimed, null)), row -> true);
        return state.takeReady().get(0);
    }

    private void turnsFor(Duration time) {
        long end = nanos + time.toNanos();
        while (nanos < end) {
            nanos += Duration.ofMillis(200).toNanos();
            keeper.turn();
        }
    }

    private Set<Integer> claimable() {
        Scan.Part part = Objects.requireNonNull(state.begin(ROOM));
        return Objects.requireNonNull(state.request(part, ROOM, Set.of())).shards();
    }

    private RelayConfig config() {
        RelayBuilder builder = UnusedStore.relay();
        builder.name = "first";
        builder.nanoTime = () -> nanos;
        return new RelayConfig(builder);
    }

    // The relay owns everything at first, and then what it has not given up.
    private OutboxStore store() {
        return (OutboxStore) Proxy.newProxyInstance(
                HandOverTest.class.getClassLoader(),
                new Class<?>[] {OutboxStore.class},
                (proxy, method, args) -> switch (method.getName()) {
                    case "renew" -> new Membership(relays, owned(), Set.of());
                    case "release", "saveLowWater" -> null;
                    default -> throw new AssertionError(method);
                });
    }

    private List<OwnedShard> owned() {
        Set<Integer> mine = state.shards();
        return mine.isEmpty()
                ? ALL
                : ALL.stream().filter(shard -> mine.contains(shard.shard())).toList();
    }
}

package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.spi.Membership;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.RelayReport;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How long a relay owns its shards. */
@Tag("B1")
class ShardKeeperTest {

    private final List<Duration> owned = new ArrayList<>();
    private Duration latency = Duration.ZERO;
    private long nanos;
    private final ShardKeeper keeper = keeper();

    @Test
    void nearTheDatabaseTheOwnershipTimeIsTheConfiguredOne() {
        latency = Duration.ofMillis(100);

        keeper.turn();
        keeper.turn();

        assertThat(owned).containsExactly(Duration.ofSeconds(2), Duration.ofSeconds(2));
    }

    @Test
    void farFromTheDatabaseItOutlastsTheHeartbeat() {
        latency = Duration.ofSeconds(3);

        keeper.turn();
        keeper.turn();

        assertThat(owned).containsExactly(Duration.ofSeconds(2), Duration.ofSeconds(12));
    }

    @Test
    void itIsBoundedAndComesBackWithTheNetwork() {
        latency = Duration.ofMinutes(10);
        keeper.turn();
        latency = Duration.ZERO;
        keeper.turn();
        keeper.turn();

        assertThat(owned).containsExactly(Duration.ofSeconds(2), Duration.ofMinutes(1), Duration.ofSeconds(2));
    }

    private ShardKeeper keeper() {
        OutboxStore store = (OutboxStore) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {OutboxStore.class}, (proxy, method, args) -> {
                    if (!method.getName().equals("renew")) {
                        throw new AssertionError(method);
                    }
                    owned.add((Duration) args[1]);
                    nanos += latency.toNanos();
                    return new Membership(List.of(), List.of(), Set.of());
                });
        RelayBuilder builder = Relay.builder(store, (wave, answers) -> {}).ownFor(Duration.ofSeconds(2));
        builder.nanoTime = () -> nanos;
        RelayConfig config = new RelayConfig(builder);
        return new ShardKeeper(store, new RelayState(config), config, () -> RelayReport.of("relay"));
    }
}

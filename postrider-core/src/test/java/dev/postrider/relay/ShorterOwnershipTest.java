package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.spi.Membership;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.OwnedShard;
import dev.postrider.spi.RelayReport;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("B1")
class ShorterOwnershipTest {

    private static final Duration OWN_FOR = Duration.ofSeconds(10);
    private static final List<OwnedShard> OWNED = List.of(new OwnedShard(0, 1, 0));

    private final RelayConfig config = config();
    private final RelayState state = new RelayState(config);
    private final ShardKeeper keeper = new ShardKeeper(store(), state, config, () -> RelayReport.of("relay"));
    private long nanos = 1_000;
    private Duration heartbeat = Duration.ofSeconds(5);
    private boolean mayClaimAtEnd;

    @Test
    void nothingIsSentOnALongerOwnershipWhileAShorterOneIsAskedFor() {
        keeper.turn();
        heartbeat = Duration.ZERO;
        keeper.turn();
        // The last turn was quick, so the next one asks for ten seconds, and its answer takes longer.
        heartbeat = OWN_FOR.plusSeconds(1);

        keeper.turn();

        assertThat(mayClaimAtEnd).isFalse();
    }

    private RelayConfig config() {
        RelayBuilder builder = UnusedStore.relay().ownFor(OWN_FOR);
        builder.name = "relay";
        builder.nanoTime = () -> nanos;
        return new RelayConfig(builder);
    }

    private OutboxStore store() {
        return (OutboxStore) Proxy.newProxyInstance(
                ShorterOwnershipTest.class.getClassLoader(),
                new Class<?>[] {OutboxStore.class},
                (proxy, method, args) -> switch (method.getName()) {
                    case "renew" -> renew();
                    case "saveLowWater" -> null;
                    default -> throw new AssertionError(method);
                });
    }

    private Membership renew() {
        nanos += heartbeat.toNanos();
        mayClaimAtEnd = state.mayClaim();
        return new Membership(List.of("relay"), OWNED, Set.of());
    }
}

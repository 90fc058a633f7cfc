package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.OwnedShard;
import dev.postrider.spi.Unblocked;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** In which steps a relay looks for messages that wait behind nothing. */
@Tag("B1")
class HousekeepingTest {

    private static final long ROWS = 10_000;

    private final List<Long> steps = new ArrayList<>();
    private long nanos;
    private final RelayConfig config = config();
    private final RelayState state = new RelayState(config);
    private final Housekeeping housekeeping = new Housekeeping(store(), state, config);

    @Test
    void withoutShardsThereIsNothingToDo() {
        housekeeping.turn();

        assertThat(steps).isEmpty();
    }

    @Test
    void oneTurnTakesOneStepAndTheNextGoesOnSoon() {
        own(1);

        long pause = housekeeping.turn();
        housekeeping.turn();

        assertThat(steps).containsExactly(0L, 1_000L);
        assertThat(pause).isEqualTo(Housekeeping.STEP_EVERY);
    }

    @Test
    void theNextLapBeginsLater() {
        own(1);
        for (int turn = 0; turn < 20; turn++) {
            housekeeping.turn();
        }
        assertThat(steps).hasSize(10);

        nanos += Duration.ofSeconds(31).toNanos();
        housekeeping.turn();

        assertThat(steps).hasSize(11).endsWith(0L);
    }

    @Test
    void aShardThatIsGainedBeginsANewLap() {
        own(1);
        housekeeping.turn();
        housekeeping.turn();

        own(2);
        housekeeping.turn();

        assertThat(steps).containsExactly(0L, 1_000L, 0L);
    }

    private void own(int shard) {
        state.gained(List.of(new OwnedShard(shard, 1, 0)));
    }

    private RelayConfig config() {
        RelayBuilder builder = Relay.builder(store(), (wave, answers) -> {});
        builder.nanoTime = () -> nanos;
        return new RelayConfig(builder);
    }

    private OutboxStore store() {
        return (OutboxStore) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {OutboxStore.class}, (proxy, method, args) -> {
                    if (!method.getName().equals("unblock")) {
                        throw new AssertionError(method);
                    }
                    long after = (Long) args[1];
                    steps.add(after);
                    return new Unblocked(0, after + 1_000 < ROWS ? after + 1_000 : 0);
                });
    }
}

package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.ClosedGate;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.OwnedShard;
import dev.postrider.spi.PublishResult;
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
    private static final long TURN_EVERY = Duration.ofSeconds(1).toNanos();

    private final List<Long> steps = new ArrayList<>();
    private final List<List<?>> saved = new ArrayList<>();
    private long nanos;
    private final RelayConfig config = config();
    private final RelayState state = new RelayState(config);
    private final Housekeeping housekeeping = new Housekeeping(store(), state, config);

    @Test
    void withoutShardsThereIsNothingToDo() {
        long pause = housekeeping.turn();

        assertThat(steps).isEmpty();
        assertThat(pause).isEqualTo(TURN_EVERY);
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
            assertThat(housekeeping.turn()).isEqualTo(turn < 9 ? Housekeeping.STEP_EVERY : TURN_EVERY);
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

    @Test
    void closedGatesAreSavedWhenTheyChange() {
        housekeeping.turn();
        assertThat(saved).isEmpty();
        Turn.own(state, nanos);
        OutboxMessage message = OutboxMessage.to("orders", "Placed").build();
        Turn.accept(state, Turn.claimed(1, message), Turn.claimed(2, message));
        List<ClaimedMessage> sent = state.takeReady();

        state.answered(sent.get(0), PublishResult.unavailable("away"));
        housekeeping.turn();
        housekeeping.turn();
        state.answered(sent.get(1), PublishResult.unavailable("forbidden"));
        housekeeping.turn();

        assertThat(saved)
                .extracting(gates -> (ClosedGate) gates.get(0))
                .extracting(ClosedGate::error)
                .containsExactly("away", "forbidden");
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
                    if (method.getName().equals("saveGates")) {
                        assertThat(args[0]).isEqualTo(config.relay);
                        saved.add((List<?>) args[1]);
                        return null;
                    }
                    if (!method.getName().equals("unblock")) {
                        throw new AssertionError(method);
                    }
                    long after = (Long) args[1];
                    steps.add(after);
                    return new Unblocked(0, after + 1_000 < ROWS ? after + 1_000 : 0);
                });
    }
}

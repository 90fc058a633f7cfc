package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.spi.ClaimSize;
import dev.postrider.spi.OwnedShard;
import dev.postrider.spi.RelayMode;
import dev.postrider.spi.TopicName;
import dev.postrider.spi.Wanted;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The process and the operators each hold a relay back on their own. */
class BrakesTest {

    private static final ClaimSize ROOM = new ClaimSize(10, 1_000);
    private static final TopicName ORDERS = new TopicName("default", "orders");
    private static final Wanted PAUSE = new Wanted(RelayMode.PAUSE, Set.of());
    private static final Wanted DRAIN = new Wanted(RelayMode.DRAIN, Set.of());
    private static final Wanted WITHOUT_ORDERS = new Wanted(RelayMode.RUN, Set.of(ORDERS));

    private final RelayState state = state();
    private final Brakes brakes = new Brakes(state);

    @Test
    void aRelayThatBothHoldBackGoesOnWhenTheLastOneLetsGo() {
        brakes.pause();
        brakes.obey(PAUSE);

        brakes.resume();
        boolean afterTheProcess = claims();
        brakes.obey(Wanted.NOTHING_ELSE);

        assertThat(afterTheProcess).isFalse();
        assertThat(claims()).isTrue();
    }

    @Test
    void operatorsDoNotUndoWhatTheProcessWants() {
        brakes.pause();
        brakes.obey(PAUSE);

        brakes.obey(Wanted.NOTHING_ELSE);

        assertThat(claims()).isFalse();
        assertThat(brakes.shown(64)).isEqualTo(RelayHealth.State.PAUSED);
    }

    @Test
    void aRelayThatIsStoppedClaimsNothingWhateverIsWanted() {
        brakes.obey(PAUSE);
        brakes.stop();

        brakes.obey(Wanted.NOTHING_ELSE);

        assertThat(claims()).isFalse();
    }

    @Test
    void aDrainedRelayStandsByOnceItOwnsNothing() {
        brakes.obey(DRAIN);

        assertThat(claims()).isFalse();
        assertThat(brakes.shown(3)).isEqualTo(RelayHealth.State.DRAINING);
        assertThat(brakes.shown(0)).isEqualTo(RelayHealth.State.STANDBY);
    }

    @Test
    void aTopicThatBothHaveClosedOpensWhenTheLastOneLetsGo() {
        brakes.pause(ORDERS);
        brakes.obey(WITHOUT_ORDERS);

        brakes.resume(ORDERS);
        boolean afterTheProcess = reads();
        brakes.obey(Wanted.NOTHING_ELSE);

        assertThat(afterTheProcess).isFalse();
        assertThat(reads()).isTrue();
    }

    @Test
    void operatorsDoNotOpenATopicThatTheProcessHasClosed() {
        brakes.obey(WITHOUT_ORDERS);
        brakes.pause(ORDERS);

        brakes.obey(Wanted.NOTHING_ELSE);

        assertThat(reads()).isFalse();
        brakes.resume(ORDERS);
        assertThat(reads()).isTrue();
    }

    private boolean claims() {
        return state.begin(ROOM) != null;
    }

    private boolean reads() {
        Objects.requireNonNull(state.begin(ROOM));
        return state.reachableTopics().includes(ORDERS);
    }

    private static RelayState state() {
        RelayState state = new RelayState(new RelayConfig(UnusedStore.relay()));
        state.renewed(List.of(), Long.MAX_VALUE / 2);
        state.gained(List.of(new OwnedShard(1, 1, 0)));
        return state;
    }
}

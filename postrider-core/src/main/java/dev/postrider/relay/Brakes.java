package dev.postrider.relay;

import dev.postrider.spi.RelayMode;
import dev.postrider.spi.TopicName;
import dev.postrider.spi.Wanted;
import java.util.HashSet;
import java.util.Set;

/**
 * What holds a relay back: its own process, and operators by way of the store. The relay claims, and sends to a topic,
 * only while neither of the two holds it back; none of them undoes what the other one wants. Thread-safe.
 */
final class Brakes {

    private final RelayState state;
    private final Set<TopicName> topics = new HashSet<>();
    private boolean paused;
    private boolean stopped;
    private Wanted wanted = Wanted.NOTHING_ELSE;

    Brakes(RelayState state) {
        this.state = state;
    }

    /** The process wants the relay to claim nothing. */
    synchronized void pause() {
        paused = true;
        apply();
    }

    synchronized void resume() {
        paused = false;
        apply();
    }

    /** The relay is to claim nothing for ever. */
    synchronized void stop() {
        stopped = true;
        apply();
    }

    /** The process wants nothing to be sent to this topic. */
    synchronized void pause(TopicName topic) {
        topics.add(topic);
        state.pause(topic);
    }

    synchronized void resume(TopicName topic) {
        topics.remove(topic);
        if (!wanted.pausedTopics().contains(topic)) {
            state.resume(topic);
        }
    }

    /** Does what operators want from now on. */
    synchronized void obey(Wanted now) {
        Wanted before = wanted;
        if (now.equals(before)) {
            return;
        }
        wanted = now;
        now.pausedTopics().stream()
                .filter(topic -> !before.pausedTopics().contains(topic) && !topics.contains(topic))
                .forEach(state::pause);
        before.pausedTopics().stream()
                .filter(topic -> !now.pausedTopics().contains(topic) && !topics.contains(topic))
                .forEach(state::resume);
        apply();
    }

    /** Returns what the relay is doing while it runs and owns so many shards. */
    synchronized RelayHealth.State shown(int shards) {
        boolean idle = shards == 0 && state.isIdle();
        if (wanted.mode() == RelayMode.DRAIN && !idle) {
            return RelayHealth.State.DRAINING;
        }
        if (paused || wanted.mode() == RelayMode.PAUSE) {
            return RelayHealth.State.PAUSED;
        }
        return shards == 0 ? RelayHealth.State.STANDBY : RelayHealth.State.RUNNING;
    }

    private void apply() {
        if (stopped || paused || wanted.mode() != RelayMode.RUN) {
            state.stopClaiming();
        } else {
            state.startClaiming();
        }
    }
}

package dev.postrider.relay;

import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.TopicName;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls several listeners in the order they were named; one that throws does not affect the others or the relay.
 * Thread-safe if they are.
 */
final class RelayListeners implements RelayListener {

    private static final Logger log = LoggerFactory.getLogger(RelayListeners.class);

    private final List<RelayListener> listeners;

    RelayListeners(List<RelayListener> listeners) {
        this.listeners = List.copyOf(listeners);
    }

    @Override
    public void claimed(int messages) {
        tell(listener -> listener.claimed(messages));
    }

    @Override
    public void polled(int messages, boolean full, Duration took) {
        tell(listener -> listener.polled(messages, full, took));
    }

    @Override
    public void settled(List<Settlement> outcomes) {
        tell(listener -> listener.settled(outcomes));
    }

    @Override
    public void deadRefused(List<Settlement> dead, Throwable cause) {
        tell(listener -> listener.deadRefused(dead, cause));
    }

    @Override
    public void claimsLost(int messages) {
        tell(listener -> listener.claimsLost(messages));
    }

    @Override
    public void claimsRecovered(int messages) {
        tell(listener -> listener.claimsRecovered(messages));
    }

    @Override
    public void answerIgnored() {
        tell(RelayListener::answerIgnored);
    }

    @Override
    public void shardsAcquired(Set<Integer> shards) {
        tell(listener -> listener.shardsAcquired(shards));
    }

    @Override
    public void shardsLost(Set<Integer> shards) {
        tell(listener -> listener.shardsLost(shards));
    }

    @Override
    public void gateClosed(TopicName topic, String error) {
        tell(listener -> listener.gateClosed(topic, error));
    }

    @Override
    public void gateOpened(TopicName topic) {
        tell(listener -> listener.gateOpened(topic));
    }

    @Override
    public void integrityFailed(ClaimedMessage claimed) {
        tell(listener -> listener.integrityFailed(claimed));
    }

    @Override
    public void turnFailed(String loop, Throwable cause) {
        tell(listener -> listener.turnFailed(loop, cause));
    }

    // Guards against a listener that throws: the step that called it would fail and be repeated for ever.
    private void tell(Consumer<RelayListener> what) {
        for (RelayListener listener : listeners) {
            try {
                what.accept(listener);
            } catch (RuntimeException | Error e) {
                log.warn("{} threw and is ignored", listener.getClass().getName(), e);
            }
        }
    }
}

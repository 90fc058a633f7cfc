package dev.postrider.console.system;

import dev.postrider.OutboxException;
import dev.postrider.admin.ClosedTopic;
import dev.postrider.admin.OutboxStats;
import dev.postrider.alert.Alert;
import dev.postrider.alert.AlertSender;
import dev.postrider.console.ConsoleSource;
import dev.postrider.console.live.Sampler;
import dev.postrider.monitor.AlertCondition;
import dev.postrider.monitor.AlertMonitor;
import dev.postrider.relay.RelayHealth;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Remembers which alerts of a source fire, which did, and which are snoozed. Thread-safe. */
public final class AlertBook implements AlertSender, AutoCloseable {

    private static final int MOST_PAST = 100;
    private static final Duration INTERVAL = Duration.ofSeconds(5);

    private final AlertMonitor monitor;
    private final Map<String, Alert> firing = new HashMap<>();
    private final Map<String, Snooze> snoozed = new HashMap<>();
    private final Deque<Alert> past = new ArrayDeque<>();
    private volatile boolean watching;

    /** Until when an alert is not to disturb anybody. */
    record Snooze(Instant until, String by, String reason) {}

    /** Watches nothing yet. */
    public AlertBook(ConsoleSource source, Sampler sampler) {
        this.monitor = AlertMonitor.builder(() -> stats(sampler))
                .outbox(source.name())
                .checkEvery(INTERVAL)
                .sender(this)
                .build()
                .watch(() -> health(sampler));
        source.figures().follow(monitor);
    }

    /** Begins to watch. */
    public void start() {
        watching = true;
        monitor.start();
    }

    private static OutboxStats stats(Sampler sampler) {
        OutboxStats stats = sampler.latestStats();
        if (stats == null) {
            throw new OutboxException("The last look at the outbox failed");
        }
        return stats;
    }

    // The monitor asks a relay's health for the topics out of reach only.
    private static RelayHealth health(Sampler sampler) {
        return new RelayHealth(
                true,
                true,
                RelayHealth.State.RUNNING,
                0,
                0,
                sampler.closedTopics().stream()
                        .map(ClosedTopic::topic)
                        .distinct()
                        .toList(),
                null,
                null,
                0);
    }

    @Override
    public synchronized void send(Alert alert) {
        if (alert.state() == Alert.State.FIRING) {
            firing.merge(alert.name(), alert, (first, repeated) -> first);
        } else {
            firing.remove(alert.name());
        }
        past.addFirst(alert);
        while (past.size() > MOST_PAST) {
            past.removeLast();
        }
    }

    /** Returns whether the rules are being evaluated in this process. */
    boolean watching() {
        return watching;
    }

    synchronized Optional<Alert> firing(AlertCondition condition) {
        return Optional.ofNullable(firing.get(condition.alertName()));
    }

    synchronized Optional<Snooze> snoozed(AlertCondition condition, Instant now) {
        return Optional.ofNullable(snoozed.get(condition.alertName()))
                .filter(snooze -> snooze.until().isAfter(now));
    }

    synchronized void snooze(AlertCondition condition, Snooze snooze) {
        snoozed.put(condition.alertName(), snooze);
    }

    /** Returns what began and ended, the latest first. */
    synchronized List<Alert> past() {
        return List.copyOf(past);
    }

    @Override
    public void close() {
        monitor.close();
    }
}

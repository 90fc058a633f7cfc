package dev.postrider.monitor;

import dev.postrider.admin.OutboxStats;
import dev.postrider.alert.AlertSender;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Configures an {@link AlertMonitor}. Every condition has a rule unless it is left out. Not thread-safe. */
public final class AlertMonitorBuilder {

    final Supplier<OutboxStats> stats;
    final Map<AlertCondition, AlertRule> rules = new EnumMap<>(AlertCondition.class);
    final List<AlertSender> senders = new ArrayList<>();
    String outbox = "outbox";
    Duration interval = Duration.ofSeconds(15);
    Duration retryPause = Duration.ofSeconds(2);
    LongSupplier nanoTime = System::nanoTime;
    InstantSource clock = InstantSource.system();

    AlertMonitorBuilder(Supplier<OutboxStats> stats) {
        this.stats = Objects.requireNonNull(stats, "stats");
        for (AlertCondition condition : AlertCondition.values()) {
            rules.put(condition, condition.rule());
        }
    }

    /** Adds a sender. May be called several times; every sender gets every alert. */
    public AlertMonitorBuilder sender(AlertSender sender) {
        senders.add(Objects.requireNonNull(sender, "sender"));
        return this;
    }

    /** Replaces the rule of a condition, for example {@code AlertCondition.PENDING.rule().above(5_000, 4_000)}. */
    public AlertMonitorBuilder rule(AlertRule rule) {
        rules.put(rule.condition(), rule);
        return this;
    }

    /** Does not watch a condition, for example because another process does. */
    public AlertMonitorBuilder without(AlertCondition condition) {
        rules.remove(Objects.requireNonNull(condition, "condition"));
        return this;
    }

    /** What the outbox is called in alerts. Default {@code outbox}. */
    public AlertMonitorBuilder outbox(String name) {
        if (!name.matches("[A-Za-z0-9._-]{1,60}")) {
            throw new IllegalArgumentException(
                    "outbox must be 1 to 60 letters, digits, dots, dashes or underscores but was '%s'".formatted(name));
        }
        this.outbox = name;
        return this;
    }

    /** How often the outbox is looked at. Default 15 s. */
    public AlertMonitorBuilder checkEvery(Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException("checkEvery must be positive but was " + value);
        }
        this.interval = value;
        return this;
    }

    /** Builds the monitor; nothing is read or sent yet. */
    public AlertMonitor build() {
        return new AlertMonitor(this);
    }

    AlertMonitorBuilder time(LongSupplier nanos, InstantSource instants) {
        this.nanoTime = nanos;
        this.clock = instants;
        return this;
    }

    AlertMonitorBuilder retryPause(Duration value) {
        this.retryPause = value;
        return this;
    }

    // What happened is over when the rule could speak again and there is nothing new to say.
    Duration silence(AlertCondition condition) {
        return rules.getOrDefault(condition, condition.rule()).repeatEvery();
    }
}

package dev.postrider.monitor;

import dev.postrider.alert.Alert;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.Settlement;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/** Turns readings and events into alerts, one step at a time. No method blocks. Thread-safe. */
final class RuleBook {

    private final String outbox;
    private final LongSupplier nanoTime;
    private final InstantSource clock;
    private final RelayEvents events;
    private final Map<AlertCondition, RuleState> rules = new EnumMap<>(AlertCondition.class);
    private Readings last = Readings.NONE;

    RuleBook(AlertMonitorBuilder builder) {
        this.outbox = builder.outbox;
        this.nanoTime = builder.nanoTime;
        this.clock = builder.clock;
        builder.rules.forEach((condition, rule) -> rules.put(condition, new RuleState(rule)));
        this.events =
                new RelayEvents(builder.silence(AlertCondition.INTEGRITY), builder.silence(AlertCondition.STALLED));
    }

    /** Returns the alerts to send after a check. */
    synchronized List<Alert> read(Readings readings) {
        last = readings;
        List<Alert> alerts = new ArrayList<>();
        for (AlertCondition condition : AlertCondition.values()) {
            alerts.addAll(step(condition));
        }
        return alerts;
    }

    /** Counts outcomes; returns whether a message died. */
    boolean settled(List<Settlement> outcomes) {
        return events.settled(outcomes, nanoTime.getAsLong());
    }

    /** Returns what is to be said at once. */
    synchronized List<Alert> integrityFailed(ClaimedMessage defective) {
        events.integrityFailed(defective, nanoTime.getAsLong());
        return step(AlertCondition.INTEGRITY);
    }

    /** Returns what is to be said at once. */
    synchronized List<Alert> claimsRecovered(int messages) {
        events.claimsRecovered(messages, nanoTime.getAsLong());
        return step(AlertCondition.STALLED);
    }

    private List<Alert> step(AlertCondition condition) {
        RuleState rule = rules.get(condition);
        if (rule == null) {
            return List.of();
        }
        double value = value(condition);
        Alert.State state = rule.step(value, nanoTime.getAsLong());
        if (state == null) {
            return List.of();
        }
        if (state == Alert.State.FIRING) {
            events.told(condition);
        }
        return List.of(alert(rule.rule(), state, value));
    }

    private double value(AlertCondition condition) {
        long nanos = nanoTime.getAsLong();
        return switch (condition) {
            case FAILED, INTEGRITY, STALLED -> events.of(condition, nanos);
            default -> last.of(condition);
        };
    }

    private Alert alert(AlertRule rule, Alert.State state, double value) {
        AlertCondition condition = rule.condition();
        String summary =
                state == Alert.State.FIRING ? condition.summary((long) value) : "Over: " + condition.alertName();
        return new Alert(
                condition.alertName(), rule.severity(), state, summary, details(condition, state), clock.instant());
    }

    private Map<String, String> details(AlertCondition condition, Alert.State state) {
        Map<String, String> details = new LinkedHashMap<>();
        details.put("outbox", outbox);
        details.putAll(last.details());
        if (state == Alert.State.FIRING) {
            String more = switch (condition) {
                case DEAD -> events.takeDeadTypes();
                case INTEGRITY -> events.lastDefect();
                default -> "";
            };
            if (!more.isEmpty()) {
                details.put("lately", more);
            }
        }
        details.put("runbook", "docs/runbooks/" + condition.alertName() + ".md");
        return details;
    }
}

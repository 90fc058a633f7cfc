package dev.postrider.monitor;

import dev.postrider.alert.Alert.Severity;
import java.time.Duration;
import java.util.Objects;

/**
 * When a condition becomes an alert and when it is over. Between the two limits nothing changes, so a number that
 * varies around one of them causes no alerts.
 *
 * @param condition what is watched
 * @param severity how soon a person should look
 * @param fires fires when the number is above this
 * @param resolves is over when the number is at or below this
 * @param after fires when the number has been above the limit for that long
 * @param calmFor is over when the number has been at or below the limit for that long
 * @param repeatEvery fires at most once in that time, and again after it if it is not over
 */
public record AlertRule(
        AlertCondition condition,
        Severity severity,
        double fires,
        double resolves,
        Duration after,
        Duration calmFor,
        Duration repeatEvery) {

    static final Duration REPEAT = Duration.ofMinutes(15);

    /** Refuses limits and times that contradict each other. */
    public AlertRule {
        Objects.requireNonNull(condition, "condition");
        Objects.requireNonNull(severity, "severity");
        if (!(resolves >= 0) || !(fires >= resolves) || Double.isInfinite(fires)) {
            throw new IllegalArgumentException(
                    "fires must be a number at or above resolves, and resolves at or above 0, but they were %s and %s"
                            .formatted(fires, resolves));
        }
        if (after.isNegative()) {
            throw new IllegalArgumentException("after must not be negative but was " + after);
        }
        if (calmFor.isNegative()) {
            throw new IllegalArgumentException("calmFor must not be negative but was " + calmFor);
        }
        if (repeatEvery.isNegative() || repeatEvery.isZero()) {
            throw new IllegalArgumentException("repeatEvery must be positive but was " + repeatEvery);
        }
    }

    /** Returns this rule with other limits: it fires above the first and is over at or below the second. */
    public AlertRule above(double fireAbove, double resolveAt) {
        return new AlertRule(condition, severity, fireAbove, resolveAt, after, calmFor, repeatEvery);
    }

    /** Returns this rule with another {@link #severity}. */
    public AlertRule severity(Severity value) {
        return new AlertRule(condition, value, fires, resolves, after, calmFor, repeatEvery);
    }

    /** Returns this rule with another {@link #after}. */
    public AlertRule after(Duration value) {
        return new AlertRule(condition, severity, fires, resolves, value, calmFor, repeatEvery);
    }

    /** Returns this rule with another {@link #calmFor}. */
    public AlertRule calmFor(Duration value) {
        return new AlertRule(condition, severity, fires, resolves, after, value, repeatEvery);
    }

    /** Returns this rule with another {@link #repeatEvery}. */
    public AlertRule repeatEvery(Duration value) {
        return new AlertRule(condition, severity, fires, resolves, after, calmFor, value);
    }
}

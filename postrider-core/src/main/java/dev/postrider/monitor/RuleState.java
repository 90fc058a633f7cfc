package dev.postrider.monitor;

import dev.postrider.alert.Alert;
import org.jspecify.annotations.Nullable;

/** Where one rule stands. Not thread-safe. */
final class RuleState {

    private final AlertRule rule;
    private boolean firing;
    private @Nullable Long aboveSince;
    private @Nullable Long calmSince;
    private @Nullable Long firedAt;

    RuleState(AlertRule rule) {
        this.rule = rule;
    }

    AlertRule rule() {
        return rule;
    }

    /**
     * Takes the number at this time; returns the change of the alert's state, or null. An unknown number changes no
     * state.
     */
    Alert.@Nullable State step(double value, long nanos) {
        if (Double.isNaN(value)) {
            return null;
        }
        aboveSince = value > rule.fires() ? first(aboveSince, nanos) : null;
        calmSince = value <= rule.resolves() ? first(calmSince, nanos) : null;
        if (firing && calmSince != null && nanos - calmSince >= rule.calmFor().toNanos()) {
            firing = false;
            return Alert.State.RESOLVED;
        }
        boolean wanted = firing
                ? calmSince == null
                : aboveSince != null && nanos - aboveSince >= rule.after().toNanos();
        if (wanted && mayFire(nanos)) {
            firing = true;
            firedAt = nanos;
            return Alert.State.FIRING;
        }
        return null;
    }

    private boolean mayFire(long nanos) {
        return firedAt == null || nanos - firedAt >= rule.repeatEvery().toNanos();
    }

    private static Long first(@Nullable Long since, long nanos) {
        return since == null ? Long.valueOf(nanos) : since;
    }
}

package dev.postrider.saga;

import dev.postrider.retry.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What every kind of step can say about itself. Not thread-safe.
 *
 * @param <S> the kind of step
 */
public abstract sealed class StepBuilder<C, S extends StepBuilder<C, S>> permits LocalStep, RequestStep, ExternalStep {

    private static final RetryPolicy RETRY =
            RetryPolicy.exponentialWithJitter(Duration.ofMillis(200), Duration.ofSeconds(30), 8);

    private final String name;
    private final List<Class<? extends Throwable>> failOn = new ArrayList<>();
    private @Nullable RetryPolicy retry;
    private RetryPolicy compensationRetry = RetryPolicy.defaults();
    private @Nullable Duration timeout;
    private @Nullable Set<String> after;
    private @Nullable StepRole role;

    StepBuilder(String name) {
        this.name = name;
    }

    /**
     * Sets how often the step is tried and how long it waits in between. Default: 8 times within about a minute; a
     * retriable step as {@link RetryPolicy#defaults()}.
     */
    public S retry(RetryPolicy value) {
        this.retry = Objects.requireNonNull(value, "retry");
        return self();
    }

    /** Sets how often its compensation is tried before the saga is stuck. Default {@link RetryPolicy#defaults()}. */
    public S compensationRetry(RetryPolicy value) {
        this.compensationRetry = Objects.requireNonNull(value, "compensationRetry");
        return self();
    }

    /** Names an exception that no repetition can mend: the step has failed at once. */
    public S failOn(Class<? extends Throwable> type) {
        failOn.add(Objects.requireNonNull(type, "failOn"));
        return self();
    }

    /** Replaces the place in the order of definition: the step comes after these, or with none named, first. */
    public S after(String... steps) {
        this.after = new LinkedHashSet<>(List.of(steps));
        return self();
    }

    /** Says that there is nothing to undo. */
    public S readOnly() {
        return role(StepRole.READ_ONLY);
    }

    /** Makes it the point of no return. */
    public S pivot() {
        return role(StepRole.PIVOT);
    }

    /** Places it behind the pivot: it must succeed in the end. */
    public S retriable() {
        return role(StepRole.RETRIABLE);
    }

    void limit(Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(
                    "timeout of step '%s' must be positive but was %s".formatted(name, value));
        }
        this.timeout = value;
    }

    Step<C> build(Set<String> before) {
        boolean undone = isCompensatable();
        if (undone && role != null) {
            throw new IllegalArgumentException("Step '%s' is %s and cannot have a compensation".formatted(name, role));
        }
        StepRole said = role != null ? role : undone ? StepRole.COMPENSATABLE : StepRole.PLAIN;
        RetryPolicy policy = retry != null ? retry : said == StepRole.RETRIABLE ? RetryPolicy.defaults() : RETRY;
        StepRules rules = new StepRules(policy, compensationRetry, failOn, timeout);
        return new Step<>(name, kind(), said, after != null ? after : before, rules, work());
    }

    String name() {
        return name;
    }

    <T> T required(@Nullable T part, String method) {
        if (part == null) {
            throw new IllegalArgumentException("Step '%s' needs %s(..)".formatted(name, method));
        }
        return part;
    }

    private S role(StepRole value) {
        if (role != null && role != value) {
            throw new IllegalArgumentException("Step '%s' cannot be %s and %s".formatted(name, role, value));
        }
        this.role = value;
        return self();
    }

    abstract S self();

    abstract StepKind kind();

    abstract boolean isCompensatable();

    abstract StepWork<C> work();
}

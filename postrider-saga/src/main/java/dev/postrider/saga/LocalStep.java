package dev.postrider.saga;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Collects a local step: its effect, its messages and its journal entry are one transaction, so it happens exactly
 * once.
 */
public final class LocalStep<C> extends StepBuilder<C, LocalStep<C>> {

    private @Nullable Action<C> action;
    private @Nullable Compensation<C> compensation;

    LocalStep(String name) {
        super(name);
    }

    /** Does the work and returns the next context. Runs again after a rollback, so it keeps its hands off elsewhere. */
    @FunctionalInterface
    public interface Action<C> {

        /** Works on the connection of {@code transaction} only. */
        C run(C context, StepTransaction transaction) throws Exception;
    }

    /** Undoes the work. */
    @FunctionalInterface
    public interface Compensation<C> {

        /** Works on the connection of {@code transaction} only. */
        void run(C context, StepTransaction transaction) throws Exception;
    }

    /** Sets what the step does. Required. */
    public LocalStep<C> action(Action<C> value) {
        this.action = Objects.requireNonNull(value, "action");
        return this;
    }

    /** Sets what undoes it. */
    public LocalStep<C> compensate(Compensation<C> value) {
        this.compensation = Objects.requireNonNull(value, "compensate");
        return this;
    }

    /** Sets how long one attempt may take, checked before and after each statement. Default: no limit. */
    public LocalStep<C> timeout(Duration value) {
        limit(value);
        return this;
    }

    @Override
    LocalStep<C> self() {
        return this;
    }

    @Override
    StepKind kind() {
        return StepKind.LOCAL;
    }

    @Override
    boolean isCompensatable() {
        return compensation != null;
    }

    @Override
    StepWork<C> work() {
        return new LocalWork<>(required(action, "action"), compensation);
    }
}

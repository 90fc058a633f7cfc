package dev.postrider.saga;

import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Collects an external step: a call outside any transaction. It may happen more than once, always with the same
 * idempotency key; its compensation runs also when nobody knows whether the call happened.
 */
public final class ExternalStep<C> extends StepBuilder<C, ExternalStep<C>> {

    private @Nullable Call<C> call;
    private @Nullable Verification<C> verification;
    private @Nullable Compensation<C> compensation;

    ExternalStep(String name) {
        super(name);
    }

    /** Calls the other system. */
    @FunctionalInterface
    public interface Call<C> {

        /** Returns the next context. */
        C run(C context, ExternalCall call) throws Exception;
    }

    /** Asks the other system whether an earlier call happened. */
    @FunctionalInterface
    public interface Verification<C> {

        /** Returns the next context if it did, empty if it did not happen. */
        Optional<C> run(C context, ExternalCall call) throws Exception;
    }

    /** Undoes the call, also one that perhaps never arrived. */
    @FunctionalInterface
    public interface Compensation<C> {

        /** Succeeds also if there is nothing to undo. */
        void run(C context, ExternalCall call) throws Exception;
    }

    /** Sets the call. Required. */
    public ExternalStep<C> call(Call<C> value) {
        this.call = Objects.requireNonNull(value, "call");
        return this;
    }

    /**
     * Sets what is asked when an earlier call may have happened: before it is made again, and after its last attempt
     * before it is undone, as often as it was made. Default: it is called again, and after its last attempt undone.
     */
    public ExternalStep<C> verify(Verification<C> value) {
        this.verification = Objects.requireNonNull(value, "verify");
        return this;
    }

    /**
     * Sets what undoes it. A process that freezes right before the call may make it after another has undone the step:
     * only the other system can prevent that, by refusing a key whose undoing it has seen.
     */
    public ExternalStep<C> compensate(Compensation<C> value) {
        this.compensation = Objects.requireNonNull(value, "compensate");
        return this;
    }

    @Override
    ExternalStep<C> self() {
        return this;
    }

    @Override
    StepKind kind() {
        return StepKind.EXTERNAL;
    }

    @Override
    boolean isCompensatable() {
        return compensation != null;
    }

    @Override
    StepWork<C> work() {
        return new ExternalWork<>(required(call, "call"), verification, compensation);
    }
}

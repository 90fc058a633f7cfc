package dev.postrider.saga;

import java.util.Objects;
import java.util.Optional;

/** Makes the calls of external steps, outside any transaction. */
final class ExternalCalls {

    private ExternalCalls() {}

    /** Calls, undoes a call, or finds out that it happened before; returns the next context. */
    static <C> C run(Attempt<C> attempt, C context) throws StepFailedException {
        ExternalWork<C> work = attempt.step().external();
        // The other system knows what is undone by the key of the call.
        String key = SagaIds.idempotencyKey(attempt.sagaId(), attempt.step().name(), Direction.FORWARD);
        ExternalCall call = new ExternalCall(attempt.sagaId(), key, attempt.number());
        try {
            if (attempt.direction() == Direction.COMPENSATION) {
                Objects.requireNonNull(work.compensation(), "compensation").run(context, call);
                return context;
            }
            Optional<C> known = attempt.repeated() && work.verification() != null
                    ? work.verification().run(context, call)
                    : Optional.empty();
            return known.isPresent()
                    ? known.get()
                    : Objects.requireNonNull(work.call().run(context, call), "The call returned no context");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StepFailedException(attempt, e);
        } catch (Exception | LinkageError | AssertionError | StackOverflowError e) {
            throw new StepFailedException(attempt, e);
        }
    }
}

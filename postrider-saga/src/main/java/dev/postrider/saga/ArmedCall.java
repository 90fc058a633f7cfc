package dev.postrider.saga;

import java.util.Objects;
import java.util.Optional;

/**
 * An external call that the journal says may happen from now on.
 *
 * @param inDoubt whether an earlier call may have happened
 */
record ArmedCall<C>(StepAttempt<C> attempt, C context, boolean inDoubt) {

    static <C> ArmedCall<C> of(Progress<C> progress, StepAttempt<C> attempt, C context) {
        return new ArmedCall<>(
                attempt,
                context,
                progress.entry(attempt.step(), attempt.direction()).isPresent());
    }

    /**
     * Calls, undoes a call, or finds out that it happened before; outside any transaction.
     *
     * @return the next context; empty if it did not happen and may not be called again
     */
    Optional<C> run() throws StepFailedException {
        try {
            return attempt.direction() == Direction.FORWARD ? call() : undo();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StepFailedException(attempt, e);
        } catch (Exception | Error e) {
            throw new StepFailedException(attempt, e);
        }
    }

    private Optional<C> call() throws Exception {
        ExternalStep.Verification<C> verification = attempt.step().external().verification();
        if (inDoubt && verification != null) {
            Optional<C> known = verification.run(context, facts());
            if (known.isPresent() || isOnlyAsked()) {
                return known;
            }
        }
        return Optional.of(Objects.requireNonNull(
                attempt.step().external().call().run(context, facts()), "The call returned no context"));
    }

    private Optional<C> undo() throws Exception {
        Objects.requireNonNull(attempt.step().external().compensation(), "compensation")
                .run(context, facts());
        return Optional.of(context);
    }

    private boolean isOnlyAsked() {
        return attempt.number() > attempt.step().rules().retry().maxAttempts();
    }

    // The other system knows what is undone by the key of the call.
    private ExternalCall facts() {
        String key = SagaIds.idempotencyKey(attempt.sagaId(), attempt.step().name(), Direction.FORWARD);
        return new ExternalCall(attempt.sagaId(), key, attempt.number());
    }
}

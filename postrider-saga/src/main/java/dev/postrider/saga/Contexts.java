package dev.postrider.saga;

/** Contexts as they are stored. */
final class Contexts {

    private Contexts() {}

    static <C> String encode(Blueprint<C> blueprint, C context) {
        try {
            return blueprint.codec().encode(context);
        } catch (Exception | Error e) {
            throw new SagaException("Could not encode the context of saga " + blueprint.id(), e);
        }
    }

    /** Encodes what a step returned; a context without a text is the step's failure. */
    static <C> String encode(Blueprint<C> blueprint, StepAttempt<C> attempt, C context) throws StepFailedException {
        try {
            return encode(blueprint, context);
        } catch (SagaException e) {
            throw new StepFailedException(attempt, e);
        }
    }

    /**
     * Returns the context of a stored saga.
     *
     * @throws SagaException if its text says nothing to the codec
     */
    static <C> C decode(Blueprint<C> blueprint, SagaRow row) {
        try {
            return blueprint.codec().decode(row.state().context());
        } catch (Exception | Error e) {
            throw new SagaException("Could not decode the context of saga " + row.id(), e);
        }
    }
}

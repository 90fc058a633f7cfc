package dev.postrider.saga.testkit;

/**
 * How often and where a function of a step breaks.
 *
 * @param label the step and its direction
 * @param statement which of its statements the database refuses, from 1; of no meaning unless {@code IN_STATEMENT}
 * @param times how many attempts break; the next one works
 */
record StepFault(String label, When when, int statement, int times) {

    /** Until the scenario is over. */
    static final int ALWAYS = Integer.MAX_VALUE;

    enum When {
        /** It throws before it has done anything. */
        BEFORE,
        /** It does its work and throws then, as a call whose answer is lost. */
        AFTER,
        /** The database refuses one of its statements. */
        IN_STATEMENT
    }

    static StepFault before(String label, int times) {
        return new StepFault(label, When.BEFORE, 0, times);
    }

    static StepFault after(String label, int times) {
        return new StepFault(label, When.AFTER, 0, times);
    }

    static StepFault inStatement(String label, int statement) {
        return new StepFault(label, When.IN_STATEMENT, statement, 1);
    }
}

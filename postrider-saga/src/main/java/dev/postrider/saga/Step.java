package dev.postrider.saga;

import java.util.Set;

/**
 * One step of a saga as it was defined.
 *
 * @param after the steps that must be done before it
 */
record Step<C>(String name, StepKind kind, StepRole role, Set<String> after, StepRules rules, StepWork<C> work) {

    Step {
        after = Set.copyOf(after);
    }

    boolean isRetriable() {
        return role == StepRole.RETRIABLE;
    }

    /** Whether turning back means doing something about this step. */
    boolean isCompensatable() {
        return role == StepRole.COMPENSATABLE;
    }

    LocalWork<C> local() {
        return (LocalWork<C>) work;
    }

    RequestWork<C> request() {
        return (RequestWork<C>) work;
    }

    ExternalWork<C> external() {
        return (ExternalWork<C>) work;
    }
}

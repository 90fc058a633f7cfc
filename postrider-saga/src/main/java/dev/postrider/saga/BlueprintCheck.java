package dev.postrider.saga;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The rules of a definition. */
final class BlueprintCheck<C> {

    private final String saga;
    private final List<Step<C>> steps;
    private final Map<String, Set<String>> before;

    private BlueprintCheck(String saga, List<Step<C>> steps) {
        this.saga = saga;
        this.steps = steps;
        this.before = Graph.before(steps);
    }

    /**
     * Checks all rules.
     *
     * @throws IllegalArgumentException saying which step breaks which rule
     */
    static <C> void check(String saga, List<Step<C>> defined, boolean atomicOnly) {
        names(saga, defined);
        BlueprintCheck<C> check = new BlueprintCheck<>(saga, Graph.inOrder(defined));
        if (!atomicOnly) {
            check.pivot();
        } else if (defined.stream().anyMatch(step -> step.kind() != StepKind.LOCAL)) {
            throw new IllegalArgumentException(
                    "Saga '%s' is atomicOnly() but has steps outside the database".formatted(saga));
        }
        check.externals();
    }

    private static <C> void names(String saga, List<Step<C>> steps) {
        if (steps.isEmpty()) {
            throw new IllegalArgumentException("Saga '%s' has no step".formatted(saga));
        }
        Set<String> names = new HashSet<>();
        for (Step<C> step : steps) {
            if (!names.add(step.name())) {
                throw new IllegalArgumentException("Saga '%s' has two steps '%s'".formatted(saga, step.name()));
            }
        }
        for (Step<C> step : steps) {
            for (String other : step.after()) {
                if (!names.contains(other)) {
                    throw new IllegalArgumentException("Step '%s' comes after '%s', which saga '%s' does not have"
                            .formatted(step.name(), other, saga));
                }
            }
        }
    }

    private void pivot() {
        List<Step<C>> pivots =
                steps.stream().filter(step -> step.role() == StepRole.PIVOT).toList();
        if (pivots.size() > 1) {
            throw new IllegalArgumentException("Saga '%s' has more than one pivot: %s"
                    .formatted(saga, pivots.stream().map(Step::name).toList()));
        }
        for (Step<C> step : steps) {
            if (pivots.isEmpty()) {
                beforePivot(step);
            } else if (step.role() != StepRole.PIVOT) {
                aroundPivot(step, pivots.get(0).name());
            }
        }
        pivots.forEach(this::neverTurnsBackOnSilence);
    }

    private void aroundPivot(Step<C> step, String pivot) {
        if (isBefore(step.name(), pivot)) {
            beforePivot(step);
        } else if (!isBefore(pivot, step.name())) {
            throw new IllegalArgumentException(
                    "Step '%s' has no order to the pivot '%s': say after(..)".formatted(step.name(), pivot));
        } else if (step.isRetriable()) {
            neverTurnsBackOnSilence(step);
        } else {
            throw new IllegalArgumentException(
                    "Step '%s' is behind the pivot '%s' and must be retriable()".formatted(step.name(), pivot));
        }
    }

    private static <C> void beforePivot(Step<C> step) {
        if (step.isRetriable()) {
            throw new IllegalArgumentException(
                    "Step '%s' is retriable() but not behind a pivot".formatted(step.name()));
        }
        if (step.role() == StepRole.PLAIN) {
            throw new IllegalArgumentException(
                    ("Step '%s' needs compensate(..) or readOnly(), because the saga may turn"
                                    + " back after it; a saga that only ever executes in one transaction says atomicOnly()")
                            .formatted(step.name()));
        }
    }

    private void neverTurnsBackOnSilence(Step<C> step) {
        if (step.kind() == StepKind.REQUEST && step.request().onTimeout() == OnTimeout.COMPENSATE) {
            throw new IllegalArgumentException(
                    "Step '%s' is %s: without a reply it cannot COMPENSATE".formatted(step.name(), step.role()));
        }
    }

    // The call works on the context it was given; a reply that changed the context meanwhile would be overwritten.
    private void externals() {
        for (Step<C> external : steps) {
            for (Step<C> request : steps) {
                if (external.kind() == StepKind.EXTERNAL
                        && request.kind() == StepKind.REQUEST
                        && !isBefore(external.name(), request.name())
                        && !isBefore(request.name(), external.name())) {
                    throw new IllegalArgumentException(
                            "External step '%s' and request '%s' could change the context at the same time: say after(..)"
                                    .formatted(external.name(), request.name()));
                }
            }
        }
    }

    private boolean isBefore(String step, String other) {
        return before.getOrDefault(other, Set.of()).contains(step);
    }
}

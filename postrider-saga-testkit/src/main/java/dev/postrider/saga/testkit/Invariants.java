package dev.postrider.saga.testkit;

import dev.postrider.saga.DefinitionProbe.StepFacts;
import dev.postrider.saga.Direction;
import dev.postrider.saga.JournalEntry;
import dev.postrider.saga.SagaDetails;
import dev.postrider.saga.SagaStatus;
import dev.postrider.saga.StepStatus;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** What must be so when a saga that runs step by step has come to rest. */
final class Invariants {

    private final List<StepFacts> steps;
    private final SagaDetails saga;
    private final List<String> violations = new ArrayList<>();

    private Invariants(List<StepFacts> steps, SagaDetails saga) {
        this.steps = steps;
        this.saga = saga;
    }

    /**
     * Returns what should not be so.
     *
     * @param marks how often the transaction of each function was committed
     */
    static List<String> check(List<StepFacts> steps, SagaDetails saga, Map<String, Integer> marks) {
        Invariants check = new Invariants(steps, saga);
        check.reason();
        check.completed();
        check.compensated();
        check.reverseOrder();
        check.onlyWhatHappenedIsUndone();
        check.once(marks);
        return check.violations;
    }

    /**
     * Checks that the messages of a function are there if, and only if, it is done.
     *
     * @param enqueued by function
     * @param stored what the saga left in the outbox
     */
    static List<String> messages(SagaDetails saga, Map<String, List<UUID>> enqueued, Set<UUID> stored) {
        List<String> violations = new ArrayList<>();
        enqueued.forEach((label, ids) -> {
            boolean done = saga.journal().stream()
                    .anyMatch(each -> Label.of(each).equals(label) && each.status() == StepStatus.DONE);
            for (UUID id : ids) {
                if (stored.contains(id) != done) {
                    violations.add("D1: %s is %s but its message %s is %s"
                            .formatted(label, done ? "done" : "not done", id, done ? "missing" : "in the outbox"));
                }
            }
        });
        return violations;
    }

    private void reason() {
        if (saga.saga().status() != SagaStatus.COMPLETED && saga.saga().failure() == null) {
            violations.add("D10: the saga is %s and nothing says why"
                    .formatted(saga.saga().status()));
        }
    }

    private void completed() {
        if (saga.saga().status() != SagaStatus.COMPLETED) {
            return;
        }
        for (StepFacts step : steps) {
            if (status(step, Direction.FORWARD).filter(StepStatus.DONE::equals).isEmpty()) {
                violations.add("D2: the saga is COMPLETED but step '%s' is not done".formatted(step.name()));
            }
        }
    }

    private void compensated() {
        if (saga.saga().status() != SagaStatus.COMPENSATED) {
            return;
        }
        for (StepFacts step : steps) {
            boolean undone = status(step, Direction.COMPENSATION)
                    .filter(StepStatus.DONE::equals)
                    .isPresent();
            if (step.compensatable() && mayHaveHappened(step) && !undone) {
                violations.add("D2: the saga is COMPENSATED but step '%s' is not undone".formatted(step.name()));
            }
        }
    }

    private void reverseOrder() {
        List<String> done = inOrder(Direction.FORWARD);
        List<String> undone = inOrder(Direction.COMPENSATION);
        for (int i = 1; i < undone.size(); i++) {
            if (done.indexOf(undone.get(i)) > done.indexOf(undone.get(i - 1))) {
                violations.add("D2: '%s' was undone before '%s', which was begun later"
                        .formatted(undone.get(i - 1), undone.get(i)));
            }
        }
    }

    private List<String> inOrder(Direction direction) {
        return saga.journal().stream()
                .filter(each -> each.direction() == direction)
                .sorted(Comparator.comparingInt(JournalEntry::seq))
                .map(JournalEntry::step)
                .toList();
    }

    private void onlyWhatHappenedIsUndone() {
        for (StepFacts step : steps) {
            if (status(step, Direction.COMPENSATION).isEmpty()) {
                continue;
            }
            if (saga.pivotPassed()) {
                violations.add("D3: step '%s' was undone after the pivot".formatted(step.name()));
            }
            if (!mayHaveHappened(step)) {
                violations.add("D3: step '%s' was undone but never happened".formatted(step.name()));
            }
        }
    }

    private void once(Map<String, Integer> marks) {
        for (StepFacts step : steps) {
            for (Direction direction : Direction.values()) {
                String label = Label.of(step.name(), direction);
                int expected = step.local()
                                && status(step, direction)
                                        .filter(StepStatus.DONE::equals)
                                        .isPresent()
                        ? 1
                        : 0;
                int found = marks.getOrDefault(label, 0);
                if (found != expected) {
                    violations.add("D1: the transaction of '%s' was committed %d times, not %d"
                            .formatted(label, found, expected));
                }
            }
        }
    }

    private boolean mayHaveHappened(StepFacts step) {
        return status(step, Direction.FORWARD)
                .filter(each -> each == StepStatus.DONE || each == StepStatus.STARTED || each == StepStatus.WAITING)
                .isPresent();
    }

    private Optional<StepStatus> status(StepFacts step, Direction direction) {
        return saga.journal().stream()
                .filter(each -> each.direction() == direction && each.step().equals(step.name()))
                .map(JournalEntry::status)
                .findFirst();
    }
}

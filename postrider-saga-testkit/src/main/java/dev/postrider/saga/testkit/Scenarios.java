package dev.postrider.saga.testkit;

import dev.postrider.saga.DefinitionProbe;
import dev.postrider.saga.DefinitionProbe.StepFacts;
import dev.postrider.saga.Direction;
import dev.postrider.saga.SagaStatus;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Makes the scenarios of a definition. */
final class Scenarios<C> {

    /** A step that is tried for ever works in the end. */
    private static final int PATIENCE = 25;

    private final DefinitionProbe<C> probe;
    private final List<StepFacts> steps;

    Scenarios(DefinitionProbe<C> probe) {
        this.probe = probe;
        this.steps = probe.steps();
    }

    /** Returns the scenario in which as many steps as possible are undone; empty if nothing ever is. */
    Optional<Scenario> turningBack() {
        List<StepFacts> before = steps.stream()
                .filter(each -> !each.retriable() && canFail(each))
                .toList();
        if (steps.stream().noneMatch(StepFacts::compensatable) || before.isEmpty()) {
            return Optional.empty();
        }
        StepFacts last = before.get(before.size() - 1);
        String name = "'%s' fails and all is undone".formatted(last.name());
        return Optional.of(
                last.request()
                        ? Scenario.noFault().answering(name, last.name(), ReplyFault.REFUSED, SagaStatus.COMPENSATED)
                        : Scenario.noFault()
                                .breaking(
                                        name, StepFault.before(last.name(), StepFault.ALWAYS), SagaStatus.COMPENSATED));
    }

    // An external pivot of which nobody knows whether it happened leads nowhere.
    private static boolean canFail(StepFacts step) {
        return (step.attempts() <= PATIENCE || step.request()) && (!step.pivot() || step.local() || step.request());
    }

    /** Returns the scenarios in which functions fail and replies go wrong. */
    List<Scenario> failures(
            Scenario completing, ScenarioOutcome completed, Optional<Scenario> turningBack, ScenarioOutcome turned) {
        List<Scenario> all = new ArrayList<>();
        for (StepFacts step : steps) {
            all.addAll(new StepScenarios(step).forward(completing, completed));
            if (turningBack.isPresent() && turned.line().trail().contains("undo " + step.name() + " ")) {
                all.addAll(new StepScenarios(step).back(turningBack.get(), turned));
            }
        }
        return all;
    }

    /** Returns the scenarios in which something happens on the way of another one. */
    List<Scenario> interruptions(Scenario path, ScenarioOutcome outcome) {
        List<Scenario> all = new ArrayList<>();
        boolean completing = path.name().equals(Scenario.NO_FAULT);
        String way = completing ? "" : ", when " + path.name();
        Set<Hit> hits = new LinkedHashSet<>();
        if (completing) {
            hits.add(new Hit(Label.START, Label.START, true));
        }
        hits.addAll(outcome.hits());
        for (Hit hit : hits) {
            if (!hit.point().equals(Label.START)) {
                all.add(at(path, hit, PointFault.Act.CRASH, "crash", way));
            }
            if (hit.free()) {
                all.add(at(path, hit, PointFault.Act.FREEZE, "freeze", way));
            } else if (hit.point().equals(PointFault.INSIDE)) {
                all.add(at(path, hit, PointFault.Act.SLOW, "slow", way));
            }
            if (hit.free() && completing) {
                all.add(at(path, hit, PointFault.Act.CANCEL, "cancel", way));
                if (probe.hasDeadline()) {
                    all.add(at(path, hit, PointFault.Act.DEADLINE, "deadline", way));
                }
            }
        }
        return all;
    }

    private Scenario at(Scenario path, Hit hit, PointFault.Act act, String word, String way) {
        String place = hit.point().equals(PointFault.INSIDE)
                ? "inside " + hit.after()
                : hit.point().equals(Label.START)
                        ? "at the start"
                        : "at %s after %s".formatted(hit.point(), hit.after());
        PointFault fault = new PointFault(hit.point(), hit.after(), act);
        return path.at(
                "%s %s%s".formatted(word, place, way), fault, fault.isInvisible() ? path.expected() : turnedOrNot());
    }

    private Set<SagaStatus> turnedOrNot() {
        boolean open = steps.stream().anyMatch(each -> each.pivot() && !each.local());
        return open
                ? Set.of(SagaStatus.COMPENSATED, SagaStatus.COMPLETED, SagaStatus.STUCK)
                : Set.of(SagaStatus.COMPENSATED, SagaStatus.COMPLETED);
    }

    /** Returns the scenarios in which all steps are one transaction. */
    List<Scenario> atomic(ScenarioOutcome completed) {
        List<Scenario> all = new ArrayList<>();
        all.add(Scenario.atomic("no fault", SagaStatus.COMPLETED));
        for (StepFacts step : steps) {
            String name = step.name();
            Scenario fails = Scenario.atomic("");
            all.add(fails.breaking(
                    Scenario.ATOMIC + "'%s' fails".formatted(name), StepFault.before(name, 1), SagaStatus.ROLLED_BACK));
            all.add(fails.breaking(
                    Scenario.ATOMIC + "'%s' fails after its work".formatted(name),
                    StepFault.after(name, 1),
                    SagaStatus.ROLLED_BACK));
            for (int i = 1; i <= completed.statements().getOrDefault(name, 0); i++) {
                all.add(fails.breaking(
                        Scenario.ATOMIC + "statement %d of '%s' fails".formatted(i, name),
                        StepFault.inStatement(name, i),
                        SagaStatus.ROLLED_BACK,
                        SagaStatus.COMPLETED));
            }
        }
        String last = steps.get(steps.size() - 1).name();
        for (String point : List.of("saga.atomic.stepped", "saga.atomic.committed")) {
            String name = Scenario.ATOMIC + "crash at " + point;
            all.add(Scenario.atomic("")
                    .at(name, new PointFault(point, last, PointFault.Act.CRASH), Set.of(SagaStatus.COMPLETED)));
        }
        return all;
    }

    /** What can go wrong with one step. */
    private record StepScenarios(StepFacts step) {

        List<Scenario> forward(Scenario base, ScenarioOutcome completed) {
            List<Scenario> all = new ArrayList<>();
            String name = step.name();
            SagaStatus[] once = {step.attempts() > 1 && !isFinal() ? SagaStatus.COMPLETED : givenUp()};
            SagaStatus[] always = {step.attempts() <= PATIENCE || isFinal() ? givenUp() : SagaStatus.COMPLETED};
            int times = step.attempts() <= PATIENCE ? StepFault.ALWAYS : PATIENCE;
            all.add(base.breaking("'%s' fails once".formatted(name), StepFault.before(name, 1), once));
            all.add(base.breaking("'%s' fails once after its work".formatted(name), StepFault.after(name, 1), once));
            all.add(base.breaking("'%s' fails always".formatted(name), StepFault.before(name, times), always));
            all.add(base.breaking(
                    "'%s' fails always after its work".formatted(name), StepFault.after(name, times), always));
            for (int i = 1; i <= completed.statements().getOrDefault(name, 0); i++) {
                all.add(base.breaking(
                        "statement %d of '%s' fails".formatted(i, name),
                        StepFault.inStatement(name, i),
                        step.failOn().isEmpty() ? once : new SagaStatus[] {once[0], givenUp()}));
            }
            if (step.request()) {
                replies(base, name, all);
            }
            return all;
        }

        List<Scenario> back(Scenario base, ScenarioOutcome turned) {
            List<Scenario> all = new ArrayList<>();
            String label = Label.of(step.name(), Direction.COMPENSATION);
            SagaStatus once = step.compensationAttempts() > 1 ? SagaStatus.COMPENSATED : SagaStatus.STUCK;
            SagaStatus always = step.compensationAttempts() <= PATIENCE ? SagaStatus.STUCK : SagaStatus.COMPENSATED;
            int times = step.compensationAttempts() <= PATIENCE ? StepFault.ALWAYS : PATIENCE;
            all.add(base.breaking("'%s' fails once".formatted(label), StepFault.before(label, 1), once));
            all.add(base.breaking("'%s' fails once after its work".formatted(label), StepFault.after(label, 1), once));
            all.add(base.breaking("'%s' fails always".formatted(label), StepFault.before(label, times), always));
            all.add(base.breaking(
                    "'%s' fails always after its work".formatted(label), StepFault.after(label, times), always));
            for (int i = 1; i <= turned.statements().getOrDefault(label, 0); i++) {
                all.add(base.breaking(
                        "statement %d of '%s' fails".formatted(i, label), StepFault.inStatement(label, i), once));
            }
            if (step.request()) {
                replies(base, label, all);
            }
            return all;
        }

        private void replies(Scenario base, String label, List<Scenario> all) {
            boolean back = !label.equals(step.name());
            for (ReplyFault fault : ReplyFault.values()) {
                String name = "'%s' %s".formatted(label, fault.words());
                if (!back || fault != ReplyFault.REFUSED) {
                    all.add(base.answering(name, label, fault, back ? back(fault) : forward(fault)));
                }
            }
        }

        private SagaStatus[] forward(ReplyFault fault) {
            return switch (fault) {
                case REFUSED -> new SagaStatus[] {step.retriable() ? SagaStatus.STUCK : SagaStatus.COMPENSATED};
                case TWICE, FOREIGN -> new SagaStatus[] {SagaStatus.COMPLETED};
                case LATE -> new SagaStatus[] {SagaStatus.COMPLETED, SagaStatus.COMPENSATED};
                case NEVER -> new SagaStatus[] {SagaStatus.COMPENSATED, SagaStatus.STUCK};
            };
        }

        private static SagaStatus[] back(ReplyFault fault) {
            return new SagaStatus[] {fault == ReplyFault.NEVER ? SagaStatus.STUCK : SagaStatus.COMPENSATED};
        }

        /** Where the saga goes when the step has failed for good. */
        private SagaStatus givenUp() {
            boolean open = step.pivot() && !step.local() && !step.request();
            return step.retriable() || open ? SagaStatus.STUCK : SagaStatus.COMPENSATED;
        }

        private boolean isFinal() {
            return step.failOn().stream().anyMatch(type -> type.isAssignableFrom(InjectedFailure.class));
        }
    }
}

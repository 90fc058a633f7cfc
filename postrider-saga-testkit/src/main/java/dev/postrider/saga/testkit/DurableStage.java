package dev.postrider.saga.testkit;

import dev.postrider.database.FaultPoint;
import dev.postrider.saga.DefinitionProbe;
import dev.postrider.saga.SagaDefinition;
import dev.postrider.saga.SagaDetails;
import dev.postrider.saga.SagaEngine;
import dev.postrider.saga.SagaHandle;
import dev.postrider.saga.SagaStatus;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Runs one scenario of a saga that runs step by step, and checks what is left. */
final class DurableStage<C> {

    private final Setup<C> setup;
    private final Evidence evidence;
    private final Map<String, ScenarioOutcome> paths;
    private final Scenario scenario;
    private final DefinitionProbe<C> probe;
    private final Sabotage<C> sabotage;
    private final List<String> violations = new ArrayList<>();

    /** Compares with {@code paths}, the outcomes of scenarios that ran before. */
    DurableStage(Setup<C> setup, Evidence evidence, Map<String, ScenarioOutcome> paths, Scenario scenario) {
        this.setup = setup;
        this.evidence = evidence;
        this.paths = paths;
        this.scenario = scenario;
        this.probe = setup.probe();
        this.sabotage = new Sabotage<>(probe, scenario.steps());
    }

    ScenarioOutcome run() {
        C context = setup.start().get();
        Object before = setup.effects(context);
        Set<UUID> known = evidence.messages();
        SagaDefinition<C> watched = probe.watched(sabotage);
        SagaEngine starter = setup.engine(watched, Driver.CLAIM);
        SagaHandle<C> saga = Setup.start(starter, watched, "saga-test-" + UUID.randomUUID(), context);
        Participants<C> participants = new Participants<>(setup, scenario.replies());
        PointFault fault = scenario.point();
        boolean slow = fault != null && fault.act() == PointFault.Act.SLOW;
        Driver<C> driver = new Driver<>(
                saga.sagaId(), setup, evidence, participants, claimFor -> setup.engine(watched, claimFor), slow);
        Points points = new Points(sabotage::last, () -> evidence.isFree(saga.sagaId()), fault, driver::act);
        sabotage.inside(() -> points.accept(PointFault.INSIDE));
        drive(driver, points);
        if (fault != null && !points.happened()) {
            violations.add("The saga did not come to " + fault.point() + " after " + fault.after()
                    + " this time: does it depend on chance?");
        }
        String outcome = rest(driver, context, before, known);
        violations.addAll(driver.violations());
        violations.addAll(participants.violations());
        SagaDetails end = driver.details();
        SagaTestReport.Line line =
                new SagaTestReport.Line(scenario.name(), outcome, Trail.of(end.journal()), violations, saga.mermaid());
        return new ScenarioOutcome(
                line,
                !end.saga().status().active(),
                setup.effects(context),
                fresh(known).size(),
                points.hits(),
                sabotage.statements());
    }

    private void drive(Driver<C> driver, Points points) {
        FaultPoint.install(points);
        try {
            if (scenario.point() != null && scenario.point().matches(Label.START, Label.START)) {
                points.accept(Label.START);
            }
            driver.drive();
        } finally {
            FaultPoint.install(null);
        }
    }

    /** Checks the saga where it has come to rest; if it is stuck, again after an operator has let it go on. */
    private String rest(Driver<C> driver, C context, Object before, Set<UUID> known) {
        SagaDetails saga = driver.details();
        SagaStatus status = saga.saga().status();
        if (!scenario.expected().contains(status)) {
            violations.add("The saga is %s%s but should be %s".formatted(status, why(saga), scenario.expected()));
        }
        check(driver, context, before, known);
        sabotage.heal();
        if (!violations.isEmpty() || !driver.retry()) {
            return status.name();
        }
        SagaStatus end = driver.details().saga().status();
        if (!end.finished()) {
            violations.add("After a retry with everything working the saga is still %s".formatted(end));
        }
        check(driver, context, before, known);
        return "%s, after retry %s".formatted(status, end);
    }

    private static String why(SagaDetails saga) {
        return saga.saga().failure() == null ? "" : " because of " + saga.saga().failure();
    }

    private void check(Driver<C> driver, C context, Object before, Set<UUID> known) {
        SagaDetails saga = driver.details();
        Set<UUID> messages = fresh(known);
        violations.addAll(
                Invariants.check(probe.steps(), saga, evidence.marks(saga.saga().id())));
        violations.addAll(Invariants.messages(saga, sabotage.messages(), messages));
        driver.checkHealth();
        sabotage.losses()
                .forEach(step -> violations.add(
                        "The context that step '%s' hands on is another one after it was stored: look at the codec"
                                .formatted(step)));
        sameMessages(messages.size());
        effects(saga.saga().status(), before, setup.effects(context));
    }

    private void sameMessages(int messages) {
        ScenarioOutcome path = paths.get(scenario.path());
        if (scenario.isInvisible() && path != null && path.messages() != messages) {
            violations.add(
                    "D1: %d messages were enqueued, but %d without the fault".formatted(messages, path.messages()));
        }
    }

    private void effects(SagaStatus status, Object before, Object after) {
        ScenarioOutcome completed = paths.get(Scenario.NO_FAULT);
        if (status == SagaStatus.COMPENSATED && !after.equals(before)) {
            violations.add("The saga is COMPENSATED but its effects are %s; before it began they were %s"
                    .formatted(after, before));
        }
        if (status == SagaStatus.COMPLETED && completed != null && !after.equals(completed.effects())) {
            violations.add("The saga is COMPLETED but its effects are %s; without a fault they are %s%s"
                    .formatted(after, completed.effects(), swallowed()));
        }
    }

    private String swallowed() {
        return sabotage.swallowed().isEmpty()
                ? ""
                : " (an error of the database was swallowed by %s)".formatted(sabotage.swallowed());
    }

    private Set<UUID> fresh(Set<UUID> known) {
        Set<UUID> messages = new HashSet<>(evidence.messages());
        messages.removeAll(known);
        return messages;
    }
}

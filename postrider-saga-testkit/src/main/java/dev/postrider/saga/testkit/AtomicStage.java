package dev.postrider.saga.testkit;

import dev.postrider.database.FaultPoint;
import dev.postrider.saga.LocalSaga;
import dev.postrider.saga.LocalSagaDefinition;
import dev.postrider.saga.SagaDefinition;
import dev.postrider.saga.SagaResult;
import dev.postrider.saga.SagaStatus;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Runs one scenario of a saga that is a single transaction, and checks what is left. */
final class AtomicStage<C> {

    private final Setup<C> setup;
    private final Evidence evidence;
    private final Map<String, ScenarioOutcome> paths;
    private final Scenario scenario;
    private final Sabotage<C> sabotage;
    private final List<String> violations = new ArrayList<>();
    private boolean crashed;

    /** Compares with {@code paths}, the outcomes of scenarios that ran before. */
    AtomicStage(Setup<C> setup, Evidence evidence, Map<String, ScenarioOutcome> paths, Scenario scenario) {
        this.setup = setup;
        this.evidence = evidence;
        this.paths = paths;
        this.scenario = scenario;
        this.sabotage = new Sabotage<>(setup.probe(), scenario.steps());
    }

    ScenarioOutcome run() {
        C context = setup.start().get();
        Object before = setup.effects(context);
        Set<UUID> known = evidence.messages();
        SagaDefinition<C> watched = setup.probe().watched(sabotage);
        LocalSaga<C> saga = setup.engine(watched, Driver.CLAIM).saga((LocalSagaDefinition<C>) watched);
        String key = "saga-test-" + UUID.randomUUID();
        Points points = new Points(sabotage::last, () -> false, scenario.point(), fault -> {
            throw new Crash(fault.point());
        });
        SagaResult<C> first = execute(saga, key, context, points);
        check(first.status(), before, setup.effects(context), fresh(known));
        SagaResult<C> second = again(saga, key, context, first);
        check(second.status(), before, setup.effects(context), fresh(known));
        marks(first, second);
        String outcome = crashed ? "crash, then " + second.status() : first.status() + ", then " + second.status();
        String why = first.failure().map(Object::toString).orElse("");
        return new ScenarioOutcome(
                new SagaTestReport.Line(scenario.name(), outcome, why, violations, ""),
                true,
                setup.effects(context),
                fresh(known).size(),
                points.hits(),
                sabotage.statements());
    }

    private SagaResult<C> execute(LocalSaga<C> saga, String key, C context, Points points) {
        FaultPoint.install(points);
        try {
            SagaResult<C> result = saga.execute(key, context);
            if (!scenario.expected().contains(result.status())) {
                violations.add("The saga is %s%s but should be %s"
                        .formatted(
                                result.status(),
                                result.failure()
                                        .map(each -> " because of " + each)
                                        .orElse(""),
                                scenario.expected()));
            }
            return result;
        } catch (Crash e) {
            crashed = true;
            FaultPoint.install(null);
            return saga.execute(key, context);
        } finally {
            FaultPoint.install(null);
        }
    }

    /** Executes it once more with the same key: a saga that is completed does nothing, one that was not completes. */
    private SagaResult<C> again(LocalSaga<C> saga, String key, C context, SagaResult<C> first) {
        sabotage.heal();
        SagaResult<C> second = saga.execute(key, context);
        if (first.status() == SagaStatus.COMPLETED && !second.sagaId().equals(first.sagaId())) {
            violations.add("A4: two sagas were executed for one business key");
        }
        if (second.status() != SagaStatus.COMPLETED) {
            violations.add("With everything working the saga is %s%s"
                    .formatted(
                            second.status(),
                            second.failure().map(each -> " because of " + each).orElse("")));
        }
        return second;
    }

    private void check(SagaStatus status, Object before, Object after, Set<UUID> messages) {
        ScenarioOutcome completed = paths.get(Scenario.NO_FAULT);
        boolean done = status == SagaStatus.COMPLETED;
        Set<UUID> expected = new HashSet<>();
        if (done) {
            sabotage.messages().values().forEach(expected::addAll);
        }
        if (!messages.containsAll(expected) || (!done && !messages.isEmpty())) {
            violations.add("A1: the saga is %s but left %d messages; its steps enqueued %d"
                    .formatted(status, messages.size(), expected.size()));
        }
        if (done && completed != null && completed.messages() != messages.size()) {
            violations.add("A3: %d messages were enqueued, but %d without the fault"
                    .formatted(messages.size(), completed.messages()));
        }
        if (!done && !after.equals(before)) {
            violations.add("A1: the saga is %s but its effects are %s; before it began they were %s"
                    .formatted(status, after, before));
        }
        if (done && completed != null && !after.equals(completed.effects())) {
            violations.add("A1: the saga is COMPLETED but its effects are %s; without a fault they are %s"
                    .formatted(after, completed.effects()));
        }
        sabotage.ran().stream()
                .filter(each -> each.startsWith("undo "))
                .forEach(each -> violations.add("A5: '%s' was called".formatted(each)));
    }

    private void marks(SagaResult<C> first, SagaResult<C> second) {
        if (first.status() != SagaStatus.COMPLETED
                && !evidence.marks(first.sagaId()).isEmpty()) {
            violations.add("A1: the saga was rolled back but a step of it was committed");
        }
        evidence.marks(second.sagaId()).forEach((label, times) -> {
            if (times != 1) {
                violations.add("A4: the transaction of '%s' was committed %d times".formatted(label, times));
            }
        });
    }

    private Set<UUID> fresh(Set<UUID> known) {
        Set<UUID> messages = new HashSet<>(evidence.messages());
        messages.removeAll(known);
        return messages;
    }
}

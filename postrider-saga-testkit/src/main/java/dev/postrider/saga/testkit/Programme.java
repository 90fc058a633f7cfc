package dev.postrider.saga.testkit;

import dev.postrider.saga.LocalSagaDefinition;
import dev.postrider.saga.SagaDefinition;
import dev.postrider.saga.SagaStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Runs all scenarios of a definition, or one of them after those it is compared with. */
final class Programme<C> {

    private static final ScenarioOutcome NONE =
            new ScenarioOutcome(new SagaTestReport.Line("", "", "", List.of(), ""), true, "", 0, Set.of(), Map.of());

    private final Setup<C> setup;
    private final @Nullable String only;
    private final Map<String, String> exceptions;
    private final Evidence evidence;
    private final Scenarios<C> scenarios;
    private final Map<String, ScenarioOutcome> paths = new HashMap<>();
    private final List<SagaTestReport.Line> lines = new ArrayList<>();

    /** Runs only the scenario of this name, unless it is null, and none of the exceptions. */
    Programme(Setup<C> setup, @Nullable String only, Map<String, String> exceptions) {
        this.setup = setup;
        this.only = only;
        this.exceptions = exceptions;
        this.evidence = new Evidence(setup.dataSource());
        this.scenarios = new Scenarios<>(setup.probe());
    }

    SagaTestReport run() {
        evidence.prepare();
        if (setup.probe().atomicOnly()) {
            atomicOnly();
        } else {
            durable();
        }
        checkNames();
        SagaDefinition<C> definition = setup.definition();
        return new SagaTestReport("%s v%d".formatted(definition.name(), definition.version()), lines);
    }

    // After a run that ended early some scenarios are not there.
    private void checkNames() {
        Set<String> names = new HashSet<>(exceptions.keySet());
        if (only != null) {
            names.clear();
            names.add(only);
        }
        lines.forEach(each -> names.remove(each.scenario()));
        if (lines.stream().allMatch(each -> each.violations().isEmpty()) && !names.isEmpty()) {
            throw new IllegalArgumentException(
                    "There is no scenario '%s'".formatted(names.iterator().next()));
        }
    }

    private void atomicOnly() {
        ScenarioOutcome completed = path(Scenario.atomic("no fault", SagaStatus.COMPLETED));
        paths.put(Scenario.NO_FAULT, completed);
        if (sound()) {
            scenarios.atomic(completed).stream().skip(1).forEach(this::play);
        }
    }

    private void durable() {
        Scenario completing = Scenario.noFault();
        ScenarioOutcome completed = path(completing);
        if (!sound()) {
            return;
        }
        Optional<Scenario> back = scenarios.turningBack();
        ScenarioOutcome turned = back.map(this::path).orElse(NONE);
        List<Scenario> all = new ArrayList<>(scenarios.failures(completing, completed, back, turned));
        all.addAll(scenarios.interruptions(completing, completed));
        back.ifPresent(path -> all.addAll(scenarios.interruptions(path, turned)));
        if (setup.definition() instanceof LocalSagaDefinition) {
            all.addAll(scenarios.atomic(completed));
        }
        for (Scenario each : all) {
            if (!play(each)) {
                return;
            }
        }
    }

    /** Runs a scenario that others are compared with. */
    private ScenarioOutcome path(Scenario scenario) {
        ScenarioOutcome outcome = stage(scenario);
        paths.put(scenario.name(), outcome);
        lines.add(outcome.line());
        return outcome;
    }

    // A definition that does not even work without a fault has nothing to compare with.
    private boolean sound() {
        return lines.get(0).violations().isEmpty();
    }

    // The engines of further scenarios would run a saga that has not ended as well.
    private boolean play(Scenario scenario) {
        String exception = exceptions.get(scenario.name());
        if (exception != null) {
            lines.add(new SagaTestReport.Line(scenario.name(), "left out: " + exception, "", List.of(), ""));
        } else if (only == null || only.equals(scenario.name())) {
            ScenarioOutcome outcome = stage(scenario);
            lines.add(outcome.line());
            return outcome.rests();
        }
        return true;
    }

    private ScenarioOutcome stage(Scenario scenario) {
        try {
            return scenario.atomic()
                    ? new AtomicStage<>(setup, evidence, paths, scenario).run()
                    : new DurableStage<>(setup, evidence, paths, scenario).run();
        } catch (RuntimeException e) {
            throw new AssertionError("SagaTest failed in scenario '%s'".formatted(scenario.name()), e);
        }
    }
}

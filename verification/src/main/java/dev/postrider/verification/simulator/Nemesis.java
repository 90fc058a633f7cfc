package dev.postrider.verification.simulator;

import java.util.List;

/** Makes things go wrong, as often as the plan says. */
final class Nemesis {

    private final Simulation simulation;
    private final Dice dice;
    private boolean healed;

    /** What can go wrong with a process or with everything around it. */
    private enum Fault {
        CRASH,
        FREEZE,
        SUSPEND,
        SLOW,
        STORE_FLAKY,
        STORE_DOWN,
        DEAD_REFUSED,
        ROWS_LOCKED,
        JOURNAL_FORGOTTEN,
        TOPIC_DOWN,
        BROKER_FLAKY,
        BROKER_SILENT,
        JOIN,
        STOP
    }

    private static final List<Fault> ANY = List.of(Fault.values());
    private static final List<Fault> GRACEFUL = List.of(Fault.JOIN, Fault.STOP, Fault.STOP);

    Nemesis(Simulation simulation, Dice dice) {
        this.simulation = simulation;
        this.dice = dice;
    }

    void start() {
        Plan plan = simulation.plan();
        boolean graceful = plan.kind() == Plan.Kind.GRACEFUL;
        int count = graceful ? dice.between(1, 5) : plan.faults();
        for (int i = 0; i < count; i++) {
            Fault fault = dice.pick(graceful ? GRACEFUL : ANY);
            simulation.scheduler().after(dice.random().nextLong(plan.faultPhase()), () -> strike(fault));
        }
    }

    void heal() {
        healed = true;
    }

    private void strike(Fault fault) {
        List<RelayProcess> running = simulation.running();
        if (healed || running.isEmpty()) {
            return;
        }
        RelayProcess victim = dice.pick(running);
        note(fault, victim);
        long own = simulation.plan().relay().times().ownFor().toNanos();
        switch (fault) {
            case CRASH -> victim.crash();
            case FREEZE -> victim.freeze(own / 2 + dice.random().nextLong(own * 3), false);
            case SUSPEND -> victim.freeze(own / 2 + dice.random().nextLong(own * 3), true);
            case SLOW -> victim.slow(dice.millis(100, 1_500));
            case STORE_FLAKY -> {
                simulation.weather().storeFails = dice.between(100, 500);
                calmAfter(dice.millis(100, 1_500));
            }
            case STORE_DOWN ->
                simulation.weather().storeDown(simulation.scheduler().now() + dice.millis(50, 1_500));
            case DEAD_REFUSED ->
                simulation.weather().refuseDead(simulation.scheduler().now() + dice.millis(50, 3_000));
            case ROWS_LOCKED -> lockRows();
            case JOURNAL_FORGOTTEN -> simulation.forgetJournal();
            case TOPIC_DOWN ->
                simulation
                        .weather()
                        .topicDown(
                                dice.pick(Plan.TOPICS), simulation.scheduler().now() + dice.millis(50, 2_000));
            case BROKER_FLAKY -> {
                simulation.weather().brokerFails = dice.between(200, 800);
                simulation.weather().publishThrows = dice.between(0, 200);
                calmAfter(dice.millis(100, 1_500));
            }
            case BROKER_SILENT -> {
                simulation.weather().brokerSilent = dice.between(200, 800);
                calmAfter(dice.millis(100, 1_500));
            }
            case JOIN -> simulation.startProcess();
            case STOP -> victim.stop();
        }
    }

    private void lockRows() {
        long until = simulation.scheduler().now() + dice.millis(50, 3_000);
        List<Long> seqs = simulation.observer().seqs();
        for (int i = dice.between(1, 4); i > 0 && !seqs.isEmpty(); i--) {
            simulation.weather().lock(dice.pick(seqs), until);
        }
    }

    private void calmAfter(long nanos) {
        simulation.scheduler().after(nanos, simulation.weather()::calm);
    }

    private void note(Fault fault, RelayProcess victim) {
        simulation.observer().note(Fact.Kind.FAULT, victim.number(), Fact.NOBODY, fault.name());
    }
}

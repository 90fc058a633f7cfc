package dev.postrider.verification.simulator;

import dev.postrider.spi.OutboxStore;
import dev.postrider.testkit.InMemoryOutboxStore;
import dev.postrider.testkit.InMemoryTransaction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** One history from its seed to its end. The same seed gives the same history. For one thread. */
final class Simulation {

    private static final long SLICE = 200_000_000L;
    private static final long DRAIN_LIMIT = 120_000_000_000L;
    private static final int MOST_PROCESSES = 60;

    private final Plan plan;
    private final Mutant mutant;
    private final Scheduler scheduler = new Scheduler();
    private final Weather weather;
    private final History history;
    private final Observer observer;
    private final InMemoryOutboxStore store;
    private final ForgetfulStore server;
    private final OutboxStore mutatedStore;
    private final Broker broker;
    private final Producers producers;
    private final Operator operator;
    private final Nemesis nemesis;
    private final Dice dice;
    private long clockError;
    private final List<RelayProcess> processes = new ArrayList<>();

    private Simulation(Plan plan, Mutant mutant) {
        this.plan = plan;
        this.mutant = mutant;
        this.dice = new Dice(plan.seed() ^ 0x5DEECE66DL);
        this.weather = new Weather(plan.kind() == Plan.Kind.CHAOS ? dice.between(0, 25) : 0);
        this.history = new History(plan);
        this.store = new InMemoryOutboxStore(() -> Instant.EPOCH.plusNanos(scheduler.now() + clockError));
        this.server = new ForgetfulStore(store);
        this.mutatedStore = mutant.storeSide(server, store);
        this.observer = new Observer(store, history, scheduler::now);
        this.broker = new Broker(this, dice.split());
        this.producers = new Producers(this, dice.split());
        this.operator = new Operator(this, mutant.admin(store), store.relays(), dice.split());
        this.nemesis = new Nemesis(this, dice.split());
    }

    static History run(long seed, Mutant mutant) {
        Simulation simulation = new Simulation(Plan.of(seed), mutant);
        simulation.run();
        return simulation.history;
    }

    private void run() {
        if (plan.kind() == Plan.Kind.LIMITS) {
            runAtLimits();
            return;
        }
        producers.start();
        nemesis.start();
        operator.start();
        for (int i = 0; i < plan.relays(); i++) {
            scheduler.after(dice.millis(0, 100), this::startProcess);
        }
        scheduler.after(0, this::watch);
        scheduler.runUntil(plan.faultPhase());
        heal();
        boolean drained = drain(producers::isDone);
        if (drained && observer.anyDead() && dice.permille(500)) {
            operator.clearDead();
            drained = drain(producers::isDone);
        }
        end(drained);
    }

    private void runAtLimits() {
        LimitProducers limits = new LimitProducers(this, store, dice.split());
        limits.start();
        int relays = dice.between(1, plan.limits().mostRelays());
        for (int i = 0; i < relays; i++) {
            scheduler.after(dice.millis(0, 100), this::startProcess);
        }
        end(drain(limits::isDone));
    }

    private void end(boolean drained) {
        // Late copies at the broker belong to the history too.
        scheduler.runUntil(scheduler.now() + SLICE);
        observer.look(Fact.NOBODY, "unseen");
        observer.note(Fact.Kind.ENDED, Fact.NOBODY, Fact.NOBODY, drained ? 1 : 0, scheduler.count(), "");
    }

    private void heal() {
        nemesis.heal();
        operator.resumeAll();
        weather.heal();
        processes.forEach(RelayProcess::thaw);
        observer.note(Fact.Kind.HEALED, Fact.NOBODY, Fact.NOBODY, "");
    }

    private boolean drain(BooleanSupplier done) {
        long limit = scheduler.now() + DRAIN_LIMIT + plan.limits().longest();
        while (scheduler.now() < limit) {
            scheduler.runUntil(scheduler.now() + SLICE);
            if (done.getAsBoolean() && observer.isDrained()) {
                return true;
            }
        }
        return false;
    }

    /** Somebody restarts what died: there are always two processes that will run. */
    private void watch() {
        long waiting = processes.stream()
                .filter(process -> process.isAlive() && !process.isStopping())
                .count();
        if (waiting < 2) {
            startProcess();
        }
        scheduler.after(dice.millis(200, 600), this::watch);
    }

    void startProcess() {
        if (processes.size() < MOST_PROCESSES) {
            RelayProcess process = new RelayProcess(processes.size(), this, dice.split());
            processes.add(process);
            process.start();
        }
    }

    OutboxStore storeOf(int process) {
        long error = mutant.clockError(process);
        return error == 0 ? mutatedStore : new WallClockStore(mutatedStore, error, value -> clockError = value);
    }

    /** The server crashes and comes back without the end of its journal. */
    void forgetJournal() {
        server.forget(dice.between(1, 8));
    }

    InMemoryTransaction begin() {
        return store.begin();
    }

    void damage(PlannedMessage message) {
        store.damage(message.message().id(), "damaged");
        observer.note(Fact.Kind.DAMAGED, Fact.NOBODY, message.number(), "");
    }

    /** From now on the message is delivered like any other. */
    void cure(PlannedMessage message) {
        broker.cure(message.number());
        if (message.nature() == PlannedMessage.Nature.DAMAGED) {
            store.repair(message.message().id());
            observer.note(Fact.Kind.REPAIRED, Fact.NOBODY, message.number(), "");
        }
    }

    /** The processes a fault can hit. */
    List<RelayProcess> running() {
        return processes.stream()
                .filter(process -> process.isAlive() && !process.isStopping())
                .toList();
    }

    Plan plan() {
        return plan;
    }

    Mutant mutant() {
        return mutant;
    }

    Scheduler scheduler() {
        return scheduler;
    }

    Weather weather() {
        return weather;
    }

    History history() {
        return history;
    }

    Observer observer() {
        return observer;
    }

    Broker broker() {
        return broker;
    }
}

package dev.postrider.verification.simulator;

import dev.postrider.relay.SteppedRelay;
import dev.postrider.relay.SteppedRelay.Step;
import dev.postrider.spi.OutboxStore;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * One operating system process with a relay in it, which can be frozen, killed or stopped gracefully in the middle of
 * anything.
 */
final class RelayProcess {

    private static final long STOP_TIMEOUT = 3_000_000_000L;
    private static final long STOP_POLL = 5_000_000L;

    // Calls end in the reverse order of their beginning, so one that takes long holds up others.
    private static final long NOTICEABLE = 50_000_000L;

    private final int number;
    private final Scheduler scheduler;
    private final Observer observer;
    private final ProcessClock clock;
    private final Limits limits;
    private final SteppedRelay relay;
    private final Map<Step, StepLoop> loops = new EnumMap<>(Step.class);
    private boolean alive = true;
    private boolean stopping;
    private boolean ordering;
    private long frozenUntil;
    private long slowUntil;

    RelayProcess(int number, Simulation simulation, Dice dice) {
        this.number = number;
        this.scheduler = simulation.scheduler();
        this.observer = simulation.observer();
        this.clock = new ProcessClock(scheduler::now, dice, Plan.DRIFT);
        Mutant mutant = simulation.mutant();
        OutboxStore server = simulation.storeOf(number);
        OutboxStore store =
                new FaultyStore(new ObservedStore(server, number, observer), this, simulation, dice.split());
        this.limits = simulation.plan().limits();
        Mutant.Relay surroundings = mutant.relaySide(
                new Mutant.Relay(store, server, simulation.broker().publisherOf(this)), this);
        this.relay = new SteppedRelay(
                surroundings.store(),
                surroundings.publisher(),
                simulation.plan().named(mutant.name(number)),
                new SteppedRelay.Surroundings(mutant.clock(clock), dice.split().random(), this::wake));
        for (Step step : Step.values()) {
            loops.put(step, new StepLoop(this, relay, step, simulation, dice.split()));
        }
    }

    int number() {
        return number;
    }

    boolean isAlive() {
        return alive;
    }

    boolean isStopping() {
        return stopping;
    }

    /** Whether a step is in the store under the relay's order lock. */
    boolean isOrdering() {
        return ordering;
    }

    boolean isFrozen() {
        return frozenUntil > scheduler.now();
    }

    long frozenFor() {
        return frozenUntil - scheduler.now();
    }

    void start() {
        observer.note(Fact.Kind.STARTED, number, Fact.NOBODY, "");
        loops.values().forEach(StepLoop::start);
    }

    /** Lets time pass inside a call; throws if the process dies meanwhile, and returns late if it is frozen. */
    void pass(long nanos) {
        long since = observer.now();
        long planned = scheduler.now() + nanos;
        if (nanos > 0 && scheduler.mayNest()) {
            scheduler.runUntil(planned);
        }
        while (alive && isFrozen()) {
            scheduler.runUntil(frozenUntil);
        }
        if (!alive) {
            throw new ProcessDied();
        }
        if (scheduler.now() > planned + NOTICEABLE) {
            observer.note(Fact.Kind.FAULT, number, Fact.NOBODY, 0, since, "held up");
        }
    }

    long now() {
        return scheduler.now();
    }

    /** How long half a call to the store takes. */
    long storeLatency(Dice dice) {
        return limits.latency().toNanos() / 2 + latency(dice);
    }

    /** How long a call takes; most take no time at all, so that a history stays short. */
    long latency(Dice dice) {
        int roll = dice.between(1, 1_000);
        if (slowUntil > scheduler.now()) {
            return dice.millis(0, roll < 200 ? 900 : 60);
        }
        return roll <= 750 ? 0 : roll <= 990 ? dice.millis(0, 3) : dice.millis(5, 60);
    }

    /** Runs what the relay does under its order lock, which a lone thread cannot wait for. */
    <T> T inOrder(Supplier<T> action) {
        if (loop(Step.FETCH).isBusy()) {
            throw new LockTaken();
        }
        ordering = true;
        try {
            return action.get();
        } finally {
            ordering = false;
        }
    }

    void freeze(long nanos, boolean suspend) {
        frozenUntil = Math.max(frozenUntil, scheduler.now() + nanos);
        if (suspend) {
            clock.stop();
        }
        observer.note(suspend ? Fact.Kind.SUSPENDED : Fact.Kind.FROZEN, number, Fact.NOBODY, 0, frozenUntil, "");
        scheduler.after(nanos, this::thawIfDue);
    }

    void thaw() {
        frozenUntil = 0;
        slowUntil = 0;
        clock.goOn();
    }

    private void thawIfDue() {
        if (!isFrozen()) {
            clock.goOn();
        }
    }

    void slow(long nanos) {
        slowUntil = scheduler.now() + nanos;
    }

    void crash() {
        if (alive) {
            alive = false;
            observer.note(Fact.Kind.CRASHED, number, Fact.NOBODY, "");
        }
    }

    /** Stops gracefully. */
    void stop() {
        if (stopping || !alive) {
            return;
        }
        stopping = true;
        relay.stopClaiming();
        awaitIdle(scheduler.now() + STOP_TIMEOUT);
    }

    private void awaitIdle(long deadline) {
        if (!alive) {
            return;
        }
        boolean over = relay.isIdle() || scheduler.now() > deadline;
        if (isFrozen() || !over || loops.values().stream().anyMatch(StepLoop::isBusy)) {
            scheduler.after(STOP_POLL, () -> awaitIdle(deadline));
            return;
        }
        if (!relay.isIdle()) {
            observer.note(Fact.Kind.STOPPED_BUSY, number, Fact.NOBODY, "");
        }
        loops.values().forEach(StepLoop::stop);
        leave();
    }

    private void leave() {
        try {
            relay.leave();
        } catch (SimulatedFailure | ProcessDied e) {
            observer.note(Fact.Kind.STEP_FAILED, number, Fact.NOBODY, "leave");
        }
        alive = false;
    }

    private void wake(Step step) {
        loop(step).wake();
    }

    private StepLoop loop(Step step) {
        return Objects.requireNonNull(loops.get(step));
    }

    /** Stands for waiting on a lock that another step of this process holds. */
    static final class LockTaken extends RuntimeException {

        private static final long serialVersionUID = 1;

        LockTaken() {
            super("Another step holds the order lock", null, false, false);
        }
    }
}

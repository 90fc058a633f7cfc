package dev.postrider.verification.simulator;

import dev.postrider.relay.SteppedRelay;
import dev.postrider.relay.SteppedRelay.Step;

/** Stands for the thread that runs one step of a relay over and over. */
final class StepLoop {

    private final RelayProcess process;
    private final SteppedRelay relay;
    private final Step step;
    private final Scheduler scheduler;
    private final Observer observer;
    private final Dice dice;
    private boolean busy;
    private boolean again;
    private boolean stopped;
    private long due = Long.MAX_VALUE;
    private int version;

    StepLoop(RelayProcess process, SteppedRelay relay, Step step, Simulation simulation, Dice dice) {
        this.process = process;
        this.relay = relay;
        this.step = step;
        this.scheduler = simulation.scheduler();
        this.observer = simulation.observer();
        this.dice = dice;
    }

    void start() {
        schedule(dice.millis(0, 20));
    }

    void stop() {
        stopped = true;
    }

    boolean isBusy() {
        return busy;
    }

    /** Raises the thread's signal. */
    void wake() {
        again = true;
        if (!busy) {
            schedule(dice.millis(0, 3));
        }
    }

    private void schedule(long wait) {
        long at = scheduler.now() + wait;
        if (due <= at) {
            return;
        }
        due = at;
        int mine = ++version;
        scheduler.after(wait, () -> run(mine));
    }

    private void run(int mine) {
        if (mine != version || stopped || !process.isAlive()) {
            return;
        }
        due = Long.MAX_VALUE;
        if (process.isFrozen()) {
            schedule(process.frozenFor() + dice.millis(0, 3));
        } else if (step == Step.FETCH && process.isOrdering()) {
            schedule(dice.millis(0, 2));
        } else {
            busy = true;
            again = false;
            long wait = turn();
            busy = false;
            schedule(again ? dice.millis(0, 3) : wait);
        }
    }

    private long turn() {
        try {
            return jitter(relay.turn(step));
        } catch (ProcessDied e) {
            return 0;
        } catch (RelayProcess.LockTaken e) {
            return dice.millis(0, 2);
        } catch (SimulatedFailure e) {
            observer.note(Fact.Kind.STEP_FAILED, process.number(), Fact.NOBODY, step.name());
        } catch (RuntimeException e) {
            observer.note(Fact.Kind.STEP_FAILED, process.number(), Fact.NOBODY, "BUG in " + step + ": " + e);
        }
        return relay.pause(step);
    }

    private long jitter(long wait) {
        return switch (step) {
            case FETCH -> wait + dice.millis(0, 5);
            case SEND, SETTLE -> wait == 0 ? 0 : wait * dice.between(1, 6);
            case KEEP, TIDY -> wait + dice.millis(0, 40);
        };
    }
}

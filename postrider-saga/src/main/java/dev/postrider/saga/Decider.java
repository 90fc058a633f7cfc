package dev.postrider.saga;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Decides what a saga does next, from its definition, its journal and the database's clock alone. Has no effect; the
 * same progress always leads to the same decision.
 */
final class Decider<C> {

    private final Progress<C> progress;

    private Decider(Progress<C> progress) {
        this.progress = progress;
    }

    static <C> Next<C> next(Progress<C> progress) {
        Decider<C> decider = new Decider<>(progress);
        return progress.direction() == Direction.COMPENSATION ? decider.back() : decider.forward();
    }

    /** Decides after a step has said that no repetition can help; its last entry is part of the progress. */
    static <C> Next<C> afterFinalFailure(Progress<C> progress, SagaFailure failure) {
        return new Decider<>(progress).giveUp(failure);
    }

    private Next<C> forward() {
        if (progress.blueprint().steps().stream().allMatch(step -> progress.isDone(step.name()))) {
            return Next.end(SagaStatus.COMPLETED);
        }
        Optional<SagaFailure> refused = refused();
        if (refused.isPresent()) {
            return giveUp(refused.get());
        }
        Optional<Duration> deadline = deadline();
        if (deadline.isPresent() && deadline.get().isZero()) {
            return Next.turnBack(new SagaFailure(null, Reasons.DEADLINE, "The saga did not end in time"));
        }
        return forward(deadline.orElse(null));
    }

    // No repetition helps against a refusal. A person who retries the saga or skips the step removes the failure.
    private Optional<SagaFailure> refused() {
        return Optional.ofNullable(progress.row().state().failure())
                .filter(failure -> failure.type().equals(Reasons.REFUSED))
                .filter(failure -> progress.journal().stream()
                        .anyMatch(each -> each.direction() == Direction.FORWARD
                                && each.status() == StepStatus.FAILED
                                && each.step().equals(failure.step())));
    }

    private Next<C> forward(@Nullable Duration deadline) {
        boolean retries = false;
        Duration soonest = deadline;
        for (Step<C> step : ready()) {
            JournalEntry entry = progress.entry(step, Direction.FORWARD).orElse(null);
            if (entry == null) {
                return Next.run(step, 1);
            }
            Duration left = left(step, entry);
            if (left.isZero() || isExhausted(step, entry)) {
                return again(step, entry);
            }
            retries |= entry.status() != StepStatus.WAITING;
            soonest = sooner(soonest, left);
        }
        return Next.await(retries ? SagaStatus.RUNNING : SagaStatus.WAITING, soonest == null ? Duration.ZERO : soonest);
    }

    private List<Step<C>> ready() {
        return progress.blueprint().steps().stream()
                .filter(step -> !progress.isDone(step.name()))
                .filter(step -> step.after().stream().allMatch(progress::isDone))
                .toList();
    }

    private static boolean isExhausted(Step<?> step, JournalEntry entry) {
        return entry.status() != StepStatus.WAITING
                && entry.attempts() >= step.rules().retry().maxAttempts();
    }

    private Next<C> again(Step<C> step, JournalEntry entry) {
        boolean forgiven = entry.attempts() == 0;
        if (forgiven) {
            return Next.run(step, 1);
        }
        boolean silent = entry.status() == StepStatus.WAITING;
        if (silent && step.request().onTimeout() == OnTimeout.WAIT_FOR_SIGNAL) {
            return Next.stuck(overdue(step));
        }
        boolean givesUp = silent && step.request().onTimeout() == OnTimeout.COMPENSATE;
        if (!givesUp && entry.attempts() < step.rules().retry().maxAttempts()) {
            return Next.run(step, entry.attempts() + 1);
        }
        return giveUp(silent ? overdue(step) : new SagaFailure(step.name(), Reasons.ATTEMPTS_EXHAUSTED, entry.error()));
    }

    private Next<C> giveUp(SagaFailure failure) {
        return progress.mayTurnBack() ? Next.turnBack(failure) : Next.stuck(failure);
    }

    private Next<C> back() {
        Optional<Step<C>> pivot = openPivot();
        if (pivot.isPresent()) {
            return Next.stuck(new SagaFailure(
                    pivot.get().name(), Reasons.PIVOT_UNKNOWN, "Nobody knows whether the pivot happened"));
        }
        SagaFailure broken = null;
        for (Step<C> step : undoable()) {
            JournalEntry entry = progress.entry(step, Direction.COMPENSATION).orElse(null);
            if (entry == null) {
                return Next.undo(step, 1);
            }
            if (entry.status().finished()) {
                continue;
            }
            boolean exhausted =
                    entry.attempts() >= step.rules().compensationRetry().maxAttempts();
            Duration left = left(step, entry);
            if (!left.isZero() && !(exhausted && entry.status() == StepStatus.FAILED)) {
                return Next.await(SagaStatus.COMPENSATING, left);
            }
            if (!exhausted) {
                return Next.undo(step, entry.attempts() + 1);
            }
            broken = new SagaFailure(step.name(), Reasons.COMPENSATION_FAILED, entry.error());
            if (!progress.blueprint().goOn()) {
                break;
            }
        }
        return broken == null ? Next.end(SagaStatus.COMPENSATED) : Next.stuck(broken);
    }

    // A person may have turned the saga back, or has skipped the undoing of the pivot and so has answered.
    private Optional<Step<C>> openPivot() {
        return progress.mayTurnBack() || progress.row().state().pivotPassed()
                ? Optional.empty()
                : progress.blueprint().steps().stream()
                        .filter(step -> step.role() == StepRole.PIVOT)
                        .filter(step ->
                                progress.entry(step, Direction.COMPENSATION).isEmpty())
                        .findFirst();
    }

    // A step begins after those it waits for are done, so the reverse of the journal is a reverse order of the graph.
    private List<Step<C>> undoable() {
        return progress.journal().stream()
                .filter(each -> each.direction() == Direction.FORWARD && mayHaveHappened(each.status()))
                .sorted(Comparator.comparingInt(JournalEntry::seq).reversed())
                .flatMap(each -> progress.blueprint().step(each.step()).stream())
                .filter(Step::isCompensatable)
                .toList();
    }

    private static boolean mayHaveHappened(StepStatus status) {
        return status == StepStatus.DONE || status == StepStatus.STARTED || status == StepStatus.WAITING;
    }

    private Optional<Duration> deadline() {
        Instant at = progress.row().times().deadlineAt();
        return at == null || !progress.mayTurnBack() ? Optional.empty() : Optional.of(progress.until(at));
    }

    private Duration left(Step<C> step, JournalEntry entry) {
        return progress.until(entry.startedAt().plus(delay(step, entry)));
    }

    private Duration delay(Step<C> step, JournalEntry entry) {
        if (entry.status() == StepStatus.WAITING) {
            return step.request().replyWithin();
        }
        boolean interrupted = entry.status() == StepStatus.STARTED && entry.error() == null;
        boolean forgiven = entry.attempts() == 0;
        if (interrupted || forgiven) {
            return Duration.ZERO;
        }
        StepRules rules = step.rules();
        return (entry.direction() == Direction.FORWARD ? rules.retry() : rules.compensationRetry())
                .delayAfter(entry.attempts(), random(entry));
    }

    // The wait must be the same whenever it is asked for, and differ between sagas that failed together.
    private SplittableRandom random(JournalEntry entry) {
        return new SplittableRandom(
                progress.row().id().hashCode() * 31L + entry.step().hashCode() + entry.attempts());
    }

    private static SagaFailure overdue(Step<?> step) {
        return new SagaFailure(step.name(), Reasons.REPLY_OVERDUE, "No reply came in time");
    }

    private static Duration sooner(@Nullable Duration one, Duration other) {
        return one == null || other.compareTo(one) < 0 ? other : one;
    }
}

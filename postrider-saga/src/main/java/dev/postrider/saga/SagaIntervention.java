package dev.postrider.saga;

import dev.postrider.admin.Decision;
import dev.postrider.database.Session;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A person's action on one saga, in the session's transaction. The saga is locked and taken from whoever runs it: a
 * step that is under way either commits before or writes nothing.
 */
final class SagaIntervention {

    private static final String CANCELLED = "CANCELLED";

    private final Session session;
    private final SagaRows rows;
    private final String what;
    private final Decision decision;
    private final SagaRow saga;

    private SagaIntervention(Session session, SagaRows rows, String what, Decision decision, SagaRow saga) {
        this.session = session;
        this.rows = rows;
        this.what = what;
        this.decision = decision;
        this.saga = saga;
    }

    /** Locks a saga that is not finished. */
    static SagaIntervention begin(Session session, String what, UUID id, Decision decision) throws SQLException {
        SagaRows rows = new SagaRows(session);
        Optional<SagaRow> saga = rows.lock(id);
        if (saga.isEmpty()) {
            throw new SagaStateException(what, id, null, "it is not there; sagas are removed a while after they end");
        }
        SagaIntervention action =
                new SagaIntervention(session, rows, what, Objects.requireNonNull(decision), saga.get());
        if (saga.get().status().finished()) {
            throw action.refused("it is %s, and nothing more can happen to it"
                    .formatted(saga.get().status()));
        }
        return action;
    }

    void retry() throws SQLException {
        if (saga.status() == SagaStatus.WAITING) {
            throw refused("it waits for a reply until %s; skip the step or cancel the saga"
                    .formatted(saga.times().wakeAt()));
        }
        if (claimed()) {
            throw refused("%s is at it until %s at least; wait for the outcome"
                    .formatted(saga.claim().by(), saga.claim().until()));
        }
        Direction direction = saga.state().direction();
        SagaJournal journal = new SagaJournal(session);
        journal.forgive(saga.id(), direction);
        String failed = failedStep();
        if (failed != null) {
            journal.stopWaiting(saga.id(), direction, failed);
        }
        if (direction == Direction.FORWARD) {
            rows.forgetFailure(saga.id());
        }
        goOn("RETRY", SagaUpdate.to(underWay()), null);
    }

    void skip(String step) throws SQLException {
        Direction direction = saga.state().direction();
        List<JournalEntry> open = new SagaJournal(session)
                .of(saga.id()).stream()
                        .filter(each -> each.direction() == direction)
                        .toList();
        Optional<JournalEntry> entry =
                open.stream().filter(each -> each.step().equals(step)).findFirst();
        if (entry.map(each -> each.status().finished()).orElse(!step.equals(failedStep()))) {
            throw refused("'%s' is no step that it is at; it is at %s".formatted(step, at(open)));
        }
        int attempts = entry.map(JournalEntry::attempts).orElse(0);
        new SagaJournal(session).write(StepEntry.of(saga.id(), step, direction, StepStatus.SKIPPED, attempts));
        if (direction == Direction.FORWARD) {
            rows.forgetFailure(saga.id());
        }
        String was = entry.map(each -> each.status().name()).orElse("not begun");
        goOn("SKIP", SagaUpdate.to(underWay()), "%s %s, was %s".formatted(direction, step, was));
    }

    /** Turns the saga back; after the pivot only if the caller insists. */
    void turnBack(String action, boolean pivotOverridden) throws SQLException {
        if (saga.state().direction() == Direction.COMPENSATION) {
            throw refused("it is on its way back already");
        }
        if (saga.state().pivotPassed() && !pivotOverridden) {
            throw refused(
                    "it is past its pivot, the point of no return; let it go on with retry or skip, or insist with"
                            + " SagaAdmin.compensateAfterPivot");
        }
        SagaUpdate back = SagaUpdate.to(SagaStatus.COMPENSATING)
                .because(new SagaFailure(failedStep(), CANCELLED, decision.reason()));
        goOn(action, back, saga.state().pivotPassed() ? "after the pivot" : null);
    }

    void edit(long revision, String context) throws SQLException {
        if (saga.status() != SagaStatus.STUCK) {
            throw refused("it is %s, and a step may need the context any moment; only one that is STUCK can be edited"
                    .formatted(saga.status()));
        }
        // The lock has marked the revision; nobody could have seen that.
        long committed = saga.state().revision() - rows.mark();
        if (committed != revision) {
            throw refused("it has revision %d by now, not %d; look at it again".formatted(committed, revision));
        }
        goOn("EDIT", SagaUpdate.to(SagaStatus.STUCK).withContext(context), "revision " + revision);
    }

    private void goOn(String action, SagaUpdate change, @Nullable String detail) throws SQLException {
        new SagaTrail(session).add(saga.id(), action, decision, detail);
        rows.takeOver(saga, change);
    }

    private boolean claimed() {
        Instant until = saga.claim().until();
        return until != null && until.isAfter(saga.times().readAt());
    }

    private SagaStatus underWay() {
        return saga.state().direction() == Direction.FORWARD ? SagaStatus.RUNNING : SagaStatus.COMPENSATING;
    }

    private @Nullable String failedStep() {
        SagaFailure failure = saga.state().failure();
        return failure == null ? null : failure.step();
    }

    private static String at(List<JournalEntry> entries) {
        List<String> open = entries.stream()
                .filter(each -> !each.status().finished())
                .map(each -> "'" + each.step() + "'")
                .toList();
        return open.isEmpty() ? "none" : String.join(", ", open);
    }

    private SagaStateException refused(String why) {
        return new SagaStateException(what, saga.id(), saga.status(), why);
    }
}

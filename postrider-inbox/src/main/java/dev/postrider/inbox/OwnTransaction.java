package dev.postrider.inbox;

import dev.postrider.OutboxException;
import dev.postrider.database.FaultPoint;
import dev.postrider.database.OpenTransaction;
import dev.postrider.database.Session;
import dev.postrider.database.Transactions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Handles one message in a transaction of the inbox: mark, handler, check, commit. It holds one connection at a time,
 * so that a pool of one is enough.
 */
final class OwnTransaction {

    // A conflict about the mark is the inbox's own affair and has cost the handler nothing.
    private static final int CLAIM_REPEATS = 10;

    private final InboxContext context;
    private final InboxVerdict verdict;

    OwnTransaction(InboxContext context) {
        this.context = context;
        this.verdict = new InboxVerdict(context);
    }

    <R> InboxResult<R> process(Incoming incoming, InboxHandler<R> handler) {
        ParkReason unusable = incoming.unusableId();
        if (unusable != null) {
            return verdict.park(incoming, unusable);
        }
        if (context.settings().fastPath() && verdict.marked(incoming)) {
            return verdict.duplicate(incoming);
        }
        return repeated(incoming, false, handler);
    }

    /** Handles a message that is put aside; nothing but a mark speaks against it. */
    <R> InboxResult<R> processReleased(Incoming incoming, InboxHandler<R> handler) {
        return repeated(incoming, true, handler);
    }

    private <R> InboxResult<R> repeated(Incoming incoming, boolean released, InboxHandler<R> handler) {
        for (int conflicts = 1; ; conflicts++) {
            Throwable conflict;
            try {
                Attempt<R> attempt = once(incoming, released, handler);
                if (attempt.result != null) {
                    return attempt.result;
                }
                if (attempt.refusal.kind() != Refusal.Kind.NONE) {
                    return verdict.refused(incoming, attempt.refusal);
                }
                conflict = new OutboxException("What spoke against %s has changed meanwhile".formatted(incoming));
                if (conflicts > CLAIM_REPEATS) {
                    throw verdict.failed(incoming, InboxException.Reason.BUSY, conflict);
                }
            } catch (Broken e) {
                boolean claiming = e.phase() == Broken.Phase.CLAIM;
                boolean repeat = e.conflict() && !e.busy() && !e.interrupted();
                if (!repeat
                        || conflicts
                                > (claiming ? CLAIM_REPEATS : context.settings().repeats())) {
                    return verdict.broken(incoming, e);
                }
                conflict = e.error();
            }
            pause(incoming, conflicts, conflict);
        }
    }

    private void pause(Incoming incoming, int conflicts, Throwable conflict) {
        context.listener().repeated(incoming.consumer());
        try {
            Transactions.pause("process " + incoming, conflicts, conflict);
        } catch (OutboxException interrupted) {
            throw verdict.failed(incoming, InboxException.Reason.INFRASTRUCTURE, interrupted);
        }
    }

    /** What one transaction led to: a result, or why there is none. */
    private record Attempt<R>(@Nullable InboxResult<R> result, Refusal refusal) {

        static final Refusal NOTHING = new Refusal(Refusal.Kind.NONE, null);

        static <R> Attempt<R> of(InboxResult<R> result) {
            return new Attempt<>(result, NOTHING);
        }
    }

    private <R> Attempt<R> once(Incoming incoming, boolean released, InboxHandler<R> handler) throws Broken {
        long start = System.nanoTime();
        JointMarks joint = joint(incoming, released);
        Marks marks = context.marks(incoming);
        try (OpenTransaction transaction = begin(joint)) {
            FaultPoint.reached("inbox.begun");
            Refusal refusal = claim(transaction, joint, marks, incoming, released);
            if (refusal != null) {
                return new Attempt<>(null, refusal);
            }
            FaultPoint.reached("inbox.claimed");
            R value = handle(transaction, incoming, handler);
            FaultPoint.reached("inbox.handled");
            commit(transaction, joint, marks, incoming);
            FaultPoint.reached("inbox.committed");
            context.listener().processed(incoming.consumer(), 1, Duration.ofNanos(System.nanoTime() - start));
            return Attempt.of(new InboxResult.Processed<>(value));
        }
    }

    private @Nullable JointMarks joint(Incoming incoming, boolean released) throws Broken {
        try {
            return released ? null : context.jointMarks(incoming);
        } catch (OutboxException e) {
            throw new Broken(Broken.Phase.CLAIM, e);
        }
    }

    private OpenTransaction begin(@Nullable JointMarks joint) throws Broken {
        try {
            Transactions transactions = context.transactions();
            return joint == null ? transactions.begin(context.settings().lockWait()) : transactions.beginLater();
        } catch (SQLException | OutboxException e) {
            throw new Broken(Broken.Phase.CLAIM, e);
        }
    }

    private @Nullable Refusal claim(
            OpenTransaction transaction, @Nullable JointMarks joint, Marks marks, Incoming incoming, boolean released)
            throws Broken {
        Session session = transaction.session();
        try {
            if (!released) {
                boolean claimed = joint == null ? marks.claim(session, incoming) : joint.claim(transaction, incoming);
                return claimed ? null : Refusal.of(session, context.settings(), marks, incoming);
            }
            if (!new ReleasedRows(session).lock(incoming)) {
                return new Refusal(Refusal.Kind.PARKED_ALREADY, ParkReason.FAILED);
            }
            return marks.claimReleased(session, incoming) ? null : new Refusal(Refusal.Kind.DUPLICATE, null);
        } catch (SQLException e) {
            throw new Broken(Broken.Phase.CLAIM, e);
        }
    }

    private void commit(OpenTransaction transaction, @Nullable JointMarks joint, Marks marks, Incoming incoming)
            throws Broken {
        if (joint == null) {
            check(transaction.session(), marks, incoming);
        }
        FaultPoint.reached("inbox.committing");
        if (joint == null) {
            commit(transaction);
        } else {
            joint.commit(transaction, incoming);
        }
    }

    private <R> @Nullable R handle(OpenTransaction opened, Incoming incoming, InboxHandler<R> handler) throws Broken {
        try (HandlerTransaction transaction =
                new HandlerTransaction(opened.session(), context.outbox(), incoming, true)) {
            R value = handler.handle(transaction);
            opened.flush();
            return value;
        } catch (Throwable e) {
            // Also an Error, also of the machine: a message that always causes it is counted and parked in the end.
            throw new Broken(Broken.Phase.HANDLER, e);
        }
    }

    // A handler that overlooked an error may have no transaction any more: PostgreSQL would commit nothing without a
    // word, MariaDB and MySQL what came after the error.
    static void check(Session session, Marks marks, Incoming incoming) throws Broken {
        try {
            OptionalInt failures = marks.check(session, incoming);
            if (failures.isEmpty()) {
                throw Broken.transactionLost(null);
            }
            if (failures.getAsInt() > 0) {
                new FailureRows(session).delete(incoming);
            }
        } catch (SQLException e) {
            throw new Broken(Broken.Phase.CHECK, e);
        }
    }

    static void commit(OpenTransaction transaction) throws Broken {
        try {
            transaction.commit();
        } catch (SQLException e) {
            throw new Broken(Broken.Phase.COMMIT, e);
        }
    }
}

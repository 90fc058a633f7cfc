package dev.postrider.inbox;

import dev.postrider.database.Dialect;
import dev.postrider.database.FaultPoint;
import dev.postrider.database.Session;
import dev.postrider.database.SqlText;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Handles a message in a transaction that somebody else commits. Thread-safe. */
final class CallersTransaction {

    private final InboxContext context;
    private final Function<Dialect, SqlText> wording;
    private final Map<Dialect, SqlText> texts = new ConcurrentHashMap<>();

    CallersTransaction(InboxContext context, Function<Dialect, SqlText> wording) {
        this.context = context;
        this.wording = wording;
    }

    <R> InboxResult<R> process(Incoming incoming, Connection connection, InboxHandler<R> handler) {
        try {
            if (connection.getAutoCommit()) {
                throw new IllegalStateException("process needs an open transaction: call setAutoCommit(false) on the"
                        + " connection, or let the inbox use a transaction of its own");
            }
            SqlText text = texts.computeIfAbsent(Dialect.of(connection), wording);
            return within(connection.setSavepoint(), new Session(connection, text, 0), incoming, handler);
        } catch (SQLException e) {
            throw failed(incoming, InboxException.Reason.INFRASTRUCTURE, e);
        }
    }

    // If the caller overlooks the exception and commits, the mark must not stay without its effect.
    private <R> InboxResult<R> within(
            Savepoint savepoint, Session session, Incoming incoming, InboxHandler<R> handler) {
        try {
            return handled(session, incoming, handler);
        } catch (Broken e) {
            undo(session, savepoint, e.error());
            throw failed(incoming, reason(e), e.error());
        } catch (RuntimeException | Error e) {
            undo(session, savepoint, e);
            throw e;
        }
    }

    private <R> InboxResult<R> handled(Session session, Incoming incoming, InboxHandler<R> handler) throws Broken {
        Marks marks = context.marks(incoming);
        try {
            if (!marks.claim(session, incoming)) {
                return refused(incoming, Refusal.of(session, context.settings(), marks, incoming));
            }
        } catch (SQLException e) {
            throw new Broken(Broken.Phase.CLAIM, e);
        }
        FaultPoint.reached("inbox.claimed");
        InboxResult<R> result;
        try (HandlerTransaction transaction = new HandlerTransaction(session, context.outbox(), incoming, false)) {
            result = new InboxResult.Processed<>(handler.handle(transaction));
        } catch (Exception e) {
            throw new Broken(Broken.Phase.HANDLER, e);
        }
        FaultPoint.reached("inbox.handled");
        OwnTransaction.check(session, marks, incoming);
        return result;
    }

    private <R> InboxResult<R> refused(Incoming incoming, Refusal refusal) {
        return switch (refusal.kind()) {
            case DUPLICATE -> new InboxResult.Duplicate<>();
            case PARKED_ALREADY, TO_BE_PARKED ->
                new InboxResult.Parked<>(Objects.requireNonNullElse(refusal.reason(), ParkReason.FAILED));
            case BEYOND_HORIZON -> {
                if (context.settings().horizon() != Horizon.SKIP) {
                    throw failed(incoming, InboxException.Reason.BEYOND_HORIZON, null);
                }
                yield new InboxResult.Duplicate<>();
            }
            case NONE -> throw failed(incoming, InboxException.Reason.BUSY, null);
        };
    }

    private static InboxException.Reason reason(Broken broken) {
        if (broken.busy()) {
            return InboxException.Reason.BUSY;
        }
        if (broken.unstorable()) {
            return InboxException.Reason.UNSTORABLE;
        }
        return switch (broken.phase()) {
            case CLAIM, COMMIT -> InboxException.Reason.INFRASTRUCTURE;
            case HANDLER -> InboxException.Reason.HANDLER_FAILED;
            case CHECK -> InboxException.Reason.TRANSACTION_LOST;
        };
    }

    // Where the database has given up the transaction the savepoint is gone too; what the caller does next must not
    // commit without what came before.
    private static void undo(Session session, Savepoint savepoint, Throwable error) {
        try {
            session.connection().rollback(savepoint);
        } catch (SQLException gone) {
            error.addSuppressed(gone);
            session.dialect().refuseWrites(session.connection(), error);
        }
    }

    private static InboxException failed(Incoming incoming, InboxException.Reason reason, @Nullable Throwable cause) {
        return new InboxException(
                reason, "Could not process %s: %s".formatted(incoming, InboxVerdict.sentence(reason)), cause);
    }
}

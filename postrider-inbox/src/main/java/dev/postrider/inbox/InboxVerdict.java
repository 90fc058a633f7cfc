package dev.postrider.inbox;

import dev.postrider.OutboxException;
import dev.postrider.database.FaultPoint;
import java.sql.SQLException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What becomes of a message that was not handled. It is written in a transaction of its own. */
final class InboxVerdict {

    private final InboxContext context;

    InboxVerdict(InboxContext context) {
        this.context = context;
    }

    boolean marked(Incoming incoming) {
        return inDatabase(
                incoming,
                storable -> context.transactions()
                        .autoCommitted(
                                "look for a mark",
                                session -> context.marks(storable).exists(session, storable)));
    }

    <R> InboxResult<R> duplicate(Incoming incoming) {
        context.listener().duplicate(incoming.consumer());
        return new InboxResult.Duplicate<>();
    }

    <R> InboxResult<R> refused(Incoming incoming, Refusal refusal) {
        return switch (refusal.kind()) {
            case DUPLICATE, NONE -> duplicate(incoming);
            case PARKED_ALREADY -> new InboxResult.Parked<>(reason(refusal));
            case TO_BE_PARKED -> park(incoming, reason(refusal));
            case BEYOND_HORIZON -> beyondHorizon(incoming);
        };
    }

    private static ParkReason reason(Refusal refusal) {
        return Objects.requireNonNullElse(refusal.reason(), ParkReason.FAILED);
    }

    private <R> InboxResult<R> beyondHorizon(Incoming incoming) {
        if (context.settings().horizon() == Horizon.SKIP) {
            context.listener().skipped(incoming.consumer());
            return new InboxResult.Duplicate<>();
        }
        if (incoming.message() == null) {
            throw failed(incoming, InboxException.Reason.BEYOND_HORIZON, null);
        }
        return park(incoming, ParkReason.BEYOND_HORIZON);
    }

    /** Puts a message aside that may not be handled now. */
    <R> InboxResult<R> park(Incoming incoming, ParkReason reason) {
        ReceivedMessage message = Objects.requireNonNull(incoming.message());
        boolean handled = inDatabase(
                incoming,
                storable -> context.transactions().transacted("park " + incoming, session -> {
                    // It may have been handled under a name that was made up for it.
                    if (context.marks(storable).exists(session, storable)) {
                        return true;
                    }
                    FailureRows rows = new FailureRows(session);
                    InboxEntry.State before = rows.find(incoming.consumer(), incoming.id())
                            .map(FailureRows.Row::state)
                            .orElse(InboxEntry.State.FAILING);
                    if (before == InboxEntry.State.FAILING) {
                        rows.park(storable, message, reason);
                    }
                    return before == InboxEntry.State.DISCARDED;
                }));
        FaultPoint.reached("inbox.parked");
        if (handled) {
            return duplicate(incoming);
        }
        context.listener().parked(incoming.consumer(), reason);
        return new InboxResult.Parked<>(reason);
    }

    /** Decides about a transaction that broke and will not be repeated. */
    <R> InboxResult<R> broken(Incoming incoming, Broken broken) {
        if (broken.interrupted()) {
            Thread.currentThread().interrupt();
            throw failed(incoming, InboxException.Reason.INFRASTRUCTURE, broken.error());
        }
        if (broken.busy()) {
            throw failed(incoming, InboxException.Reason.BUSY, broken.error());
        }
        if (broken.connectionLost()) {
            boolean unknown = broken.phase() == Broken.Phase.COMMIT;
            throw failed(
                    incoming,
                    unknown ? InboxException.Reason.OUTCOME_UNKNOWN : InboxException.Reason.INFRASTRUCTURE,
                    broken.error());
        }
        if (broken.unstorable()) {
            return counted(incoming, InboxException.Reason.UNSTORABLE, broken.error());
        }
        return switch (broken.phase()) {
            case CLAIM -> throw failed(incoming, InboxException.Reason.INFRASTRUCTURE, broken.error());
            case HANDLER, COMMIT -> counted(incoming, InboxException.Reason.HANDLER_FAILED, broken.error());
            case CHECK -> counted(incoming, InboxException.Reason.TRANSACTION_LOST, broken.error());
        };
    }

    private <R> InboxResult<R> counted(Incoming incoming, InboxException.Reason reason, Throwable error) {
        FaultPoint.reached("inbox.failed");
        boolean parked = false;
        try {
            parked = stored(
                    incoming,
                    storable -> context.transactions().transacted("count a failure of " + incoming, session -> {
                        FailureRows rows = new FailureRows(session);
                        FailureRows.Row row = rows.count(storable, error);
                        ReceivedMessage message = incoming.message();
                        // Another delivery may have succeeded meanwhile.
                        boolean park = message != null
                                && row.state() != InboxEntry.State.DISCARDED
                                && row.attempts() >= context.settings().parkAfter()
                                && !context.marks(storable).exists(session, storable);
                        if (park && message != null) {
                            rows.park(storable, message, ParkReason.FAILED);
                        }
                        return park;
                    }));
        } catch (OutboxException e) {
            error.addSuppressed(e);
        }
        FaultPoint.reached("inbox.counted");
        if (!parked) {
            throw failed(incoming, reason, error);
        }
        context.listener().parked(incoming.consumer(), ParkReason.FAILED);
        return new InboxResult.Parked<>(ParkReason.FAILED);
    }

    /** Tells the listener, and returns the exception to throw. */
    InboxException failed(Incoming incoming, InboxException.Reason reason, @Nullable Throwable cause) {
        context.listener().failed(incoming.consumer(), reason);
        String what = "Could not process %s: %s".formatted(incoming, sentence(reason));
        return new InboxException(reason, explained(what, cause), cause);
    }

    // What to do about tables that are missing or cannot be written is part of the text.
    private String explained(String what, @Nullable Throwable cause) {
        if (cause instanceof SQLException error) {
            return String.valueOf(context.transactions().explained(what, error).getMessage());
        }
        return cause instanceof OutboxException ? what + ". " + cause.getMessage() : what;
    }

    static String sentence(InboxException.Reason reason) {
        return switch (reason) {
            case HANDLER_FAILED -> "its handler failed";
            case TRANSACTION_LOST -> "its handler overlooked an error that ended the transaction; rolled back";
            case UNSTORABLE -> "the database refuses one of its values";
            case BUSY -> "it is being handled elsewhere";
            case OUTCOME_UNKNOWN -> "the connection broke during the commit; when it comes again it shows";
            case BEYOND_HORIZON -> "it is older than marks are kept, so nobody knows whether it was handled before";
            case INFRASTRUCTURE -> "the database failed or the thread was interrupted";
        };
    }

    private <T> T inDatabase(Incoming incoming, Work<T> work) {
        try {
            return stored(incoming, work);
        } catch (OutboxException e) {
            throw failed(incoming, InboxException.Reason.INFRASTRUCTURE, e);
        }
    }

    // A text that the database refuses must not keep its message from being put aside.
    private static <T> T stored(Incoming incoming, Work<T> work) {
        try {
            return work.run(incoming);
        } catch (OutboxException e) {
            if (!Broken.refusedValue(e)) {
                throw e;
            }
            return work.run(incoming.inPlainText());
        }
    }

    @FunctionalInterface
    private interface Work<T> {

        T run(Incoming storable);
    }
}

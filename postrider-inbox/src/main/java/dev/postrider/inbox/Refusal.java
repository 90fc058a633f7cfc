package dev.postrider.inbox;

import dev.postrider.database.Session;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Why a message may not be handled.
 *
 * @param reason why it is parked, or has to be
 */
record Refusal(Kind kind, @Nullable ParkReason reason) {

    /** What the inbox has to do. */
    enum Kind {
        DUPLICATE,
        PARKED_ALREADY,
        TO_BE_PARKED,
        BEYOND_HORIZON,
        /** What spoke against it has gone meanwhile. */
        NONE
    }

    private static final String OF_KEY = "select 1 {dual} where 1 = 1 " + FailureRows.KEY_NOT_HELD;
    private static final String OF_FAILING_KEY =
            "select 1 {dual} where 1 = 1 " + FailureRows.keyNotFailing(FailureRows.UNREACHED);
    private static final String YOUNG = "select 1 {dual} where {at} > {now}";

    static Refusal of(Session session, InboxSettings settings, Marks marks, Incoming incoming) throws SQLException {
        if (marks.exists(session, incoming)) {
            return new Refusal(Kind.DUPLICATE, null);
        }
        Optional<FailureRows.Row> noted = new FailureRows(session).find(incoming.consumer(), incoming.id());
        if (noted.isPresent() && noted.get().state() != InboxEntry.State.FAILING) {
            boolean discarded = noted.get().state() == InboxEntry.State.DISCARDED;
            return discarded
                    ? new Refusal(Kind.DUPLICATE, null)
                    : new Refusal(Kind.PARKED_ALREADY, noted.get().reason());
        }
        if (held(session, settings, incoming)) {
            return new Refusal(Kind.TO_BE_PARKED, ParkReason.BEHIND);
        }
        boolean young =
                settings.bySequence(incoming) || any(session, YOUNG, new IdMarks(settings).until(incoming.id()));
        return new Refusal(young ? Kind.NONE : Kind.BEYOND_HORIZON, ParkReason.BEYOND_HORIZON);
    }

    private static boolean held(Session session, InboxSettings settings, Incoming incoming) throws SQLException {
        if (!settings.keepsOrder(incoming)) {
            return false;
        }
        boolean free = settings.bySequence(incoming)
                ? any(
                        session,
                        OF_FAILING_KEY,
                        FailureRows.ofKeyBySequence(incoming).toArray())
                : any(session, OF_KEY, FailureRows.ofKey(incoming).toArray());
        return !free;
    }

    private static boolean any(Session session, String sql, @Nullable Object... values) throws SQLException {
        return session.any(sql, values);
    }
}

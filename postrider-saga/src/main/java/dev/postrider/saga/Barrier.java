package dev.postrider.saga;

import dev.postrider.database.Session;
import dev.postrider.saga.Answer.Outcome;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Lets each action and each compensation of a saga's step run once, no action after its compensation, and no
 * compensation of what never ran. Each command places a row before it runs, in the transaction it runs in: while an
 * action is under way its compensation waits for the outcome.
 */
final class Barrier {

    private static final String ACTION = "A";
    private static final String COMPENSATION = "C";
    private static final String REFUSED = "R";

    private static final String PLACE = """
            insert into {participant} (consumer, saga_id, step, op, placed_by, command_id)
            values (?, ?, ?, ?, ?, ?)
            """;

    private static final String LOCK = """
            select p.placed_by, p.command_id, p.outcome, p.reply_type, p.content_type, p.payload
              from {participant} p
             where p.consumer = ?
               and p.saga_id = ?
               and p.step = ?
               and p.op = ?
               for update
            """;

    private static final String OWN = """
            update {participant}
               set placed_by = ?, command_id = ?
             where consumer = ?
               and saga_id = ?
               and step = ?
               and op = ?
            """;

    private static final String SETTLE = """
            update {participant}
               set outcome = ?, reply_type = ?, content_type = ?, payload = ?
             where consumer = ?
               and saga_id = ?
               and step = ?
               and op = ?
            """;

    private final Session session;
    private final BarrierSlot slot;

    Barrier(Session session, BarrierSlot slot) {
        this.session = session;
        this.slot = slot;
    }

    /** Returns what to answer to an action without running it; empty: run it, then {@link #actionDone}. */
    Optional<Answer> beforeAction() throws SQLException {
        if (place(ACTION, ACTION)) {
            return Optional.empty();
        }
        Placed action = lock(ACTION);
        if (action.placedBy().equals(COMPENSATION)) {
            return Optional.of(Answer.superseded());
        }
        // What was refused may be asked again, in a new command.
        if (action.placedBy().equals(REFUSED) && !action.commandId().equals(slot.commandId())) {
            own(ACTION);
            return Optional.empty();
        }
        return Optional.of(action.answer());
    }

    void actionDone(Answer answer) throws SQLException {
        settle(ACTION, answer);
        if (answer.outcome() == Outcome.REFUSED) {
            own(REFUSED);
        }
    }

    /** Returns what to answer to a compensation without running it; empty: run it, then {@link #compensationDone}. */
    Optional<Answer> beforeCompensation() throws SQLException {
        boolean ran = !place(ACTION, COMPENSATION) && lock(ACTION).placedBy().equals(ACTION);
        if (!place(COMPENSATION, COMPENSATION)) {
            return Optional.of(lock(COMPENSATION).answer());
        }
        if (ran) {
            return Optional.empty();
        }
        own(COMPENSATION);
        settle(COMPENSATION, Answer.nothingToUndo());
        return Optional.of(Answer.nothingToUndo());
    }

    void compensationDone(Answer answer) throws SQLException {
        settle(COMPENSATION, answer);
    }

    private boolean place(String op, String by) throws SQLException {
        return session.insertOnce(
                PLACE, slot.consumer(), slot.sagaId().toString(), slot.step(), op, by, slot.commandId());
    }

    private Placed lock(String op) throws SQLException {
        return session.first(
                        LOCK,
                        row -> new Placed(row.getString("placed_by"), row.getString("command_id"), answer(row)),
                        slot.consumer(),
                        slot.sagaId().toString(),
                        slot.step(),
                        op)
                .orElseThrow(() -> new IllegalStateException("The mark of %s is gone".formatted(slot)));
    }

    private static @Nullable Answer answer(ResultSet row) throws SQLException {
        String outcome = row.getString("outcome");
        return outcome == null
                ? null
                : Answer.stored(
                        Outcome.valueOf(outcome),
                        row.getString("reply_type"),
                        row.getString("content_type"),
                        row.getBytes("payload"));
    }

    /** Says whose the row of the action is from now on. */
    private void own(String by) throws SQLException {
        session.update(OWN, by, slot.commandId(), slot.consumer(), slot.sagaId().toString(), slot.step(), ACTION);
    }

    private void settle(String op, Answer answer) throws SQLException {
        session.update(
                SETTLE,
                answer.outcome().name(),
                answer.type(),
                answer.contentType(),
                answer.payload(),
                slot.consumer(),
                slot.sagaId().toString(),
                slot.step(),
                op);
    }

    private record Placed(
            String placedBy, String commandId, @Nullable Answer stored) {

        Answer answer() {
            if (stored == null) {
                throw new IllegalStateException("A command was carried out without an answer");
            }
            return stored;
        }
    }
}

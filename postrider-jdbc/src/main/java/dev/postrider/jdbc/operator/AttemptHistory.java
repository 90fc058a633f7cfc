package dev.postrider.jdbc.operator;

import dev.postrider.admin.Attempt;
import dev.postrider.database.Dialect;
import dev.postrider.database.Session;
import dev.postrider.spi.Settlement.Outcome;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/** Reads the history of attempts that did not succeed. */
final class AttemptHistory {

    private static final String READ = """
            select a.message_id, a.attempt, a.relay, a.outcome, a.took_ms, a.failure, a.error, a.ended_at
              from {attempt} a
             where a.message_id = ?
             order by a.ended_at, a.attempt
            """;

    private AttemptHistory() {}

    /** Returns the attempts on a message, oldest first. */
    static List<Attempt> of(Session session, UUID id) throws SQLException {
        List<Attempt> attempts = new ArrayList<>();
        try (PreparedStatement statement = session.prepare(READ)) {
            Session.bind(statement, session.dialect().id(id));
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    attempts.add(attempt(session.dialect(), rows));
                }
            }
        }
        return attempts;
    }

    private static Attempt attempt(Dialect dialect, ResultSet row) throws SQLException {
        return new Attempt(
                dialect.id(row, "message_id"),
                row.getInt("attempt"),
                row.getString("relay"),
                row.getInt("outcome") == 1 ? Outcome.DEAD : Outcome.RETRY,
                Duration.ofMillis(row.getLong("took_ms")),
                row.getString("failure"),
                row.getString("error"),
                Objects.requireNonNull(dialect.time(row, "ended_at")));
    }
}

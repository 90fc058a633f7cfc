package dev.postrider.jdbc;

import dev.postrider.admin.Attempt;
import dev.postrider.database.Dialect;
import dev.postrider.database.Session;
import dev.postrider.spi.Settlement.Outcome;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/** The history of attempts that did not succeed. */
final class AttemptRows {

    /** How many of a message are kept: the first ones of many tell nothing that the last ones do not. */
    static final int KEPT = 50;

    private static final int CHUNK = 500;

    private static final String READ = """
            select a.message_id, a.attempt, a.relay, a.outcome, a.took_ms, a.failure, a.error, a.ended_at
              from {attempt} a
             where a.message_id = ?
             order by a.ended_at, a.attempt
            """;

    private static final String SURPLUS = """
            select s.seq, s.token
              from (select a.seq, a.token,
                           row_number() over (partition by a.seq order by a.ended_at desc, a.attempt desc) as place
                      from {attempt} a
                     where a.seq in (?)) s
             where s.place >\s""" + KEPT;

    private static final String REMOVE = "delete from {attempt} where seq = ? and token = ?";

    private AttemptRows() {}

    /** Returns the attempts on a message, oldest first. */
    static List<Attempt> of(Session session, UUID id) throws SQLException {
        return session.list(
                READ,
                rows -> attempt(session.dialect(), rows),
                session.dialect().id(id));
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

    /** Removes the oldest attempts on messages that may have too many. */
    static void trim(Session session, List<FailedAttempt> added) throws SQLException {
        List<Long> seqs = candidates(added);
        for (int i = 0; i < seqs.size(); i += CHUNK) {
            trimEach(session, seqs.subList(i, Math.min(i + CHUNK, seqs.size())));
        }
    }

    static List<Long> candidates(List<FailedAttempt> added) {
        return added.stream()
                .filter(attempt -> attempt.mayExceed(KEPT))
                .map(FailedAttempt::seq)
                .distinct()
                .toList();
    }

    private static void trimEach(Session session, List<Long> seqs) throws SQLException {
        try (PreparedStatement look = session.prepareList(SURPLUS, List.of(), seqs);
                ResultSet rows = look.executeQuery();
                PreparedStatement remove = session.prepare(REMOVE)) {
            int surplus = 0;
            while (rows.next()) {
                Session.bind(remove, rows.getLong("seq"), rows.getLong("token"));
                remove.addBatch();
                surplus++;
            }
            if (surplus > 0) {
                remove.executeBatch();
            }
        }
    }
}

package dev.postrider.jdbc;

import dev.postrider.database.Session;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** Bounds the history of attempts that did not succeed. */
final class AttemptRows {

    /** How many of a message are kept: the first ones of many tell nothing that the last ones do not. */
    static final int KEPT = 50;

    private static final int CHUNK = 500;

    private static final String SURPLUS = """
            select s.seq, s.token
              from (select a.seq, a.token,
                           row_number() over (partition by a.seq order by a.ended_at desc, a.attempt desc) as place
                      from {attempt} a
                     where a.seq in (?)) s
             where s.place >\s""" + KEPT;

    private static final String REMOVE = "delete from {attempt} where seq = ? and token = ?";

    private AttemptRows() {}

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

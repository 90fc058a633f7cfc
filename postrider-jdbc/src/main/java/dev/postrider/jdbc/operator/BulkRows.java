package dev.postrider.jdbc.operator;

import dev.postrider.admin.BulkResult;
import dev.postrider.admin.BulkRow;
import dev.postrider.database.Session;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What became of each message of a bulk action. */
final class BulkRows {

    // One statement for a whole batch, while the messages are still there.
    private static final String ADD_DONE = """
            insert into {bulk_row} (bulk_id, seq, message_id, result)
            select ?, m.seq, m.id, 0
              from {message} m {by_seq}
             where m.seq in (?)
             order by m.seq
            """;

    private static final String ADD =
            "insert into {bulk_row} (bulk_id, seq, message_id, result, error) values (?, ?, ?, ?, ?)";

    private static final String KNOWN = "select seq from {bulk_row} where bulk_id = ? and seq in (?)";

    private static final String LIST = """
            select seq, message_id, result, error
              from {bulk_row}
             where bulk_id = ? and seq > ? and result between ? and ?
             order by seq
             limit ?
            """;

    private final Session session;
    private final Object bulkId;

    BulkRows(Session session, UUID bulkId) {
        this.session = session;
        this.bulkId = session.dialect().id(bulkId);
    }

    void addDone(List<Long> seqs) throws SQLException {
        session.updateAll(ADD_DONE, List.of(bulkId), seqs);
    }

    void add(Map<Long, UUID> messages, BulkResult result, String error) throws SQLException {
        if (messages.isEmpty()) {
            return;
        }
        try (PreparedStatement statement = session.prepare(ADD)) {
            for (Map.Entry<Long, UUID> message : messages.entrySet()) {
                Session.bind(
                        statement,
                        bulkId,
                        message.getKey(),
                        session.dialect().id(message.getValue()),
                        code(result),
                        error);
                statement.addBatch();
            }
            statement.executeBatch();
        }
    }

    /** Returns those of the messages that were dealt with before. */
    Set<Long> known(Collection<Long> seqs) throws SQLException {
        return new HashSet<>(session.listAll(KNOWN, List.of(bulkId), seqs, row -> row.getLong(1)));
    }

    List<BulkRow> list(@Nullable BulkResult result, long after, int limit) throws SQLException {
        short lowest = code(result == null ? BulkResult.DONE : result);
        short highest = code(result == null ? BulkResult.FAILED : result);
        return session.list(
                LIST,
                row -> new BulkRow(
                        row.getLong("seq"),
                        session.dialect().id(row, "message_id"),
                        result(row.getInt("result")),
                        row.getString("error")),
                bulkId,
                after,
                lowest,
                highest,
                limit);
    }

    private static short code(BulkResult result) {
        return switch (result) {
            case DONE -> 0;
            case SKIPPED -> 1;
            case FAILED -> 2;
        };
    }

    private static BulkResult result(int code) {
        return switch (code) {
            case 0 -> BulkResult.DONE;
            case 1 -> BulkResult.SKIPPED;
            case 2 -> BulkResult.FAILED;
            default -> throw new IllegalStateException("No result of a bulk action has the number " + code);
        };
    }
}

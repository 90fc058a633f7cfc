package dev.postrider.jdbc;

import dev.postrider.database.Placeholders;
import dev.postrider.database.Session;
import dev.postrider.spi.Outlook;
import dev.postrider.spi.SeqRange;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Looks at what can be seen, for databases without arrays. */
final class Look {

    private static final int GAPS_AT_ONCE = 128;
    private static final String ABOVE = "select m.seq from {message} m {by_seq} where m.seq > ? order by m.seq limit ?";
    private static final String APPEARED = """
            select m.seq
              from {message} m {by_seq}
             where m.status = 0
               and m.due_at is null
               and ((m.seq > ? and m.seq <= ?)""";

    private Look() {}

    // The gaps are looked at last: what is seen above is then never newer than what is seen in them.
    static Outlook at(Session session, long after, int limit, List<SeqRange> gaps) throws SQLException {
        List<Long> above = read(session, ABOVE, List.of(after, limit));
        List<Long> appeared = new ArrayList<>();
        for (int from = 0; from < gaps.size() && appeared.size() < Outlook.MOST_APPEARED; from += GAPS_AT_ONCE) {
            appeared.addAll(appeared(session, gaps.subList(from, Math.min(from + GAPS_AT_ONCE, gaps.size()))));
        }
        return new Outlook(above, appeared);
    }

    private static List<Long> appeared(Session session, List<SeqRange> gaps) throws SQLException {
        int width = Placeholders.width(gaps.size());
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < width; i++) {
            SeqRange gap = gaps.get(Math.min(i, gaps.size() - 1));
            values.add(gap.after());
            values.add(gap.upTo());
        }
        values.add(Outlook.MOST_APPEARED);
        return read(
                session,
                APPEARED + " or (m.seq > ? and m.seq <= ?)".repeat(width - 1) + ") order by m.seq limit ?",
                values);
    }

    private static List<Long> read(Session session, String sql, List<?> values) throws SQLException {
        List<Long> seqs = new ArrayList<>();
        try (PreparedStatement statement = session.prepare(sql)) {
            Session.bind(statement, values.toArray());
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    seqs.add(rows.getLong(1));
                }
            }
        }
        return seqs;
    }
}

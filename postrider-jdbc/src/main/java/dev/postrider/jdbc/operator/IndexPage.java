package dev.postrider.jdbc.operator;

import dev.postrider.database.Dialect;
import dev.postrider.database.Placeholders;
import dev.postrider.database.Session;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;

/**
 * The next rows of an index, so many and no more: a question reads this far and hands back what it has found, whatever
 * the size of the table.
 *
 * @param end the last row of it, or the end of the index
 * @param last whether there are fewer rows than it may have
 */
record IndexPage(PageCursor end, boolean last) {

    // The offset is the size of the window and does not grow from page to page.
    static final String BY_DEATH = """
            select m.died_at, m.seq
              from {message} m {by_death}
             where m.died_at is not null and m.died_at {>=} ? and (m.died_at {>} ? or m.seq {>} ?) {criteria}
             order by m.died_at {asc}, m.seq {asc}
             limit 1 offset ?
            """;

    static final String BY_SEQ = """
            select m.seq
              from {message} m {by_seq}
             where m.seq {>} ?
             order by m.seq {asc}
             limit 1 offset ?
            """;

    static final String BY_ENTRY = """
            select a.entry
              from {audit} a
             where a.entry {>} ?
             order by a.entry {asc}
             limit 1 offset ?
            """;

    static IndexPage byDeath(Session session, IndexDirection direction, PageCursor after, Criteria deaths, int size)
            throws SQLException {
        Dialect dialect = session.dialect();
        Object at = dialect.time(after.at());
        List<Object> values = Placeholders.joined(List.of(at, at, after.seq()), deaths.values(), List.of(size - 1));
        return session.first(
                        deaths.in(direction.in(BY_DEATH)),
                        row -> new IndexPage(death(row, dialect), false),
                        values.toArray())
                .orElse(rest(direction));
    }

    static IndexPage bySeq(Session session, IndexDirection direction, PageCursor after, int size) throws SQLException {
        return byNumber(session, direction, BY_SEQ, after, size);
    }

    static IndexPage byEntry(Session session, IndexDirection direction, PageCursor after, int size)
            throws SQLException {
        return byNumber(session, direction, BY_ENTRY, after, size);
    }

    /** Returns all that is left. */
    static IndexPage rest(IndexDirection direction) {
        return new IndexPage(PageCursor.last(direction), true);
    }

    private static IndexPage byNumber(Session session, IndexDirection direction, String sql, PageCursor after, int size)
            throws SQLException {
        return session.first(
                        direction.in(sql),
                        row -> new IndexPage(PageCursor.of(row.getLong(1)), false),
                        after.seq(),
                        size - 1)
                .orElse(rest(direction));
    }

    static PageCursor death(ResultSet row, Dialect dialect) throws SQLException {
        return new PageCursor(Objects.requireNonNull(dialect.time(row, "died_at")), row.getLong("seq"));
    }
}

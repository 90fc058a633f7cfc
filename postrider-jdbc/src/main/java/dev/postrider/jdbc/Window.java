package dev.postrider.jdbc;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The next rows of an index, so many and no more: a question reads this far and hands back what it has found, whatever
 * the size of the table.
 *
 * @param after where it begins, exclusive
 * @param end the last row of it; null if there is no row
 * @param last whether the index ends here
 */
record Window(Position after, @Nullable Position end, boolean last) {

    private static final String BY_DEATH = """
            select w.died_at, w.seq, count(*) over () as counted
              from (select m.died_at, m.seq
                      from {message} m {by_death}
                     where m.died_at is not null and m.died_at {>=} ? and (m.died_at {>} ? or m.seq {>} ?) {criteria}
                     order by m.died_at {asc}, m.seq {asc}
                     limit ?) w
             order by w.died_at {desc}, w.seq {desc}
             limit 1
            """;

    private static final String BY_SEQ = """
            select w.seq, count(*) over () as counted
              from (select m.seq
                      from {message} m {by_seq}
                     where m.seq {>} ?
                     order by m.seq {asc}
                     limit ?) w
             order by w.seq {desc}
             limit 1
            """;

    private static final String BY_ENTRY = """
            select w.entry, count(*) over () as counted
              from (select a.entry
                      from {audit} a
                     where a.entry {>} ?
                     order by a.entry {asc}
                     limit ?) w
             order by w.entry {desc}
             limit 1
            """;

    static Window byDeath(Session session, Direction direction, Position after, Criteria deaths, int size)
            throws SQLException {
        Dialect dialect = session.dialect();
        Object at = dialect.time(after.at());
        List<Object> values = Placeholders.joined(List.of(at, at, after.seq()), deaths.values(), List.of(size));
        try (PreparedStatement statement = session.prepare(deaths.in(direction.in(BY_DEATH)))) {
            Session.bind(statement, values.toArray());
            try (ResultSet row = statement.executeQuery()) {
                return row.next()
                        ? new Window(after, death(row, dialect), row.getLong("counted") < size)
                        : new Window(after, null, true);
            }
        }
    }

    static Window bySeq(Session session, Direction direction, Position after, int size) throws SQLException {
        return byNumber(session, direction.in(BY_SEQ), after, size);
    }

    static Window byEntry(Session session, Direction direction, Position after, int size) throws SQLException {
        return byNumber(session, direction.in(BY_ENTRY), after, size);
    }

    private static Window byNumber(Session session, String sql, Position after, int size) throws SQLException {
        try (PreparedStatement statement = session.prepare(sql)) {
            Session.bind(statement, after.seq(), size);
            try (ResultSet row = statement.executeQuery()) {
                return row.next()
                        ? new Window(after, Position.of(row.getLong(1)), row.getLong("counted") < size)
                        : new Window(after, null, true);
            }
        }
    }

    static Position death(ResultSet row, Dialect dialect) throws SQLException {
        return new Position(Objects.requireNonNull(dialect.time(row, "died_at")), row.getLong("seq"));
    }
}

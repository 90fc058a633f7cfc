package dev.postrider.saga;

import dev.postrider.database.Dialect;
import dev.postrider.database.Micros;
import dev.postrider.database.Session;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Removes what is old, a bounded number of rows at a time. */
final class SagaPurge {

    private static final String FINISHED = """
            select i.saga_id
              from {instance} i
             where i.finished_at < {later}
             order by i.finished_at
             limit ?
               for update skip locked
            """;

    private static final List<String> REMOVE = List.of(
            "delete from {step} where saga_id in (?)",
            "delete from {audit} where saga_id in (?)",
            "delete from {instance} where saga_id in (?)");

    // The last of those to be removed. Neither a limit nor a row number can be deleted by on every database.
    private static final String LAST = """
            select max(p.placed_at) as placed_at
              from (select placed_at
                      from {participant}
                     where placed_at < {later}
                     order by placed_at
                     limit ?) p
            """;

    private static final String REMOVE_PLACED = "delete from {participant} where placed_at <= ?";

    private final Session session;

    SagaPurge(Session session) {
        this.session = session;
    }

    int finished(Duration atLeast, int limit) throws SQLException {
        List<String> ids = session.list(FINISHED, row -> row.getString(1), -Micros.of(atLeast), limit);
        for (String sql : REMOVE) {
            session.updateAll(sql, List.of(), ids);
        }
        return ids.size();
    }

    int participants(Duration atLeast, int limit) throws SQLException {
        Optional<Object> last = last(atLeast, limit);
        return last.isEmpty() ? 0 : session.update(REMOVE_PLACED, last.get());
    }

    private Optional<Object> last(Duration atLeast, int limit) throws SQLException {
        Dialect dialect = session.dialect();
        return session.first(
                        LAST, row -> Optional.ofNullable(dialect.time(row, "placed_at")), -Micros.of(atLeast), limit)
                .orElseThrow()
                .map(dialect::time);
    }
}

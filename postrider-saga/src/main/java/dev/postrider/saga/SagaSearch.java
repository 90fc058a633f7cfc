package dev.postrider.saga;

import dev.postrider.admin.Page;
import dev.postrider.admin.Page.Order;
import dev.postrider.admin.Slice;
import dev.postrider.database.Micros;
import dev.postrider.database.Session;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Finds sagas. Their ids begin with the time they were started, so that lists are ordered by id. */
final class SagaSearch {

    private static final String LIST = SagaRows.SELECT + " where 1 = 1";

    /**
     * What no saga may be (D10): not finished, and neither STUCK nor claimed nor waiting for a time to come. Whoever
     * asks while runners are at work grants them a while to find what is due.
     */
    private static final String NEGLECTED = SagaRows.SELECT + """
             where i.finished_at is null
               and i.status <> 'STUCK'
               and (i.claimed_until is null or i.claimed_until < {later})
               and (i.wake_at is null or i.wake_at < {later}
                    or i.status not in ('RUNNING', 'WAITING', 'COMPENSATING'))
             order by i.saga_id
             limit ?
            """;

    private final Session session;

    SagaSearch(Session session) {
        this.session = session;
    }

    Slice<SagaSummary> page(SagaFilter filter, Page page) throws SQLException {
        StringBuilder sql = new StringBuilder(LIST);
        List<Object> values = new ArrayList<>();
        boolean newest = page.order() == Order.NEWEST_FIRST;
        if (page.cursor() != null) {
            sql.append(newest ? " and i.saga_id < ?" : " and i.saga_id > ?");
            values.add(position(page.cursor()));
        }
        narrow(filter, sql, values);
        sql.append(newest ? " order by i.saga_id desc limit ?" : " order by i.saga_id limit ?");
        values.add(page.limit() + 1);
        List<SagaSummary> found = summaries(sql.toString(), values);
        if (found.size() <= page.limit()) {
            return new Slice<>(found, null);
        }
        List<SagaSummary> wanted = found.subList(0, page.limit());
        return new Slice<>(wanted, wanted.get(wanted.size() - 1).id().toString());
    }

    List<SagaSummary> neglected(Duration grace, int limit) throws SQLException {
        long ago = -Micros.of(grace);
        return summaries(NEGLECTED, List.of(ago, ago, limit));
    }

    private static void narrow(SagaFilter filter, StringBuilder sql, List<Object> values) {
        if (filter.definition() != null) {
            sql.append(" and i.definition = ?");
            values.add(filter.definition());
        }
        if (!filter.statuses().isEmpty()) {
            List<SagaStatus> statuses = filter.statuses().stream().sorted().toList();
            sql.append(" and i.status in (")
                    .append(String.join(", ", statuses.stream().map(each -> "?").toList()))
                    .append(')');
            statuses.forEach(each -> values.add(each.name()));
        }
        if (!filter.unchangedFor().isZero()) {
            sql.append(" and i.updated_at <= {later}");
            values.add(-Micros.of(filter.unchangedFor()));
        }
    }

    private static String position(String cursor) {
        try {
            return UUID.fromString(cursor).toString();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("This cursor is not from a list of sagas", e);
        }
    }

    private List<SagaSummary> summaries(String sql, List<?> values) throws SQLException {
        return new SagaRows(session)
                .all(sql, values).stream().map(SagaSummary::of).toList();
    }
}

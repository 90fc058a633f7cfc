package dev.postrider.jdbc.operator;

import dev.postrider.admin.AuditEntry;
import dev.postrider.admin.AuditFilter;
import dev.postrider.admin.Decision;
import dev.postrider.admin.Page;
import dev.postrider.admin.Slice;
import dev.postrider.database.Session;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Who did what to messages, and why: one entry for each message or each purge, and never a payload. */
final class AuditTrail {

    private static final String KIND = "audit";

    // One statement for many messages, so that a bulk action does not pay a round trip for each.
    static final String ADD = """
            insert into {audit} (actor, action, reason, bulk_id, message_id, detail)
            select ?, ?, ?, ?, m.id, concat(m.namespace, '/', m.topic, ' ', m.type)
              from {message} m {by_seq}
             where m.seq in (?)
             order by m.seq
            """;

    private static final String ADD_FOR_MANY = """
            insert into {audit} (actor, action, reason, detail)
            values (?, ?, ?, ?)
            """;

    private static final String READ = """
            select a.entry, a.created_at, a.actor, a.action, a.reason, a.message_id, a.bulk_id, a.detail
              from {audit} a
             where a.entry {>} ? and a.entry {<=} ?
            """;

    private static final String ORDER = " order by a.entry {asc} limit ?";

    // The sum keeps the planner from walking the whole trail in search of the few entries of one message.
    private static final String ORDER_OF_ONE = " order by a.entry + 0 {asc} limit ?";

    private final Session session;

    AuditTrail(Session session) {
        this.session = session;
    }

    /** Notes what is done to these rows, as long as they are there. */
    static void add(Session session, String action, Decision decision, @Nullable UUID bulkId, List<Long> seqs)
            throws SQLException {
        Object bulk = bulkId == null ? null : session.dialect().id(bulkId);
        session.updateAll(ADD, Arrays.asList(decision.by(), action, decision.reason(), bulk), seqs);
    }

    /** Notes what is done to many rows at once, in one entry that names none of them. */
    static void addForMany(Session session, String action, Decision decision, String detail) throws SQLException {
        session.update(ADD_FOR_MANY, decision.by(), action, decision.reason(), detail);
    }

    Slice<AuditEntry> page(AuditFilter filter, Page page, int step) throws SQLException {
        IndexDirection direction = IndexDirection.of(page.order());
        PageCursor after = PageCursor.of(KIND, page);
        IndexPage window = filter.messageId() == null
                ? IndexPage.byEntry(session, direction, after, step)
                : IndexPage.rest(direction);
        List<AuditEntry> entries =
                read(filter, page, direction, after.seq(), window.end().seq());
        if (entries.size() > page.limit()) {
            List<AuditEntry> wanted = entries.subList(0, page.limit());
            long end = wanted.get(wanted.size() - 1).entry();
            return new Slice<>(wanted, PageCursor.of(end).cursor(KIND, direction));
        }
        return new Slice<>(entries, window.last() ? null : window.end().cursor(KIND, direction));
    }

    private List<AuditEntry> read(AuditFilter filter, Page page, IndexDirection direction, long after, long end)
            throws SQLException {
        StringBuilder sql = new StringBuilder(READ);
        List<Object> values = new ArrayList<>(List.of(after, end));
        add(sql, values, " and a.message_id = ?", id(filter.messageId()));
        add(sql, values, " and a.bulk_id = ?", id(filter.bulkId()));
        add(sql, values, " and a.actor = ?", filter.by());
        add(sql, values, " and a.created_at >= ?", time(filter.from()));
        add(sql, values, " and a.created_at < ?", time(filter.before()));
        sql.append(filter.messageId() == null ? ORDER : ORDER_OF_ONE);
        values.add(page.limit() + 1);
        return session.list(direction.in(sql.toString()), row -> entry(row), values.toArray());
    }

    private static void add(StringBuilder sql, List<Object> values, String condition, @Nullable Object value) {
        if (value != null) {
            sql.append(condition);
            values.add(value);
        }
    }

    private AuditEntry entry(ResultSet row) throws SQLException {
        return new AuditEntry(
                row.getLong("entry"),
                Objects.requireNonNull(session.dialect().time(row, "created_at")),
                row.getString("actor"),
                row.getString("action"),
                row.getString("reason"),
                id(row, "message_id"),
                id(row, "bulk_id"),
                row.getString("detail"));
    }

    private @Nullable UUID id(ResultSet row, String column) throws SQLException {
        return row.getObject(column) == null ? null : session.dialect().id(row, column);
    }

    private @Nullable Object id(@Nullable UUID id) {
        return id == null ? null : session.dialect().id(id);
    }

    private @Nullable Object time(@Nullable Instant time) {
        return time == null ? null : session.dialect().time(Criteria.nextMicro(time));
    }
}

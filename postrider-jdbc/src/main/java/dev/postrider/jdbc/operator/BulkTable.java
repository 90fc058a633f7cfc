package dev.postrider.jdbc.operator;

import dev.postrider.OutboxException;
import dev.postrider.admin.BulkAction;
import dev.postrider.admin.BulkPlan;
import dev.postrider.admin.BulkProgress;
import dev.postrider.admin.BulkStatus;
import dev.postrider.admin.Decision;
import dev.postrider.database.Dialect;
import dev.postrider.database.Micros;
import dev.postrider.database.Session;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The rows of bulk actions: where each one stands, and who runs it. */
final class BulkTable {

    static final Duration PLAN_LIFE = Duration.ofHours(1);
    static final Duration CLAIM = Duration.ofSeconds(30);

    private static final String NOW = "select {now} as moment";

    private static final String ADD = """
            insert into {bulk} (id, action, filter, cut_off, actor, reason, status, expected, created_at, updated_at)
            values (?, ?, ?, ?, ?, ?, 0, ?, {now}, {now})
            """;

    private static final String READ = """
            select id, action, filter, cut_off, actor, reason, status, expected, done, skipped, failed, position_at,
                   position_seq, claimed_by, started_at, updated_at, last_error,
                   case when claim_until > {now} then 1 else 0 end as claimed,
                   case when created_at <= {later} then 1 else 0 end as expired
              from {bulk}
            """;

    private static final String ONE = READ + " where id = ?";
    private static final String LOCK = ONE + " for update";
    private static final String NEWEST = READ + " order by created_at desc, id desc limit ?";

    private static final String START = """
            update {bulk}
               set status = 1, rate = ?, claimed_by = ?, claim_until = {later}, started_at = coalesce(started_at, {now}),
                   updated_at = {now}
             where id = ?
            """;

    private static final String ADVANCE = """
            update {bulk}
               set done = done + ?, skipped = skipped + ?, failed = failed + ?, last_error = coalesce(?, last_error),
                   position_at = ?, position_seq = ?, claim_until = {later}, updated_at = {now}
             where id = ?
            """;

    private static final String STOP = """
            update {bulk}
               set status = ?, claimed_by = null, claim_until = null, updated_at = {now}
             where id = ?
            """;

    private static final String NOTE = """
            insert into {audit} (actor, action, reason, bulk_id, detail)
            values (?, ?, ?, ?, ?)
            """;

    /**
     * A row.
     *
     * @param claimedBy who runs it, or ran it last
     * @param claimed whether nobody else may run it now
     * @param expired whether it is too old to be started
     */
    record Entry(
            BulkProgress progress,
            PageCursor position,
            @Nullable String claimedBy,
            boolean claimed,
            boolean expired) {

        BulkStatus status() {
            return progress.status();
        }
    }

    /** What a batch did. */
    record Counts(int done, int skipped, int failed) {
        static final Counts NONE = new Counts(0, 0, 0);
    }

    private final Session session;

    BulkTable(Session session) {
        this.session = session;
    }

    Instant now() throws SQLException {
        return session.first(
                        NOW, row -> Objects.requireNonNull(session.dialect().time(row, "moment")))
                .orElseThrow();
    }

    void add(BulkPlan plan) throws SQLException {
        session.update(
                ADD,
                session.dialect().id(plan.id()),
                plan.action().name(),
                FilterText.of(plan.filter()),
                session.dialect().time(plan.cutOff()),
                plan.decision().by(),
                plan.decision().reason(),
                plan.expected());
    }

    Optional<Entry> find(UUID id) throws SQLException {
        return read(ONE, session.dialect().id(id)).stream().findFirst();
    }

    List<Entry> newest(int limit) throws SQLException {
        return read(NEWEST, limit);
    }

    /** Keeps everybody else from changing the row until the transaction ends. */
    Entry lock(UUID id) throws SQLException {
        return read(LOCK, session.dialect().id(id)).stream()
                .findFirst()
                .orElseThrow(() -> new OutboxException("There is no bulk action " + id));
    }

    void start(UUID id, String runner, @Nullable Integer rate) throws SQLException {
        session.update(START, rate, runner, Micros.of(CLAIM), session.dialect().id(id));
    }

    void advance(UUID id, Counts counts, @Nullable String error, PageCursor position) throws SQLException {
        session.update(
                ADVANCE,
                counts.done,
                counts.skipped,
                counts.failed,
                error,
                session.dialect().time(position.at()),
                position.seq(),
                Micros.of(CLAIM),
                session.dialect().id(id));
    }

    void stop(UUID id, BulkStatus status) throws SQLException {
        session.update(STOP, code(status), session.dialect().id(id));
    }

    /** Writes to the audit trail what was done to the whole action. */
    void note(String what, Decision decision, BulkProgress progress) throws SQLException {
        BulkPlan plan = progress.plan();
        String detail = "%s %s: expected %d, done %d, skipped %d, failed %d"
                .formatted(
                        plan.action(),
                        FilterText.of(plan.filter()),
                        plan.expected(),
                        progress.done(),
                        progress.skipped(),
                        progress.failed());
        session.update(
                NOTE, decision.by(), what, decision.reason(), session.dialect().id(plan.id()), detail);
    }

    private List<Entry> read(String sql, Object value) throws SQLException {
        return session.list(sql, row -> entry(row), -Micros.of(PLAN_LIFE), value);
    }

    private Entry entry(ResultSet row) throws SQLException {
        Dialect dialect = session.dialect();
        BulkPlan plan = new BulkPlan(
                dialect.id(row, "id"),
                BulkAction.valueOf(row.getString("action")),
                FilterText.parse(row.getString("filter")),
                new Decision(row.getString("actor"), row.getString("reason")),
                Objects.requireNonNull(dialect.time(row, "cut_off")),
                row.getLong("expected"),
                List.of());
        BulkProgress progress = new BulkProgress(
                plan,
                status(row.getInt("status")),
                row.getLong("done"),
                row.getLong("skipped"),
                row.getLong("failed"),
                dialect.time(row, "started_at"),
                Objects.requireNonNull(dialect.time(row, "updated_at")),
                row.getString("last_error"));
        Instant at = dialect.time(row, "position_at");
        return new Entry(
                progress,
                at == null ? PageCursor.of(0) : new PageCursor(at, row.getLong("position_seq")),
                row.getString("claimed_by"),
                row.getInt("claimed") == 1,
                row.getInt("expired") == 1);
    }

    private static short code(BulkStatus status) {
        return switch (status) {
            case PREPARED -> 0;
            case RUNNING -> 1;
            case PAUSED -> 2;
            case DONE -> 3;
            case CANCELLED -> 4;
        };
    }

    private static BulkStatus status(int code) {
        return switch (code) {
            case 0 -> BulkStatus.PREPARED;
            case 1 -> BulkStatus.RUNNING;
            case 2 -> BulkStatus.PAUSED;
            case 3 -> BulkStatus.DONE;
            case 4 -> BulkStatus.CANCELLED;
            default -> throw new IllegalStateException("No state of a bulk action has the number " + code);
        };
    }
}

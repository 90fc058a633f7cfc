package dev.postrider.saga;

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
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** The rows of the sagas themselves. */
final class SagaRows {

    private static final String COLUMNS = """
            i.saga_id, i.definition, i.def_version, i.business_key, i.mode, i.ctx_codec, i.trace_context,
            i.parent_saga_id, i.status, i.direction, i.ctx, i.revision, i.pivot_passed, i.fail_step, i.fail_class,
            i.fail_message, i.claimed_by, i.claimed_until, i.epoch, i.claim_count, i.created_at, i.updated_at,
            i.wake_at, i.deadline_at, i.finished_at, {now} as read_at
            """;

    static final String SELECT = "select " + COLUMNS + " from {instance} i";

    private static final String BY_ID = SELECT + " where i.saga_id = ?";
    private static final String BY_KEY = SELECT + " where i.definition = ? and i.business_key = ?";

    // A read that locks sees what was committed after the snapshot of a transaction at REPEATABLE READ.
    private static final String BY_KEY_LOCKED = BY_KEY + " for update";

    // An update locks as well as a select, and leaves a mark: if the transaction is lost on the way, as it is when a
    // step overlooks a deadlock on MariaDB, the revision is not the marked one any more and advance changes no row.
    private static final String LOCK = "update {instance} i set revision = i.revision + ? where i.saga_id = ?";
    private static final String FENCE = LOCK + " and i.epoch = ?";

    // The claim may have lapsed while a step held the row locked: it is renewed before the next step begins.
    private static final String FENCE_AND_RENEW = """
            update {instance} i
               set revision = i.revision + ?,
                   claimed_until = case when i.claimed_until is null then null else {later} end
             where i.saga_id = ?
               and i.epoch = ?
            """;
    private static final String RETURNING = " returning " + COLUMNS;
    private static final long LARGEST_MARK = 1L << 30;

    private static final String INSERT = """
            insert into {instance} (saga_id, definition, def_version, business_key, mode, ctx_codec, trace_context,
                                    parent_saga_id, status, ctx, fail_step, fail_class, fail_message, deadline_at,
                                    wake_at, finished_at)
            values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, {later}, {later}, {later})
            """;

    private static final String ADVANCE = """
            update {instance}
               set status = ?, direction = coalesce(?, direction), ctx = coalesce(?, ctx),
                   pivot_passed = case when ? then true else pivot_passed end,
                   fail_step = case when ? then ? else fail_step end,
                   fail_message = case when ? then ? else fail_message end,
                   fail_class = coalesce(?, fail_class),
                   claimed_by = case when ? then null else claimed_by end,
                   claimed_until = case when ? then null else claimed_until end,
                   wake_at = {later}, finished_at = {later}, updated_at = {now}, claim_count = 0
             where saga_id = ?
               and epoch = ?
               and revision = ?
            """;

    // The next epoch: whoever works on the saga writes nothing any more.
    private static final String TAKE_OVER = """
            update {instance}
               set epoch = epoch + 1, claimed_by = null, claimed_until = null
             where saga_id = ?
            """;

    private static final String FORGET_FAILURE = """
            update {instance}
               set fail_step = null, fail_class = null, fail_message = null
             where saga_id = ?
            """;

    private final Session session;

    // A random number, so that the revision of whoever locks the saga after us never looks like ours.
    private final long mark = ThreadLocalRandom.current().nextLong(1, LARGEST_MARK);

    SagaRows(Session session) {
        this.session = session;
    }

    Optional<SagaRow> find(UUID id) throws SQLException {
        return one(BY_ID, id.toString());
    }

    Optional<SagaRow> findByKey(String definition, String businessKey) throws SQLException {
        return one(BY_KEY, definition, businessKey);
    }

    Optional<SagaRow> findByKeyLocked(String definition, String businessKey) throws SQLException {
        return one(BY_KEY_LOCKED, definition, businessKey);
    }

    Optional<SagaRow> lock(UUID id) throws SQLException {
        return lock(LOCK, id, mark, id.toString());
    }

    Optional<SagaRow> fence(UUID id, long epoch) throws SQLException {
        return lock(FENCE, id, mark, id.toString(), epoch);
    }

    Optional<SagaRow> fence(UUID id, long epoch, Duration claimFor) throws SQLException {
        return lock(FENCE_AND_RENEW, id, mark, Micros.of(claimFor), id.toString(), epoch);
    }

    private Optional<SagaRow> lock(String sql, UUID id, Object... values) throws SQLException {
        if (session.dialect() == Dialect.POSTGRESQL) {
            return one(sql + RETURNING, values);
        }
        return session.update(sql, values) == 1 ? find(id) : Optional.empty();
    }

    /** By how much the revision of a saga grows when it is locked through this. */
    long mark() {
        return mark;
    }

    /** Inserts the row, or returns false if there is one with its id or business key. */
    boolean insert(NewSaga saga) throws SQLException {
        return session.insertOnce(INSERT, values(saga));
    }

    private static @Nullable Object[] values(NewSaga saga) {
        SagaHead head = saga.head();
        FailureText failure = FailureText.of(saga.failure());
        boolean due = head.mode() == SagaMode.DURABLE && saga.status().active();
        return new @Nullable Object[] {
            head.id().toString(),
            head.definition().name(),
            head.definition().version(),
            head.businessKey(),
            head.mode().code(),
            head.codec(),
            head.traceContext(),
            text(head.parent()),
            saga.status().name(),
            saga.context(),
            failure.step(),
            failure.type(),
            failure.message(),
            micros(saga.deadline()),
            due ? 0L : null,
            saga.status().finished() ? 0L : null
        };
    }

    /** Changes a row that was inserted or locked in this transaction, if it still has the epoch and revision. */
    boolean advance(UUID id, long epoch, long revision, SagaUpdate change) throws SQLException {
        FailureText failure = FailureText.of(change.failure());
        boolean fails = change.failure() != null;
        boolean release = change.release() || !change.status().active();
        return session.update(
                        ADVANCE,
                        change.status().name(),
                        turn(change.status()),
                        change.context(),
                        change.pivotPassed(),
                        fails,
                        failure.step(),
                        fails,
                        failure.message(),
                        failure.type(),
                        release,
                        release,
                        change.status().active() ? micros(change.wakeIn()) : null,
                        change.status().finished() ? 0L : null,
                        id.toString(),
                        epoch,
                        revision)
                == 1;
    }

    /** Takes a locked saga from whoever works on it, and changes it. */
    void takeOver(SagaRow saga, SagaUpdate change) throws SQLException {
        session.update(TAKE_OVER, saga.id().toString());
        advance(saga.id(), saga.claim().epoch() + 1, saga.state().revision(), change);
    }

    void forgetFailure(UUID id) throws SQLException {
        session.update(FORGET_FAILURE, id.toString());
    }

    private static @Nullable String turn(SagaStatus status) {
        return switch (status) {
            case RUNNING -> Direction.FORWARD.code();
            case COMPENSATING -> Direction.COMPENSATION.code();
            default -> null;
        };
    }

    List<SagaRow> all(String sql, List<?> values) throws SQLException {
        return session.list(sql, row -> read(row), values.toArray());
    }

    private Optional<SagaRow> one(String sql, Object... values) throws SQLException {
        return all(sql, List.of(values)).stream().findFirst();
    }

    private SagaRow read(ResultSet row) throws SQLException {
        return new SagaRow(head(row), state(row), claim(row), times(row));
    }

    private static SagaHead head(ResultSet row) throws SQLException {
        String parent = row.getString("parent_saga_id");
        return new SagaHead(
                UUID.fromString(row.getString("saga_id")),
                new SagaVersion(row.getString("definition"), row.getInt("def_version")),
                row.getString("business_key"),
                SagaMode.of(row.getString("mode")),
                row.getString("ctx_codec"),
                row.getString("trace_context"),
                parent == null ? null : UUID.fromString(parent));
    }

    private static SagaRow.State state(ResultSet row) throws SQLException {
        String type = row.getString("fail_class");
        return new SagaRow.State(
                SagaStatus.valueOf(row.getString("status")),
                Direction.of(row.getString("direction")),
                row.getString("ctx"),
                row.getLong("revision"),
                row.getBoolean("pivot_passed"),
                type == null ? null : new SagaFailure(row.getString("fail_step"), type, row.getString("fail_message")));
    }

    private SagaRow.Claim claim(ResultSet row) throws SQLException {
        return new SagaRow.Claim(
                row.getString("claimed_by"),
                time(row, "claimed_until"),
                row.getLong("epoch"),
                row.getInt("claim_count"));
    }

    private SagaRow.Times times(ResultSet row) throws SQLException {
        return new SagaRow.Times(
                Objects.requireNonNull(time(row, "read_at")),
                Objects.requireNonNull(time(row, "created_at")),
                Objects.requireNonNull(time(row, "updated_at")),
                time(row, "wake_at"),
                time(row, "deadline_at"),
                time(row, "finished_at"));
    }

    private @Nullable Instant time(ResultSet row, String column) throws SQLException {
        return session.dialect().time(row, column);
    }

    private static @Nullable Long micros(@Nullable Duration duration) {
        return duration == null ? null : Micros.of(duration);
    }

    private static @Nullable String text(@Nullable UUID id) {
        return id == null ? null : id.toString();
    }
}

package dev.postrider.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** PostgreSQL 15 and later. */
final class PostgresDialectTraits implements DialectTraits {

    static final String FIXED_PLAN = """
            select length(set_config('enable_seqscan', 'off', true) || set_config('enable_bitmapscan', 'off', true)
                          || set_config('enable_sort', 'off', true) || set_config('jit', 'off', true)
                          || set_config('plan_cache_mode', 'force_generic_plan', true));
            """;

    @Override
    public String folder() {
        return "postgresql";
    }

    @Override
    public String in(String statement) {
        return statement
                .replace("{now}", "clock_timestamp()")
                .replace("{later}", "clock_timestamp() + ?::bigint * interval '1 microsecond'")
                .replace("{at}", "timestamptz 'epoch' + ?::bigint * interval '1 microsecond'")
                .replace("{infinity}", "timestamptz 'infinity'");
    }

    @Override
    public List<String> limitLockWait(Connection connection, Duration longest) throws SQLException {
        DialectTraits.execute(connection, "set local lock_timeout = " + Math.max(1, longest.toMillis()));
        return List.of();
    }

    @Override
    public Object id(UUID id) {
        return id;
    }

    @Override
    public UUID id(ResultSet row, int column) throws SQLException {
        // Without naming the class, which the driver would compare with one after the other.
        return (UUID) row.getObject(column);
    }

    @Override
    public Object time(Instant time) {
        return time.atOffset(ZoneOffset.UTC);
    }

    @Override
    public @Nullable Instant time(ResultSet row, String column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null || time.equals(OffsetDateTime.MAX) ? null : time.toInstant();
    }

    // Data definition is transactional here: the lock ends with the transaction, whatever becomes of the client.
    @Override
    public void lockSchema(Connection connection, TableNames names) throws SQLException {
        try (PreparedStatement lock =
                connection.prepareStatement("select pg_advisory_xact_lock(hashtextextended(?, 0))")) {
            lock.setString(1, "postrider schema " + names.label());
            lock.execute();
        }
    }

    @Override
    public void unlockSchema(Connection connection, TableNames names) {}

    @Override
    public String tableSize() {
        return """
                select cast(c.reltuples as bigint), pg_total_relation_size(c.oid)
                  from pg_class c
                 where c.oid = to_regclass(concat_ws('.', cast(? as text), cast(? as text)))
                """;
    }

    @Override
    public boolean readOnly(Connection connection) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(
                        "select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on'");
                ResultSet row = query.executeQuery()) {
            return row.next() && row.getBoolean(1);
        }
    }
}

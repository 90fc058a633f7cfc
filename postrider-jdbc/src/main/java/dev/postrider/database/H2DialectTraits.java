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
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** H2, for trying out and for tests. */
final class H2DialectTraits implements DialectTraits {

    private static final ReentrantLock SCHEMA_LOCK = new ReentrantLock();
    private static final int INFINITE_YEAR = 9999;

    @Override
    public String folder() {
        return "h2";
    }

    @Override
    public String in(String statement) {
        return statement
                .replace("{now}", "current_timestamp")
                .replace("{later}", "dateadd('MICROSECOND', cast(? as bigint), current_timestamp)")
                .replace(
                        "{at}",
                        "dateadd('MICROSECOND', cast(? as bigint), timestamp with time zone '1970-01-01 00:00:00+00')")
                .replace("{infinity}", "timestamp with time zone '9999-12-31 00:00:00+00'");
    }

    @Override
    public List<String> limitLockWait(Connection connection, Duration longest) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("call lock_timeout()");
                ResultSet row = query.executeQuery()) {
            row.next();
            long before = row.getLong(1);
            DialectTraits.execute(connection, "set lock_timeout " + Math.max(1, longest.toMillis()));
            return List.of("set lock_timeout " + before);
        }
    }

    @Override
    public Object id(UUID id) {
        return id;
    }

    @Override
    public UUID id(ResultSet row, int column) throws SQLException {
        return row.getObject(column, UUID.class);
    }

    @Override
    public Object time(Instant time) {
        return time.atOffset(ZoneOffset.UTC);
    }

    @Override
    public @Nullable Instant time(ResultSet row, String column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null || time.getYear() >= INFINITE_YEAR ? null : time.toInstant();
    }

    // An embedded database belongs to one JVM, and the script may be run twice without harm.
    @Override
    public void lockSchema(Connection connection, TableNames names) {
        SCHEMA_LOCK.lock();
    }

    @Override
    public void unlockSchema(Connection connection, TableNames names) {
        SCHEMA_LOCK.unlock();
    }

    // What a table takes on the disk could only be found by reading all of it.
    @Override
    public String tableSize() {
        return """
                select t.row_count_estimate, cast(null as bigint)
                  from information_schema.tables t
                 where t.table_schema = coalesce(upper(cast(? as varchar)), current_schema)
                   and t.table_name = upper(cast(? as varchar))
                """;
    }

    @Override
    public boolean readOnly(Connection connection) throws SQLException {
        return connection.isReadOnly();
    }
}

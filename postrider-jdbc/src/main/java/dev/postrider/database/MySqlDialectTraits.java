package dev.postrider.database;

import dev.postrider.OutboxException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** MariaDB 10.6 and MySQL 8.0 and later. */
final class MySqlDialectTraits implements DialectTraits {

    private static final int ID_BYTES = 16;
    private static final int INFINITE_YEAR = 9999;
    private static final int LOCK_SECONDS = 60;
    private static final int IDLE_SECONDS = 5;

    private final String folder;
    private final String idleTimeout;

    MySqlDialectTraits(String folder, String idleTimeout) {
        this.folder = folder;
        this.idleTimeout = idleTimeout;
    }

    @Override
    public String folder() {
        return folder;
    }

    @Override
    public String in(String statement) {
        return statement
                .replace("{now}", "utc_timestamp(6)")
                .replace("{later}", "utc_timestamp(6) + interval ? microsecond")
                .replace("{at}", "timestamp '1970-01-01 00:00:00' + interval ? microsecond")
                .replace("{infinity}", "timestamp '9999-12-31 00:00:00'");
    }

    @Override
    public List<String> beforeTransaction() {
        return List.of(
                "set @postrider_idle = @@session.%1$s, session %1$s = %2$d".formatted(idleTimeout, IDLE_SECONDS));
    }

    @Override
    public List<String> afterTransaction() {
        return List.of("set session %s = @postrider_idle".formatted(idleTimeout));
    }

    // Whole seconds, and at least one, is what the server takes.
    @Override
    public List<String> limitLockWait(Connection connection, Duration longest) throws SQLException {
        long seconds = Math.max(1, longest.plusMillis(999).toSeconds());
        DialectTraits.execute(
                connection,
                "set @postrider_lock_wait = @@session.innodb_lock_wait_timeout, session innodb_lock_wait_timeout = "
                        + seconds);
        return List.of("set session innodb_lock_wait_timeout = @postrider_lock_wait");
    }

    @Override
    public Object id(UUID id) {
        return ByteBuffer.allocate(ID_BYTES)
                .putLong(id.getMostSignificantBits())
                .putLong(id.getLeastSignificantBits())
                .array();
    }

    @Override
    public UUID id(ResultSet row, int column) throws SQLException {
        ByteBuffer bytes = ByteBuffer.wrap(row.getBytes(column));
        return new UUID(bytes.getLong(), bytes.getLong());
    }

    @Override
    public Object time(Instant time) {
        return LocalDateTime.ofInstant(time, ZoneOffset.UTC);
    }

    @Override
    public @Nullable Instant time(ResultSet row, String column) throws SQLException {
        LocalDateTime time = row.getObject(column, LocalDateTime.class);
        return time == null || time.getYear() >= INFINITE_YEAR ? null : time.toInstant(ZoneOffset.UTC);
    }

    // Data definition commits at once, so the lock belongs to the session and not to the transaction.
    @Override
    public void lockSchema(Connection connection, TableNames names) throws SQLException {
        if (call(connection, "select get_lock(?, " + LOCK_SECONDS + ")", names) != 1) {
            throw new OutboxException("Another process has been changing the tables '%s' for %d s"
                    .formatted(names.label(), LOCK_SECONDS));
        }
    }

    @Override
    public void unlockSchema(Connection connection, TableNames names) throws SQLException {
        call(connection, "select release_lock(?)", names);
    }

    // Its end, which every caller and every pool sees to, is the end of the refusal too.
    @Override
    public boolean refuseWrites(Connection connection) throws SQLException {
        DialectTraits.execute(connection, "start transaction read only");
        return true;
    }

    private static int call(Connection connection, String sql, TableNames names) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, lockName(connection, names));
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? row.getInt(1) : 0;
            }
        }
    }

    // Locks are the server's, not the database's, and a name may have 64 characters.
    private static String lockName(Connection connection, TableNames names) throws SQLException {
        String where = connection.getCatalog() + "." + names.label();
        return "postrider " + UUID.nameUUIDFromBytes(where.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String tableSize() {
        return """
                select t.table_rows, t.data_length + t.index_length
                  from information_schema.tables t
                 where t.table_schema = coalesce(?, database()) and t.table_name = ?
                """;
    }

    @Override
    public boolean readOnly(Connection connection) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("select @@global.read_only");
                ResultSet row = query.executeQuery()) {
            return row.next() && row.getInt(1) != 0;
        }
    }
}

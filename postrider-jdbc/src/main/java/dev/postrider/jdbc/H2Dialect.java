package dev.postrider.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** H2, for trying out and for tests. */
enum H2Dialect implements Dialect {
    INSTANCE;

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
                .replace("{infinity}", "timestamp with time zone '9999-12-31 00:00:00+00'")
                .replace("{held_key}", "m.held_key")
                .replace("{by_seq}", "")
                .replace("{by_death}", "")
                .replace("{after_death}", "(m.died_at > ? or (m.died_at = ? and m.seq > ?))")
                .replace("{by_due}", "")
                .replace("{by_holder}", "");
    }

    @Override
    public String insertOnce() {
        return Inserts.INSERT;
    }

    @Override
    public boolean skipsDuplicates() {
        return false;
    }

    @Override
    public boolean endsTransactionOnError() {
        return false;
    }

    @Override
    public boolean limitsStatements() {
        return false;
    }

    @Override
    public Object id(UUID id) {
        return id;
    }

    @Override
    public UUID id(ResultSet row, String column) throws SQLException {
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

    @Override
    public Claims claims(Transactions transactions, RowKeys keys) {
        return new LockingClaims(transactions, keys);
    }

    @Override
    public Acquisition acquisition() {
        return new LockingAcquisition();
    }

    @Override
    public Outcomes outcomes(Transactions transactions, boolean deleteDelivered) {
        return new H2Outcomes(transactions, deleteDelivered);
    }

    @Override
    public HeldKeys heldKeys() {
        return new LockingHeldKeys();
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

    @Override
    public boolean readOnly(Connection connection) throws SQLException {
        return connection.isReadOnly();
    }
}

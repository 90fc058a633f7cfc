package dev.postrider.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** PostgreSQL 15 and later. */
enum PostgresDialect implements Dialect {
    INSTANCE;

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
                .replace("{infinity}", "timestamptz 'infinity'")
                .replace("{held_key}", "m.holds_key and m.message_key")
                .replace("{by_seq}", "")
                .replace("{by_due}", "")
                .replace("{by_death}", "")
                .replace("{after_death}", "m.died_at >= ? and (m.died_at, m.seq) > (?, ?)")
                .replace("{by_holder}", "");
    }

    // Neither a conflict target nor RETURNING: a producer whose role may only insert could use neither. A select
    // instead of VALUES, because the driver may merge batched VALUES and then cannot tell which row was inserted.
    @Override
    public String insertOnce() {
        return JdbcOutbox.COLUMNS + """
                select ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, {later}, ?, ?, ?, ?, ?
                    on conflict do nothing
                """;
    }

    @Override
    public boolean skipsDuplicates() {
        return true;
    }

    @Override
    public boolean endsTransactionOnError() {
        return true;
    }

    @Override
    public boolean sendsTogether() {
        return true;
    }

    @Override
    public boolean asksForIsolation() {
        return true;
    }

    @Override
    public boolean limitsStatements() {
        return true;
    }

    @Override
    public List<String> fixPlan() {
        return List.of(PostgresSql.FIXED_PLAN);
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
        return time == null || time.equals(OffsetDateTime.MAX) ? null : time.toInstant();
    }

    @Override
    public Claims claims(Transactions transactions, RowKeys keys) {
        return new PostgresClaims(transactions, keys);
    }

    @Override
    public Outcomes outcomes(Transactions transactions, boolean deleteDelivered) {
        return new PostgresOutcomes(transactions, deleteDelivered);
    }

    @Override
    public Acquisition acquisition() {
        return new PostgresAcquisition();
    }

    @Override
    public HeldKeys heldKeys() {
        return new PostgresHeldKeys();
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
    public boolean readOnly(Connection connection) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(
                        "select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on'");
                ResultSet row = query.executeQuery()) {
            return row.next() && row.getBoolean(1);
        }
    }
}

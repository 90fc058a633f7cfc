package dev.postrider.jdbc;

import dev.postrider.database.Transactions;
import dev.postrider.jdbc.row.RowKeys;

/** PostgreSQL 15 and later. */
enum PostgresOutboxDialect implements OutboxDialect {
    INSTANCE;

    @Override
    public String in(String statement) {
        return PostgresJournal.in(statement)
                .replace("{held_key}", "m.holds_key and m.message_key")
                .replace("{delivered_at}", "delivered_at")
                .replace("{not_delivered}", "null")
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
    public boolean sendsTogether() {
        return true;
    }

    @Override
    public Fetches fetches(Transactions transactions, RowKeys keys) {
        return new PostgresFetch(transactions, keys);
    }

    @Override
    public ManualClaims manualClaims(Transactions transactions, RowKeys keys) {
        return new PostgresManualClaims(transactions, keys);
    }

    @Override
    public Outcomes outcomes(Transactions transactions, boolean deleteDelivered) {
        return new PostgresOutcomes(transactions, deleteDelivered);
    }

    @Override
    public ShardTakeover takeover() {
        return new PostgresTakeover();
    }

    @Override
    public HeldKeys heldKeys() {
        return new PostgresHeldKeys();
    }
}

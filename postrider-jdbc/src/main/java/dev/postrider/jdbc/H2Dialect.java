package dev.postrider.jdbc;

import dev.postrider.database.Transactions;

/** H2, for trying out and for tests. */
enum H2Dialect implements OutboxDialect {
    INSTANCE;

    @Override
    public String in(String statement) {
        return ClaimColumns.inRow(statement)
                .replace("{held_key}", "m.held_key")
                .replace("{delivered_at}", "delivered_at")
                .replace("{not_delivered}", "null")
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
    public Claims claims(Transactions transactions, RowKeys keys, NotedClaims noted) {
        return new LockingClaims(transactions, keys);
    }

    @Override
    public Acquisition acquisition() {
        return new LockingAcquisition();
    }

    @Override
    public Outcomes outcomes(Transactions transactions, boolean deleteDelivered, NotedClaims noted) {
        return new H2Outcomes(transactions, deleteDelivered);
    }

    @Override
    public HeldKeys heldKeys() {
        return new LockingHeldKeys();
    }
}

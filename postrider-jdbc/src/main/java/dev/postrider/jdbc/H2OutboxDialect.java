package dev.postrider.jdbc;

import dev.postrider.database.Transactions;

/** H2, for trying out and for tests. */
enum H2OutboxDialect implements OutboxDialect {
    INSTANCE;

    @Override
    public String in(String statement) {
        return InFlightJournal.in(statement)
                .replace("{share}", "for update")
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
    public Outcomes outcomes(Transactions transactions, boolean deleteDelivered) {
        return new H2Outcomes(transactions, deleteDelivered);
    }
}

package dev.postrider.jdbc;

import dev.postrider.database.Transactions;

/** MariaDB 10.7 and MySQL 8.0 and later. */
enum MySqlOutboxDialect implements OutboxDialect {
    INSTANCE;

    @Override
    public String in(String statement) {
        return InFlightJournal.in(statement)
                .replace("{share}", "lock in share mode")
                .replace("{held_key}", "m.held_key")
                .replace("{delivered_at}", "nullif(delivered_at, {infinity})")
                .replace("{not_delivered}", "{infinity}")
                .replace("{after_death}", "(m.died_at > ? or (m.died_at = ? and m.seq > ?))")
                .replace("{by_death}", "force index ({prefix}message_dead)")
                .replace("{by_seq}", "force index (primary)")
                .replace("{by_due}", "force index ({prefix}message_due)")
                .replace("{by_holder}", "force index ({prefix}message_holder)");
    }

    @Override
    public Outcomes outcomes(Transactions transactions, boolean deleteDelivered) {
        return new JsonTableOutcomes(transactions, deleteDelivered);
    }
}

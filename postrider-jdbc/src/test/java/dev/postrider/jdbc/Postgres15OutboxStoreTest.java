package dev.postrider.jdbc;

import dev.postrider.services.Database.Kind;

final class Postgres15OutboxStoreTest extends JdbcOutboxStoreContract {

    Postgres15OutboxStoreTest() {
        super(Kind.POSTGRES_15, "TRANSACTION_READ_COMMITTED");
    }
}

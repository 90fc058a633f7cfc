package dev.postrider.jdbc;

import dev.postrider.services.Database.Kind;

final class Postgres18OutboxStoreTest extends JdbcOutboxStoreContract {

    Postgres18OutboxStoreTest() {
        super(Kind.POSTGRES_18, "TRANSACTION_REPEATABLE_READ");
    }
}

package dev.postrider.jdbc;

import dev.postrider.services.Database.Kind;

final class Postgres18RepeatableReadOutboxStoreTest extends JdbcOutboxStoreContract {

    Postgres18RepeatableReadOutboxStoreTest() {
        super(Kind.POSTGRES_18, "TRANSACTION_REPEATABLE_READ");
    }
}

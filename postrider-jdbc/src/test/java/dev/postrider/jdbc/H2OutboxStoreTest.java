package dev.postrider.jdbc;

import dev.postrider.services.Database.Kind;

final class H2OutboxStoreTest extends JdbcOutboxStoreContract {

    H2OutboxStoreTest() {
        super(Kind.H2, "TRANSACTION_REPEATABLE_READ");
    }
}

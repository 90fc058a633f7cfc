package dev.postrider.jdbc;

import dev.postrider.services.Database.Kind;

final class H2RepeatableReadOutboxStoreTest extends JdbcOutboxStoreContract {

    H2RepeatableReadOutboxStoreTest() {
        super(Kind.H2, "TRANSACTION_REPEATABLE_READ");
    }
}

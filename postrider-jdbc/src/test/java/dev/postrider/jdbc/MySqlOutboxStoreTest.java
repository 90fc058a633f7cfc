package dev.postrider.jdbc;

import dev.postrider.services.Database.Kind;

final class MySqlOutboxStoreTest extends JdbcOutboxStoreContract {

    MySqlOutboxStoreTest() {
        super(Kind.MYSQL, "TRANSACTION_REPEATABLE_READ");
    }
}

package dev.postrider.jdbc;

import dev.postrider.services.Database.Kind;

final class MariaDbOutboxStoreTest extends JdbcOutboxStoreContract {

    MariaDbOutboxStoreTest() {
        super(Kind.MARIADB, "TRANSACTION_REPEATABLE_READ");
    }
}

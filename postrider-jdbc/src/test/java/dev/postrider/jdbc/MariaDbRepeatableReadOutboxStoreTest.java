package dev.postrider.jdbc;

import dev.postrider.services.Database.Kind;

final class MariaDbRepeatableReadOutboxStoreTest extends JdbcOutboxStoreContract {

    MariaDbRepeatableReadOutboxStoreTest() {
        super(Kind.MARIADB, "TRANSACTION_REPEATABLE_READ");
    }
}

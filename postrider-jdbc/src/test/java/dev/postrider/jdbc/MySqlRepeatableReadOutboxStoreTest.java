package dev.postrider.jdbc;

import dev.postrider.services.Database.Kind;

final class MySqlRepeatableReadOutboxStoreTest extends JdbcOutboxStoreContract {

    MySqlRepeatableReadOutboxStoreTest() {
        super(Kind.MYSQL, "TRANSACTION_REPEATABLE_READ");
    }
}

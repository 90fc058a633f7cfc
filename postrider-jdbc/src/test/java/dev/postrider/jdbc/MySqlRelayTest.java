package dev.postrider.jdbc;

import dev.postrider.services.Database.Kind;

final class MySqlRelayTest extends JdbcRelayContract {

    MySqlRelayTest() {
        super(Kind.MYSQL);
    }
}

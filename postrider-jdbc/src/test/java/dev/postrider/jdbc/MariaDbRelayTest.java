package dev.postrider.jdbc;

import dev.postrider.services.Database.Kind;

final class MariaDbRelayTest extends JdbcRelayContract {

    MariaDbRelayTest() {
        super(Kind.MARIADB);
    }
}

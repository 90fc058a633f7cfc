package dev.postrider.jdbc;

import dev.postrider.services.Database.Kind;

final class Postgres18RelayTest extends JdbcRelayContract {

    Postgres18RelayTest() {
        super(Kind.POSTGRES_18);
    }
}

package dev.postrider.jdbc;

import dev.postrider.services.Database.Kind;

final class H2RelayTest extends JdbcRelayContract {

    H2RelayTest() {
        super(Kind.H2);
    }
}

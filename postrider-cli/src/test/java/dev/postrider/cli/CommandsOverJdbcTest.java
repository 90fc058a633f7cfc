package dev.postrider.cli;

import java.util.Map;

/** The commands over a database, without a server. */
final class CommandsOverJdbcTest extends CommandContract {

    @Override
    Map<String, String> variables() {
        return Map.of(
                "POSTRIDER_DATABASE", shop.database().jdbcUrl(),
                "POSTRIDER_USER", shop.database().user(),
                "POSTRIDER_PASSWORD", shop.database().password());
    }

    @Override
    void open() {}

    @Override
    void shut() {}
}

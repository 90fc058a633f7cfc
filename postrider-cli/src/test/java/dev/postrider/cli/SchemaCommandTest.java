package dev.postrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.services.Database.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class SchemaCommandTest {

    @TempDir
    Path folder;

    private CliRun schema(Shop shop, String... arguments) {
        return CliRun.of(Way.variables(shop), folder, arguments);
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"POSTGRES_18", "H2"})
    void migrateMakesTheTablesOnlyWithExecute(Kind kind) {
        try (Shop shop = Shop.withoutTables(kind)) {
            CliRun dry = schema(shop, "schema", "migrate");
            CliRun before = schema(shop, "schema", "validate");
            CliRun done = schema(shop, "schema", "migrate", "--execute");
            CliRun after = schema(shop, "schema", "validate");
            CliRun again = schema(shop, "schema", "migrate", "--execute");

            assertThat(dry.exitCode()).isZero();
            assertThat(dry.err()).contains("Nothing was changed");
            assertThat(before.exitCode()).isEqualTo(5);
            assertThat(before.err()).contains("postrider schema migrate");
            assertThat(done.exitCode()).isZero();
            assertThat(after.exitCode()).isZero();
            assertThat(again.err()).contains("nothing to do");
        }
    }

    @Test
    void sqlIsWrittenToTheStandardOutput() {
        try (Shop shop = Shop.withoutTables(Kind.H2)) {
            CliRun run = schema(shop, "schema", "sql");

            assertThat(run.exitCode()).isZero();
            assertThat(run.out().toLowerCase(java.util.Locale.ROOT)).contains("create table");
            assertThat(run.err()).isEmpty();
        }
    }

    @Test
    void tablesMayBeInASchemaAndHaveOtherNames() throws SQLException, IOException {
        try (Shop shop = Shop.withoutTables(Kind.POSTGRES_18)) {
            try (Connection connection = shop.database().dataSource().getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("create schema messaging");
            }
            Path file = folder.resolve(".config/postrider/config.yml");
            Files.createDirectories(file.getParent());
            Files.writeString(file, """
                    contexts:
                      shop:
                        database: %s
                        user: %s
                        password: "%s"
                        schema: messaging
                        outbox-prefix: shop_outbox_
                    """.formatted(
                            shop.database().jdbcUrl(),
                            shop.database().user(),
                            shop.database().password()));

            CliRun migrate = CliRun.of(Map.of(), folder, "schema", "migrate", "--context", "shop", "--execute");
            CliRun list = CliRun.of(Map.of(), folder, "messages", "list", "--context", "shop", "-ojson");
            CliRun info = CliRun.of(Map.of(), folder, "schema", "info", "--context", "shop");
            CliRun elsewhere = schema(shop, "messages", "list");
            CliRun wrong = schema(shop, "messages", "list", "--schema", "no such; name");

            assertThat(migrate.exitCode()).isZero();
            assertThat(list.exitCode()).isZero();
            assertThat(info.out()).contains("shop_outbox_message");
            assertThat(elsewhere.exitCode()).isEqualTo(1);
            assertThat(wrong.exitCode()).isEqualTo(2);
        }
    }
}

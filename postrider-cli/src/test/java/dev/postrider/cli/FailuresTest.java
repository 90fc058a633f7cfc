package dev.postrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.services.Database.Kind;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Every failure is one clear line, an exit code and no stack trace. */
final class FailuresTest {

    @TempDir
    Path folder;

    private CliRun messages(Shop shop, String url, String password) {
        return CliRun.of(
                Map.of("POSTRIDER_USER", shop.database().user(), "POSTRIDER_PASSWORD", password),
                folder,
                "messages",
                "list",
                "--database",
                url);
    }

    private static void assertOneLine(CliRun run, int exitCode) {
        assertThat(run.exitCode()).isEqualTo(exitCode);
        assertThat(run.out()).isEmpty();
        assertThat(run.err().lines().toList()).hasSize(1);
        assertThat(run.err())
                .startsWith("postrider: ")
                .doesNotContain("Exception")
                .doesNotContain("\tat ");
    }

    @ParameterizedTest
    @CsvSource({
        "jdbc:postgresql://localhost:1/shop, 6, localhost:1/shop",
        "postgres://ada:canary-secret@localhost:1/shop, 6, localhost:1/shop",
        "jdbc:postgresql://localhost:1/shop?user=ada&password=canary-secret, 6, localhost:1/shop",
        "jdbc:mariadb://localhost:1/shop, 6, localhost:1/shop",
        "jdbc:mysql://localhost:1/shop, 6, localhost:1/shop",
        "jdbc:h2:/nonexistent/shop, 6, There is no such database",
        "jdbc:oracle:thin:@localhost:1521/shop, 2, There is no driver",
        "oracle://localhost/shop, 2, no URL of a database"
    })
    void wrongUrlIsOneLine(String url, int exitCode, String text) {
        CliRun run = CliRun.of("messages", "list", "--database", url);

        assertOneLine(run, exitCode);
        assertThat(run.err()).contains(text).doesNotContain("canary-secret");
    }

    @ParameterizedTest
    @CsvSource({
        "http://localhost:1, 6, Nothing answers",
        "http://no-such-host.invalid, 6, no-such-host.invalid",
        "ftp://localhost, 2, begins with http",
        "'http://local host', 2, no address"
    })
    void wrongServerIsOneLine(String url, int exitCode, String text) {
        CliRun run = CliRun.of("messages", "list", "--source", "main", "--api", url);

        assertOneLine(run, exitCode);
        assertThat(run.err()).contains(text);
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"POSTGRES_18", "MARIADB", "MYSQL"})
    void wrongPasswordIsOneLine(Kind kind) {
        try (Shop shop = Shop.withoutTables(kind)) {
            CliRun run = messages(shop, shop.database().jdbcUrl(), "canary-secret");

            // A test server may trust every local user; then the tables are what is missing.
            if (run.err().contains("wrong user or password")) {
                assertOneLine(run, 6);
            } else {
                assertOneLine(run, 1);
            }
            assertThat(run.err()).doesNotContain("canary-secret");
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"POSTGRES_18", "H2"})
    void missingTablesAreOneLineThatSaysWhatToDo(Kind kind) {
        try (Shop shop = Shop.withoutTables(kind)) {
            CliRun run =
                    messages(shop, shop.database().jdbcUrl(), shop.database().password());

            assertOneLine(run, 1);
            assertThat(run.err()).contains("postrider schema migrate");
        }
    }

    @Test
    void missingDatabaseIsOneLine() {
        try (Shop shop = Shop.withoutTables(Kind.POSTGRES_18)) {
            String url = shop.database().jdbcUrl().replace(shop.database().name(), "no_such_database");

            CliRun run = messages(shop, url, shop.database().password());

            assertOneLine(run, 6);
            assertThat(run.err()).contains("There is no such database");
        }
    }

    @Test
    void verboseShowsTheStackTrace() {
        CliRun run = CliRun.of("messages", "list", "--database", "jdbc:h2:/nonexistent/shop", "--verbose");

        assertThat(run.exitCode()).isEqualTo(6);
        assertThat(run.err()).contains("\tat ");
    }

    @Test
    void nothingToConnectToSaysHow() {
        CliRun run = CliRun.of("status");

        assertOneLine(run, 2);
        assertThat(run.err()).contains("--database", "--api", "--context");
    }

    @Test
    void unknownCommandNamesTheNearestOne() {
        CliRun run = CliRun.of("statsu");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("status").doesNotContain("Exception");
    }

    @Test
    void commandWithoutItsSubcommandIsWrongUsage() {
        CliRun run = CliRun.of("dead");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("postrider dead --help");
    }

    @Test
    void wrongLengthOfTimeShowsTheForms() {
        CliRun run = CliRun.of("status", "--max-age", "soon");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("60s, 5m, 1h");
    }

    @Test
    void schemaCommandsRefuseAServer() {
        CliRun run = CliRun.of("schema", "sql", "--api", "http://localhost:1");

        assertOneLine(run, 2);
        assertThat(run.err()).contains("--database");
    }
}

package dev.postrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a command connects to. The tests connect to nothing. */
final class ContextsTest {

    private static final String USER_FILE = """
            # mine
            current: local
            contexts:
              local:
                database: jdbc:postgresql://db.local/shop?password=canary-secret
                user: shop
                password: canary-secret
              prod:
                api: https://postrider.example.com
                token-env: PROD_TOKEN
            """;

    @TempDir
    Path home;

    private Path file;

    @BeforeEach
    void writeTheUsersFile() throws IOException {
        file = home.resolve(".config/postrider/config.yml");
        Files.createDirectories(file.getParent());
        Files.writeString(file, USER_FILE);
    }

    private CliRun explain(Map<String, String> variables, String... flags) {
        String[] arguments = new String[flags.length + 4];
        System.arraycopy(new String[] {"config", "explain", "--local", "-ocsv"}, 0, arguments, 0, 4);
        System.arraycopy(flags, 0, arguments, 4, flags.length);
        return CliRun.of(variables, home, arguments);
    }

    @Test
    void flagComesBeforeEnvironmentProjectAndUser() throws IOException {
        Files.writeString(home.resolve(".postrider.yml"), """
                current: here
                contexts:
                  here:
                    database: jdbc:postgresql://project/shop
                """);
        Map<String, String> environment = Map.of("DATABASE_URL", "postgres://env.example.com/shop");

        assertThat(explain(environment, "--database", "jdbc:h2:mem:flag").out())
                .contains("jdbc:h2:mem:flag,--database");
        assertThat(explain(environment).out()).contains("jdbc:postgresql://env.example.com/shop,DATABASE_URL");
        assertThat(explain(Map.of()).out()).contains("jdbc:postgresql://project/shop", "context 'here'");
        Files.delete(home.resolve(".postrider.yml"));
        assertThat(explain(Map.of()).out()).contains("jdbc:postgresql://db.local/shop", "context 'local'");
    }

    @Test
    void contextOfTheEnvironmentIsUsed() {
        CliRun run = explain(Map.of("POSTRIDER_CONTEXT", "prod", "PROD_TOKEN", "canary-secret"));

        assertThat(run.out()).contains("https://postrider.example.com", "token,••••");
    }

    @Test
    void secretsAreNeverShown() {
        for (String[] command : new String[][] {
            {"config", "explain", "--local"},
            {"context", "list"},
            {"context", "show", "local", "-ojson"},
            {"messages", "list", "--database", "postgres://ada:canary-secret@localhost:1/shop", "--verbose"}
        }) {
            CliRun run = CliRun.of(Map.of(), home, command);

            assertThat(run.out() + run.err()).doesNotContain("canary-secret");
        }
    }

    @Test
    void postgresVariablesMakeAUrl() {
        CliRun run =
                explain(Map.of("PGHOST", "db", "PGDATABASE", "shop", "PGUSER", "ada", "PGPASSWORD", "canary-secret"));

        assertThat(run.out()).contains("jdbc:postgresql://db:5432/shop", "user,ada", "password,••••");
    }

    @Test
    void useChangesTheCurrentContextAndKeepsTheRest() throws IOException {
        CliRun run = CliRun.of(Map.of("PROD_TOKEN", "canary-secret"), home, "context", "use", "prod");

        assertThat(run.exitCode()).isZero();
        assertThat(Files.readString(file)).isEqualTo(USER_FILE.replace("current: local", "current: 'prod'"));
        assertThat(CliRun.of(Map.of(), home, "context", "list").lines())
                .anyMatch(line -> line.startsWith("*") && line.contains("prod"));
    }

    @Test
    void unknownContextNamesTheKnownOnesAndEndsWithThree() {
        CliRun run = CliRun.of(Map.of(), home, "status", "--context", "test");

        assertThat(run.exitCode()).isEqualTo(3);
        assertThat(run.err()).contains("local, prod");
    }

    @Test
    void unknownSettingIsNamed() throws IOException {
        Files.writeString(file, "contexts:\n  local:\n    databse: jdbc:h2:mem:x\n");

        CliRun run = CliRun.of(Map.of(), home, "status");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("databse", "local");
    }

    @Test
    void fileOfAProjectTakesNoSecretOfTheUser() throws IOException {
        Files.writeString(home.resolve(".postrider.yml"), """
                current: evil
                contexts:
                  evil:
                    api: https://evil.example.com
                    token-env: GITHUB_TOKEN
                """);

        CliRun run = CliRun.of(Map.of("GITHUB_TOKEN", "canary-secret"), home, "status");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("comes with a project").doesNotContain("canary-secret");
    }

    @Test
    void projectFileIsFoundUpwardsToTheRootOfTheWorkTreeOnly() throws IOException {
        Files.delete(file);
        Path tree = Files.createDirectories(home.resolve("tree"));
        Files.writeString(home.resolve(".postrider.yml"), "contexts:\n  outer:\n    database: jdbc:h2:mem:outer\n");
        Files.createDirectories(tree.resolve(".git"));
        Path below = Files.createDirectories(tree.resolve("a/b"));

        assertThat(CliRun.of(Map.of(), below, "context", "list", "-ojsonl").out())
                .isEmpty();
        Files.writeString(tree.resolve(".postrider.yml"), "contexts:\n  inner:\n    database: jdbc:h2:mem:inner\n");
        assertThat(CliRun.of(Map.of(), below, "context", "list", "-ojsonl").out())
                .contains("inner");
    }
}

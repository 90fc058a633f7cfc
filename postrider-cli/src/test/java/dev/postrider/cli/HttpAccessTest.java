package dev.postrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.console.ConsoleApi;
import dev.postrider.console.ConsoleSource;
import dev.postrider.services.Database.Kind;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who may do what at a server. */
final class HttpAccessTest {

    @TempDir
    Path folder;

    private final Shop shop = Shop.on(Kind.H2);
    private final ConsoleApi api = ConsoleApi.of(List.of(
            ConsoleSource.builder("main", shop.postrider(), shop.database().dataSource())
                    .build()));
    private final ApiServer server = new ApiServer(api);

    @AfterEach
    void close() {
        server.close();
        api.close();
        shop.close();
    }

    private Map<String, String> user(String name, String password) {
        return Way.user(server, name, password);
    }

    @Test
    void wrongPasswordEndsWithSeven() {
        CliRun run = CliRun.of(user("ada", "wrong"), folder, "messages", "list");

        assertThat(run.exitCode()).isEqualTo(7);
        assertThat(run.err().lines().toList()).hasSize(1);
        assertThat(run.err()).contains("sign-in").doesNotContain("wrong");
    }

    @Test
    void viewerMayLookAndNotChange() throws SQLException {
        UUID id = shop.dead("orders", "1", "timed out");
        Map<String, String> viewer = user("viola", "secret");

        CliRun list = CliRun.of(viewer, folder, "messages", "list");
        CliRun change = CliRun.of(viewer, folder, "dead", "requeue", id.toString(), "--execute", "--reason", "because");

        assertThat(list.exitCode()).isZero();
        assertThat(change.exitCode()).isEqualTo(7);
        assertThat(change.err().lines().toList()).hasSize(1);
    }

    @Test
    void tokenSignsInAndTheOnlySourceNeedsNoName() {
        Map<String, String> variables = Map.of("POSTRIDER_API", server.url(), "POSTRIDER_TOKEN", "token-of-the-test");

        assertThat(CliRun.of(variables, folder, "messages", "list").exitCode()).isZero();
    }

    @Test
    void unknownSourceEndsWithThree() {
        CliRun run = CliRun.of(user("ada", "secret"), folder, "messages", "list", "--source", "other");

        assertThat(run.exitCode()).isEqualTo(3);
        assertThat(run.err()).contains("other");
    }
}

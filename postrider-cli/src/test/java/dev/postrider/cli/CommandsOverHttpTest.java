package dev.postrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.console.ConsoleApi;
import dev.postrider.console.ConsoleSource;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The commands over HTTP. */
final class CommandsOverHttpTest extends CommandContract {

    private ConsoleApi api = ConsoleApi.of(List.of());
    private ApiServer server = new ApiServer(api);

    @Override
    Map<String, String> variables() {
        return user("ada", "secret");
    }

    private Map<String, String> user(String name, String password) {
        return Map.of(
                "POSTRIDER_API", server.url(),
                "POSTRIDER_SOURCE", "main",
                "POSTRIDER_USER", name,
                "POSTRIDER_PASSWORD", password);
    }

    @Override
    void open() {
        shut();
        ConsoleSource source = ConsoleSource.builder(
                        "main", shop.postrider(), shop.database().dataSource())
                .build();
        api = ConsoleApi.of(List.of(source));
        server = new ApiServer(api);
    }

    @Override
    void shut() {
        server.close();
        api.close();
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
        CliRun change =
                CliRun.of(viewer, folder, "dead", "requeue", id.toString(), "--execute", "--reason", "because");

        assertThat(list.exitCode()).isZero();
        assertThat(change.exitCode()).isEqualTo(7);
        assertThat(change.err().lines().toList()).hasSize(1);
    }

    @Test
    void tokenSignsIn() {
        Map<String, String> variables =
                Map.of("POSTRIDER_API", server.url(), "POSTRIDER_SOURCE", "main", "POSTRIDER_TOKEN", "token-of-the-test");

        assertThat(CliRun.of(variables, folder, "messages", "list").exitCode()).isZero();
    }

    @Test
    void unknownSourceEndsWithThree() {
        CliRun run = run("messages", "list", "--source", "other");

        assertThat(run.exitCode()).isEqualTo(3);
        assertThat(run.err()).contains("other");
    }
}

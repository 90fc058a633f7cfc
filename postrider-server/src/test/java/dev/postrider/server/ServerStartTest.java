package dev.postrider.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.services.Availability;
import dev.postrider.services.ChildJvm;
import dev.postrider.services.Database;
import dev.postrider.services.Database.Kind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** A start that fails prints one line and ends with the documented exit code. */
final class ServerStartTest {

    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final String CANARY = "canary-8f3a";

    @Test
    void noDatabaseIsAMistakeOfUsage() {
        assertFailure(2, "There is no database", List.of());
    }

    @Test
    void aUrlWithoutDriverIsAMistakeOfUsage() {
        assertFailure(2, "there is no JDBC driver for jdbc:oracle:thin:", toSink("--database", "jdbc:oracle:thin:@x"));
    }

    @Test
    void aDatabaseOutOfReachCannotBeConnected() throws IOException {
        assertFailure(
                6,
                "cannot connect to jdbc:postgresql://127.0.0.1:",
                toSink(
                        "--database",
                        "jdbc:postgresql://127.0.0.1:%d/shop?password=%s".formatted(closedPort(), CANARY)));
    }

    @Test
    void aWrongPasswordCannotBeConnected() {
        assume(Database.available(Kind.MARIADB));
        Database database = Database.shared(Kind.MARIADB);
        assertFailure(
                6,
                "refused the user or the password",
                toSink("--database", database.jdbcUrl(), "--user", "nobody"),
                "SPRING_DATASOURCE_PASSWORD",
                CANARY);
    }

    @Test
    void missingTablesFail() {
        assume(Database.available(Kind.POSTGRES_18));
        try (Database database = Database.shared(Kind.POSTGRES_18).freshDatabase()) {
            assertFailure(
                    1,
                    "run 'postrider schema migrate'",
                    toSink("--database", database.jdbcUrl(), "--user", database.user()));
        }
    }

    @Test
    void aTakenPortFails() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertFailure(
                    1,
                    "Port " + taken.getLocalPort() + " is taken",
                    withEmbedded("--port", Integer.toString(taken.getLocalPort())));
        }
    }

    @Test
    void anUnknownSettingIsAMistakeOfUsage() {
        assertFailure(
                2,
                "There is no setting 'postrider.relay.bach-size'",
                withEmbedded("--set", "postrider.relay.bach-size=5"));
    }

    @Test
    void anUnknownSettingOfTheServerIsAMistakeOfUsage() {
        assertFailure(
                2,
                "There is no setting 'postrider.server.usres",
                withEmbedded("--set", "postrider.server.usres.ada=x"));
    }

    @Test
    void aSourceWithoutABrokerIsAMistakeOfUsage() {
        assertFailure(
                2,
                "Source main has no broker",
                List.of("--database", ServerSettings.embeddedUrl(), "--user", "sa", "--port", "0"));
    }

    @Test
    void aPasswordThatIsNotHashedIsAMistakeOfUsage() {
        assertFailure(
                2,
                "run 'postrider password'",
                withEmbedded(
                        "--set",
                        "postrider.server.users.ada.password=" + CANARY,
                        "--set",
                        "postrider.server.users.ada.role=admin"));
    }

    @Test
    void anotherAddressWithoutUsersIsAMistakeOfUsage() {
        assertFailure(2, "Refused to listen on 0.0.0.0 without users", withEmbedded("--set", "server.address=0.0.0.0"));
    }

    private static List<String> withEmbedded(String... more) {
        List<String> arguments = new ArrayList<>(toSink("--database", ServerSettings.embeddedUrl(), "--user", "sa"));
        arguments.addAll(List.of(more));
        return arguments;
    }

    private static List<String> toSink(String... more) {
        List<String> arguments = new ArrayList<>(List.of("--broker", "http://127.0.0.1:9/hook"));
        arguments.addAll(List.of(more));
        return arguments;
    }

    private static void assertFailure(int exitCode, String said, List<String> arguments, String... environment) {
        ChildJvm.Builder child = ChildJvm.of(PostriderMain.class)
                .heap("128m")
                .quickStart()
                .environment("LOGGING_LEVEL_ROOT", "warn")
                .arguments("relay")
                .arguments(arguments.toArray(String[]::new));
        if (environment.length > 0) {
            child.environment(environment[0], environment[1]);
        }
        try (ChildJvm server = child.start()) {
            int ended = server.awaitExit(PATIENCE);

            assertThat(server.output().strip().lines().toList())
                    .singleElement()
                    .asString()
                    .startsWith("postrider: ")
                    .contains(said)
                    .doesNotContain(CANARY);
            assertThat(ended).isEqualTo(exitCode);
        }
    }

    private static int closedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static void assume(Availability availability) {
        Assumptions.assumeTrue(availability.available(), availability::reason);
    }
}

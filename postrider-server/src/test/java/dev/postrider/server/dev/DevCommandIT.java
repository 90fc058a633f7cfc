package dev.postrider.server.dev;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postrider.server.PostriderMain;
import dev.postrider.services.ChildJvm;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class DevCommandIT {

    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Pattern ADDRESS = Pattern.compile("Console +(http://127\\.0\\.0\\.1:\\d+/)");
    private static final Pattern PENDING = Pattern.compile("\"pending\":\\{\"value\":(\\d+)");
    private static final int ENDED_BY_SIGTERM = 143;
    private static final long BACKLOG = 100;

    @Test
    void demoRunsBreaksRecoversAndSaysInTheEndWhatItDelivered() {
        try (ChildJvm dev = start("--port", "0", "--rate", "50")) {
            DevClient client = client(dev);
            await().atMost(PATIENCE).until(() -> client.get("messages?limit=10").contains("DELIVERED"));

            client.post("dev/broker", "{\"broken\":true}");
            await().atMost(PATIENCE).until(() -> pending(client) > BACKLOG);
            await().atMost(PATIENCE).until(() -> client.get("overview").contains("\"code\":\"topic-unreachable\""));

            client.post("dev/traffic", "{\"perSecond\":1}");
            client.post("dev/broker", "{\"broken\":false}");
            await().atMost(PATIENCE).until(() -> pending(client) < BACKLOG);

            dev.terminate();
            assertThat(dev.awaitExit(PATIENCE)).isEqualTo(ENDED_BY_SIGTERM);
            assertThat(dev.output()).containsPattern("Delivered [\\d,]+ messages; \\d+ dead, \\d+ left\\.");
            assertThat(dev.output()).contains(" 0 out of order.");
        }
    }

    @Test
    void takenPortIsOneLineAndNoStackTrace() {
        try (ChildJvm first = start("--port", "0", "--no-demo")) {
            String address = address(first);
            String port = address.replaceAll(".*:(\\d+)/", "$1");

            try (ChildJvm second = start("--port", port, "--no-demo")) {
                assertThat(second.awaitExit(PATIENCE)).isEqualTo(1);
                assertThat(second.output())
                        .contains("postrider: Port " + port + " is taken: choose another with --port")
                        .doesNotContain("\tat ");
            }
        }
    }

    @Test
    void unknownBrokerIsRefusedWithTheSchemesThatAreKnown() {
        try (ChildJvm dev = start("--broker", "smtp://localhost")) {
            assertThat(dev.awaitExit(PATIENCE)).isEqualTo(2);
            assertThat(dev.output())
                    .contains("--broker must begin with kafka://")
                    .doesNotContain("\tat ");
        }
    }

    @Test
    void databaseThatCannotBeReachedIsOneLine() {
        try (ChildJvm dev = start("--database", "jdbc:postgresql://127.0.0.1:1/none", "--user", "nobody")) {
            assertThat(dev.awaitExit(PATIENCE)).isEqualTo(6);
            assertThat(dev.output())
                    .contains("postrider: The database of --database cannot be used")
                    .doesNotContain("\tat ");
        }
    }

    private static ChildJvm start(String... arguments) {
        return ChildJvm.of(PostriderMain.class)
                .quickStart()
                .arguments("dev")
                .arguments(arguments)
                .start();
    }

    private static DevClient client(ChildJvm dev) {
        return new DevClient(address(dev));
    }

    private static String address(ChildJvm dev) {
        dev.awaitOutput("Try next", PATIENCE);
        Matcher address = ADDRESS.matcher(dev.output());
        assertThat(address.find()).isTrue();
        return address.group(1);
    }

    private static long pending(DevClient client) {
        Matcher pending = PENDING.matcher(client.get("overview"));
        assertThat(pending.find()).isTrue();
        return Long.parseLong(pending.group(1));
    }
}

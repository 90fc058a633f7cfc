package dev.postrider.console.system;

import static dev.postrider.console.ConsoleUnderTest.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postrider.console.ConsoleResponse;
import dev.postrider.console.ConsoleRole;
import dev.postrider.console.ConsoleRoute;
import dev.postrider.console.ConsoleUnderTest;
import dev.postrider.console.DevTools;
import dev.postrider.console.SourceSetting;
import dev.postrider.services.Database.Kind;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

final class SystemRoutesTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String CANARY = "canary-7f3a";

    private static final List<SourceSetting> SECRETS = List.of(
            new SourceSetting("spring.datasource.password", CANARY, "file", false),
            new SourceSetting("spring.datasource.url", "jdbc:postgresql://u:" + CANARY + "@h/d", "file", false),
            new SourceSetting("spring.datasource.hikari.jdbc-url", "jdbc:h2:mem:x;PASSWORD=" + CANARY, "file", false),
            new SourceSetting("mariadb.url", "jdbc:mariadb://h/d?user=me&password=" + CANARY, "file", false),
            new SourceSetting(
                    "spring.kafka.properties.sasl.jaas.config", "x password=\"" + CANARY + "\";", "env", false),
            new SourceSetting("spring.kafka.ssl.key-store-password", CANARY, "env", false),
            new SourceSetting("postrider.signing.keys.k1", CANARY, "env", false),
            new SourceSetting("postrider.encryption.key", CANARY, "env", false),
            new SourceSetting("POSTRIDER_API_TOKEN", CANARY, "env", false),
            new SourceSetting("postrider.http.bearer-token", CANARY, "env", false),
            new SourceSetting("postrider.http.client-secret", CANARY, "env", false),
            new SourceSetting("aws.accessKey", CANARY, "env", false),
            new SourceSetting("some.setting", CANARY, "env", true));

    @Test
    void noAnswerHoldsASecret() {
        try (ConsoleUnderTest console = ConsoleUnderTest.on(Kind.H2, source -> source.settings(() -> SECRETS))) {
            for (ConsoleRoute route : console.api().routes()) {
                String path = route.template().replace("{source}", "main");
                ConsoleResponse response = console.as(ConsoleRole.ADMIN, route.method(), path, Map.of(), "");

                assertThat(response.body()).as("%s", route).doesNotContain(CANARY);
            }
            JsonNode settings = console.read("/settings").get("settings");
            assertThat(settings.size()).isEqualTo(SECRETS.size());
            assertThat(settings.toString()).contains("••••");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "postrider.relay.key-policy",
                "spring.kafka.producer.key-serializer",
                "postrider.relay.batch-size",
                "spring.datasource.username",
                "postrider.retention.delivered"
            })
    void harmlessSettingIsShown(String name) {
        assertThat(SecretMask.masked(new SourceSetting(name, "value", "file", false)))
                .isEqualTo(new SourceSetting(name, "value", "file", false));
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "H2"})
    void settingsShowTablesAndVersions(Kind kind) throws SQLException {
        try (ConsoleUnderTest console = ConsoleUnderTest.on(kind)) {
            console.enqueue("orders", "1");

            JsonNode settings = console.read("/settings");

            assertThat(settings.get("schema").size()).isEqualTo(3);
            assertThat(settings.get("schema").get(0).get("part").asString()).isEqualTo("outbox");
            assertThat(settings.get("schema").get(0).get("version"))
                    .isEqualTo(settings.get("schema").get(0).get("expected"));
            assertThat(settings.get("tables")
                            .valueStream()
                            .map(table -> table.get("name").asString().toLowerCase(Locale.ROOT)))
                    .contains("outbox_message");
        }
    }

    @Test
    void deadMessageFiresItsAlertUntilItIsSnoozed() throws SQLException {
        try (ConsoleUnderTest console = ConsoleUnderTest.on(Kind.H2)) {
            console.enqueue("orders", "1");
            console.kill("timed out");
            console.api().start();

            await().atMost(PATIENCE)
                    .until(() -> alert(console, "dead").get("firing").booleanValue());
            ConsoleResponse snoozed = console.post("/alerts/dead/snooze", "{\"minutes\":30,\"reason\":\"known\"}");

            JsonNode dead = alert(console, "dead");
            assertThat(dead.get("text").asString()).isEqualTo("1 messages are dead and wait for a person");
            assertThat(dead.get("runbook").asString()).startsWith("# ");
            assertThat(snoozed.status()).isEqualTo(200);
            assertThat(dead.get("snoozedBy").asString()).isEqualTo("ada");
            assertThat(console.read("/alerts").get("history").size()).isPositive();
            assertThat(console.read("/audit").get("items").get(0).get("action").asString())
                    .isEqualTo("SNOOZE");
            assertThat(console.post("/alerts/nothing/snooze", "{\"minutes\":30,\"reason\":\"known\"}")
                            .status())
                    .isEqualTo(404);
        }
    }

    @Test
    void everyRuleHasItsRunbook() {
        try (ConsoleUnderTest console = ConsoleUnderTest.on(Kind.H2)) {
            for (JsonNode alert : console.read("/alerts").get("items")) {
                assertThat(alert.path("runbook").asString(""))
                        .as("%s", alert.get("rule"))
                        .contains("## ");
            }
        }
    }

    @Test
    void demoCanBeBrokenAndRestored() {
        List<String> calls = new CopyOnWriteArrayList<>();
        try (ConsoleUnderTest console = ConsoleUnderTest.on(Kind.H2, source -> source.devTools(new Recording(calls)))) {
            assertThat(console.read("/dev").toString())
                    .isEqualTo("{\"broker\":{\"broken\":false,\"latencyMillis\":0},"
                            + "\"traffic\":{\"perSecond\":20,\"poison\":true},\"relays\":[\"relay-1\"]}");

            console.post("/dev/broker", "{\"broken\":true,\"latencyMillis\":250}");
            console.post("/dev/traffic", "{\"perSecond\":100}");
            console.post("/dev/poison", "");
            console.post("/dev/start-relay", "{}");
            int killed = console.post("/dev/kill-relay", "{\"id\":\"relay-1\"}").status();
            int unknown =
                    console.post("/dev/kill-relay", "{\"id\":\"relay-9\"}").status();

            assertThat(calls)
                    .containsExactly(
                            "broken true",
                            "latency 250",
                            "traffic 100",
                            "poison",
                            "start",
                            "kill relay-1",
                            "kill relay-9");
            assertThat(killed).isEqualTo(200);
            assertThat(unknown).isEqualTo(404);
        }
    }

    @Test
    void sourceThatIsNoDemoHasNoDemoRoutes() {
        try (ConsoleUnderTest console = ConsoleUnderTest.on(Kind.H2)) {
            assertThat(console.get("/dev", Map.of()).status()).isEqualTo(404);
            assertThat(json(console.post("/dev/poison", "")).get("do").asString())
                    .contains("postrider dev");
        }
    }

    private static JsonNode alert(ConsoleUnderTest console, String rule) {
        return console.read("/alerts")
                .get("items")
                .valueStream()
                .filter(each -> each.get("rule").asString().equals(rule))
                .findFirst()
                .orElseThrow();
    }

    /** Notes what it is told. */
    private record Recording(List<String> calls) implements DevTools {

        @Override
        public DemoState state() {
            return new DemoState(new DemoBroker(false, 0), new DemoTraffic(20, true), List.of("relay-1"));
        }

        @Override
        public void breakBroker(boolean broken) {
            calls.add("broken " + broken);
        }

        @Override
        public void delayBroker(int latencyMillis) {
            calls.add("latency " + latencyMillis);
        }

        @Override
        public void traffic(OptionalInt perSecond) {
            calls.add("traffic " + perSecond.orElseThrow());
        }

        @Override
        public void poison(boolean wanted) {
            calls.add("poison " + wanted);
        }

        @Override
        public void enqueuePoison() {
            calls.add("poison");
        }

        @Override
        public boolean killRelay(String name) {
            calls.add("kill " + name);
            return name.equals("relay-1");
        }

        @Override
        public String startRelay() {
            calls.add("start");
            return "relay-2";
        }
    }
}

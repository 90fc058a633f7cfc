package dev.postrider.console.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.all.Postrider;
import dev.postrider.console.ConsoleSource;
import dev.postrider.console.ConsoleUnderTest;
import dev.postrider.console.SourceSetting;
import dev.postrider.services.Database.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

final class DoctorTest {

    @ParameterizedTest
    @EnumSource(Kind.class)
    void freshSourceOnlyLacksARelay(Kind kind) {
        try (ConsoleUnderTest console = ConsoleUnderTest.on(
                kind, source -> source.settings(() -> List.of(new SourceSetting("a", "b", "file", false))))) {
            List<JsonNode> findings = findings(console);

            assertThat(findings)
                    .filteredOn(each -> level(each).equals("skipped"))
                    .isEmpty();
            // The servers of tests do not wait for the disk.
            assertThat(findings)
                    .filteredOn(each -> level(each).equals("bad"))
                    .extracting(each -> each.get("found").asString())
                    .contains("No relay is alive")
                    .isSubsetOf("No relay is alive", "fsync is off");
            assertThat(findings).allSatisfy(each -> {
                assertThat(each.get("means").asString()).endsWith(".");
                if (level(each).equals("bad") || level(each).equals("warn")) {
                    assertThat(each.get("do").asString()).isNotBlank();
                }
            });
            assertThat(findings)
                    .extracting(each -> each.get("check").asString())
                    .contains("database", "grants", "clock", "indexes", "durability", "schema", "relays", "settings");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "H2"})
    void missingIndexIsFound(Kind kind) throws SQLException {
        try (ConsoleUnderTest console = ConsoleUnderTest.on(kind)) {
            run(
                    console,
                    kind == Kind.MARIADB
                            ? "drop index outbox_message_due on outbox_message"
                            : "drop index outbox_message_due");

            assertThat(findings(console))
                    .filteredOn(each -> each.get("check").asString().equals("indexes"))
                    .singleElement()
                    .satisfies(each -> {
                        assertThat(level(each)).isEqualTo("bad");
                        assertThat(each.get("found").asString()).endsWith("outbox_message_due");
                    });
        }
    }

    @Test
    void missingGrantIsFound() throws SQLException {
        try (ConsoleUnderTest console = ConsoleUnderTest.on(Kind.POSTGRES_18)) {
            String role = "looker_" + ProcessHandle.current().pid();
            run(console, "create role " + role);
            run(console, "grant select on all tables in schema public to " + role);
            HikariConfig config = new HikariConfig();
            config.setDataSource(console.pool().getDataSource());
            config.setConnectionInitSql("set role " + role);
            config.setMinimumIdle(0);
            try (HikariDataSource pool = new HikariDataSource(config)) {
                ConsoleSource source = ConsoleSource.builder(
                                "other", Postrider.on(pool).build(), pool)
                        .build();

                List<Finding> findings = new Doctor(source).examine();

                assertThat(findings)
                        .filteredOn(each -> each.check().equals("grants"))
                        .singleElement()
                        .satisfies(each -> {
                            assertThat(each.level()).isEqualTo(FindingLevel.WARN);
                            assertThat(each.found()).contains("requeue messages", "discard messages");
                            assertThat(each.found()).doesNotContain("read messages");
                        });
            } finally {
                run(console, "drop owned by " + role);
                run(console, "drop role " + role);
            }
        }
    }

    @Test
    void missingTablesAreFound() {
        try (ConsoleUnderTest console = ConsoleUnderTest.empty(Kind.H2, source -> {})) {
            assertThat(findings(console)).anySatisfy(each -> {
                assertThat(each.get("check").asString()).isEqualTo("schema");
                assertThat(level(each)).isEqualTo("bad");
                assertThat(each.get("do").asString()).contains("migrate");
            });
        }
    }

    @Test
    void checkThatEndsByAnErrorDoesNotKeepTheOthersFromBeingDone() {
        DoctorCheck broken = () -> {
            throw new IllegalStateException("password=hunter2");
        };
        DoctorCheck sound = () -> List.of(Finding.warn("topic", "One replica", "Acks may be lost.", "Use three."));
        try (ConsoleUnderTest console =
                ConsoleUnderTest.on(Kind.H2, source -> source.check(broken).check(sound))) {
            List<JsonNode> findings = findings(console);

            assertThat(findings)
                    .anySatisfy(each -> assertThat(each.get("found").asString()).isEqualTo("One replica"));
            assertThat(findings)
                    .anySatisfy(each -> assertThat(each.get("found").asString()).contains("IllegalStateException"));
            assertThat(findings.toString()).doesNotContain("hunter2");
        }
    }

    @Test
    void unreachableDatabaseIsTheOnlyFinding() {
        ConsoleUnderTest console = ConsoleUnderTest.on(Kind.H2);
        console.close();

        assertThat(findings(console))
                .singleElement()
                .satisfies(each -> assertThat(level(each)).isEqualTo("bad"));
    }

    @Test
    void settingsOfServersHaveTheirLevels() {
        assertThat(PostgresDurabilityCheck.findings(
                        Map.of("fsync", "off", "synchronous_commit", "off", "full_page_writes", "off")))
                .extracting(Finding::level)
                .containsExactly(FindingLevel.BAD, FindingLevel.WARN, FindingLevel.WARN);
        assertThat(InnoDbDurabilityCheck.findings(Map.of(
                        "innodb_flush_log_at_trx_commit",
                        "2",
                        "log_bin",
                        "ON",
                        "sync_binlog",
                        "0",
                        "binlog_format",
                        "STATEMENT")))
                .extracting(Finding::level)
                .containsExactly(FindingLevel.WARN, FindingLevel.WARN, FindingLevel.BAD);
        assertThat(InnoDbDurabilityCheck.findings(
                        Map.of("innodb_flush_log_at_trx_commit", "1", "log_bin", "OFF", "sync_binlog", "0")))
                .extracting(Finding::level)
                .containsExactly(FindingLevel.OK);
        assertThat(LongTransactionCheck.finding(10).level()).isEqualTo(FindingLevel.OK);
        assertThat(LongTransactionCheck.finding(600).level()).isEqualTo(FindingLevel.NOTE);
        assertThat(LongTransactionCheck.finding(7_200).level()).isEqualTo(FindingLevel.WARN);
        assertThat(DeadTupleCheck.finding(10, 1_000_000, "").level()).isEqualTo(FindingLevel.WARN);
        assertThat(DeadTupleCheck.finding(2_000_000, 1_000_000, "").level()).isEqualTo(FindingLevel.OK);
        assertThat(ConnectionsCheck.finding(95, 100).level()).isEqualTo(FindingLevel.WARN);
        assertThat(ConnectionsCheck.finding(10, 100).level()).isEqualTo(FindingLevel.OK);
    }

    @Test
    void clockOfAnotherMachineHasItsLevel() {
        Duration trip = Duration.ofMillis(3);

        assertThat(ClockCheck.finding("clock", Duration.ofMillis(40), trip).level())
                .isEqualTo(FindingLevel.OK);
        assertThat(ClockCheck.finding("clock", Duration.ofSeconds(10), trip).level())
                .isEqualTo(FindingLevel.NOTE);
        assertThat(ClockCheck.finding("clock", Duration.ofHours(1), trip).level())
                .isEqualTo(FindingLevel.WARN);
        assertThat(ClockCheck.finding("clock", Duration.ofSeconds(3), Duration.ofSeconds(4))
                        .level())
                .isEqualTo(FindingLevel.OK);
    }

    @Test
    void settingsOfTheRelayMustFitEachOther() {
        assertThat(SettingsCheck.findings(Map.of("postrider.relay.pool-size", "2")))
                .extracting(Finding::level)
                .containsExactly(FindingLevel.WARN);
        assertThat(SettingsCheck.findings(
                        Map.of("postrider.relay.publish-timeout", "40s", "postrider.relay.claim-for", "PT30S")))
                .extracting(Finding::level)
                .containsExactly(FindingLevel.BAD);
        assertThat(SettingsCheck.findings(Map.of("postrider.relay.own-for", "500ms")))
                .extracting(Finding::level)
                .containsExactly(FindingLevel.WARN);
        assertThat(SettingsCheck.findings(Map.of("postrider.relay.own-for", "2s")))
                .extracting(Finding::level)
                .containsExactly(FindingLevel.OK);
        assertThat(SettingsCheck.findings(Map.of())).extracting(Finding::level).containsExactly(FindingLevel.SKIPPED);
    }

    private static List<JsonNode> findings(ConsoleUnderTest console) {
        return console.read("/doctor").get("findings").valueStream().toList();
    }

    private static String level(JsonNode finding) {
        return finding.get("level").asString();
    }

    private static void run(ConsoleUnderTest console, String sql) throws SQLException {
        try (Connection connection = console.pool().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}

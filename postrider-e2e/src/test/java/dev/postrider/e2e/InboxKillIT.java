package dev.postrider.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.admin.Decision;
import dev.postrider.inbox.Inbox;
import dev.postrider.inbox.InboxSchema;
import dev.postrider.inbox.JdbcInboxAdmin;
import dev.postrider.inbox.ParkedMessage;
import dev.postrider.services.ChildJvm;
import dev.postrider.services.Database.Kind;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A consumer is killed with SIGKILL at each fault point of the inbox, and another one goes on. */
final class InboxKillIT {

    private static final List<String> POINTS = List.of(
            "inbox.begun",
            "inbox.claimed",
            "inbox.handled",
            "inbox.checked",
            "inbox.committed",
            "inbox.failed",
            "inbox.counted",
            "inbox.parked");

    private static final List<String> PARKED = List.of("inbox.counted", "inbox.parked");

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB"})
    @Tag("R0.7")
    @Tag("B5")
    @Tag("F62")
    @Tag("I1")
    @Tag("I2")
    @Tag("I3")
    @Tag("I4")
    void aKillAtEveryFaultPointEndsInExactlyOneEffect(Kind kind) throws SQLException {
        try (Stage stage = Stage.shared(kind)) {
            InboxSchema.of(stage.pool()).create();
            execute(stage, "create table effect (name varchar(100) not null)");

            String killed = InboxMain.NOTHING;
            for (String point : POINTS) {
                killAt(stage, killed, point);
                assertThat(effects(stage).contains(point))
                        .as("%s: the effect exists exactly if it was committed", point)
                        .isEqualTo(point.equals("inbox.committed"));
                killed = point;
            }
            try (ChildJvm last = launch(stage, killed, InboxMain.NOTHING)) {
                last.awaitOutput("end", RelayProcess.PATIENCE);
                assertThat(last.output()).contains(expectedAgain(killed));
            }
            assertThat(effects(stage)).containsExactlyInAnyOrderElementsOf(unparked());

            handleParked(stage);
            assertThat(effects(stage)).containsExactlyInAnyOrderElementsOf(POINTS);
        }
    }

    private static void killAt(Stage stage, String redelivered, String point) {
        try (ChildJvm child = launch(stage, redelivered, point)) {
            child.awaitOutput("at " + point, RelayProcess.PATIENCE);
            if (!redelivered.equals(InboxMain.NOTHING)) {
                assertThat(child.output()).contains(expectedAgain(redelivered));
            }
            child.kill();
        }
    }

    // What was committed is a duplicate, what was parked stays parked, everything else is handled.
    private static String expectedAgain(String point) {
        if (point.equals("inbox.committed")) {
            return "again Duplicate";
        }
        return PARKED.contains(point) ? "again Parked" : "again Processed";
    }

    private static List<String> unparked() {
        List<String> points = new ArrayList<>(POINTS);
        points.removeAll(PARKED);
        return points;
    }

    private static void handleParked(Stage stage) {
        JdbcInboxAdmin admin = JdbcInboxAdmin.of(stage.pool());
        List<String> parked = admin.parked(InboxMain.CONSUMER, 0, 10).stream()
                .map(ParkedMessage::messageId)
                .toList();
        assertThat(admin.release(InboxMain.CONSUMER, parked, new Decision("ada", "repaired")))
                .isEqualTo(PARKED.size());
        Inbox inbox = InboxMain.inbox(stage.pool());
        for (int i = 0; i < 2; i++) {
            int handled = inbox.processReleased(
                    InboxMain.CONSUMER,
                    10,
                    (message, work) -> InboxMain.effect(work, new String(message.payload(), StandardCharsets.UTF_8)));
            assertThat(handled).isEqualTo(i == 0 ? PARKED.size() : 0);
        }
    }

    private static ChildJvm launch(Stage stage, String redelivered, String point) {
        return ChildJvm.of(InboxMain.class)
                .heap("128m")
                .jvmOptions("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto")
                .systemProperty("org.slf4j.simpleLogger.defaultLogLevel", "warn")
                .arguments(
                        stage.database().jdbcUrl(),
                        stage.database().user(),
                        stage.database().password())
                .arguments(redelivered, point)
                .start();
    }

    private static List<String> effects(Stage stage) throws SQLException {
        List<String> names = new ArrayList<>();
        try (Connection connection = stage.pool().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select name from effect")) {
            while (row.next()) {
                names.add(row.getString(1));
            }
        }
        return names;
    }

    private static void execute(Stage stage, String sql) throws SQLException {
        try (Connection connection = stage.pool().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}

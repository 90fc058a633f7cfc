package dev.postrider.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.postrider.MessageStatus;
import dev.postrider.OutboxMessage;
import dev.postrider.http.WebhookAlertSender;
import dev.postrider.jdbc.JdbcOutbox;
import dev.postrider.jdbc.JdbcOutboxStore;
import dev.postrider.jdbc.operator.JdbcOutboxAdmin;
import dev.postrider.relay.Relay;
import dev.postrider.relay.RelayBuilder;
import dev.postrider.relay.RelayListener;
import dev.postrider.safety.BackupFiles;
import dev.postrider.safety.SafetyNet;
import dev.postrider.safety.SafetyNetCounts;
import dev.postrider.services.Database.Kind;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.Settlement;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The three levels below each other, with real disks that are full. */
@Tag("R4.6")
final class SafetyNetIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String LONG_REASON = "x".repeat(2_000);
    private static final String DISK_FULL = "53100";

    @TempDir
    Path directory;

    private final List<Throwable> causes = new CopyOnWriteArrayList<>();

    @Test
    @Tag("R4.7")
    void aDatabaseWhoseDiskIsFullLeavesTheDeadMessageInTheFile() throws IOException, SQLException {
        Path mounted = Files.createDirectory(directory.resolve("database"));
        Path backup = directory.resolve("backup");
        try (SmallDisk disk = SmallDisk.mount(mounted, 8 * 1024);
                Stage stage = Stage.own(Kind.POSTGRES_18);
                SafetyNet net = SafetyNet.builder().backup(backup).build();
                Relay relay = relay(stage, net).build()) {
            Path tablespace = Files.createDirectory(disk.root().resolve("tablespace"));
            // Stored in the row: a poisoned row and its dead successor do not fit into one page.
            execute(
                    stage,
                    "create tablespace small location '%s'".formatted(tablespace),
                    "alter table outbox_message set tablespace small",
                    "alter table outbox_message alter column payload set storage plain",
                    "alter table outbox_message alter column last_error set storage plain");
            OutboxMessage poison = message("Poison", 3_600);
            List<OutboxMessage> others = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                others.add(message("Fine", 20));
            }
            enqueue(stage, List.of(poison));
            enqueue(stage, others);
            disk.fill();
            JdbcOutboxAdmin admin = JdbcOutboxAdmin.of(stage.pool());

            relay.start();

            await().atMost(PATIENCE).until(() -> net.counts().file() == 1);
            await().atMost(PATIENCE)
                    .until(() -> admin.list(MessageStatus.DELIVERED, 0, 1_000).size() == 100);
            assertThat(causes)
                    .isNotEmpty()
                    .allSatisfy(cause -> assertThat(sqlState(cause)).isEqualTo(DISK_FULL));
            assertThat(saved(backup)).containsExactly(poison.id());
            assertThat(status(admin, poison)).isEqualTo(MessageStatus.CLAIMED);

            disk.free();

            await().atMost(PATIENCE).until(() -> status(admin, poison) == MessageStatus.DEAD);
            // The row is DEAD a moment before the relay counts it.
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(net.counts()).isEqualTo(new SafetyNetCounts(1, 1, 0, 0, 0)));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB"})
    void aBackupWhoseDiskIsFullTooLeadsToAWebhook(Kind kind) throws IOException, SQLException {
        Path mounted = Files.createDirectory(directory.resolve("backup"));
        List<String> received = new CopyOnWriteArrayList<>();
        HttpServer discord = discord(received);
        String url = "http://127.0.0.1:%d/api/webhooks/1/token"
                .formatted(discord.getAddress().getPort());
        try (SmallDisk disk = SmallDisk.mount(mounted, 64);
                Stage stage = Stage.shared(kind);
                WebhookAlertSender sender = WebhookAlertSender.discord(url)
                        .allowPlaintext(true)
                        .allowPort(discord.getAddress().getPort())
                        .allowAddresses("127.0.0.0/8")
                        .build();
                SafetyNet net =
                        SafetyNet.builder().backup(disk.root()).alert(sender).build();
                Relay relay = relay(stage, net).build()) {
            execute(stage, refuseDead(kind));
            disk.fill();
            OutboxMessage poison = message("Poison", 20);
            enqueue(stage, List.of(poison));

            relay.start();

            await().atMost(PATIENCE).until(() -> net.counts().alert() == 1);
            assertThat(received)
                    .singleElement()
                    .satisfies(body -> assertThat(body)
                            .contains(poison.id().toString(), "CRITICAL", "\"allowed_mentions\":{\"parse\":[]}")
                            .doesNotContain("secret payload"));
            assertThat(net.counts()).isEqualTo(new SafetyNetCounts(0, 0, 1, 1, 0));
            assertThat(saved(disk.root())).isEmpty();

            disk.free();
            OutboxMessage second = message("Poison", 20);
            enqueue(stage, List.of(second));

            await().atMost(PATIENCE).until(() -> net.counts().file() == 1);
            assertThat(saved(disk.root())).containsExactly(second.id());
        } finally {
            discord.stop(0);
        }
    }

    private RelayBuilder relay(Stage stage, SafetyNet net) {
        Tenure tenure = Tenure.lasting();
        return tenure.applyTo(Relay.builder(
                        tenure.grantedBy(JdbcOutboxStore.builder(stage.pool()).build()),
                        (wave, answers) -> wave.forEach(claimed -> answers.answer(
                                claimed,
                                claimed.message().type().equals("Poison")
                                        ? PublishResult.rejected(LONG_REASON)
                                        : PublishResult.acked()))))
                .pollInterval(Duration.ofMillis(50))
                .stopTimeout(Duration.ofSeconds(1))
                .listener(new RelayListener() {
                    @Override
                    public void deadRefused(List<Settlement> dead, Throwable cause) {
                        causes.add(cause);
                    }
                })
                .safetyNet(net);
    }

    private static HttpServer discord(List<String> received) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
        server.createContext("/api/webhooks/1/token", exchange -> {
            received.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
        return server;
    }

    private static String[] refuseDead(Kind kind) {
        return kind == Kind.POSTGRES_18
                ? new String[] {
                    "create function refuse_dead() returns trigger language plpgsql as"
                            + " $$ begin raise exception 'no dead records today'; end $$",
                    "create trigger refuse_dead before update on outbox_message for each row when (new.status = 3)"
                            + " execute function refuse_dead()"
                }
                : new String[] {
                    "create trigger refuse_dead before update on outbox_message for each row begin"
                            + " if new.status = 3 then signal sqlstate '45000' set message_text = 'refused'; end if; end"
                };
    }

    private static OutboxMessage message(String type, int bytes) {
        return OutboxMessage.to("orders", type)
                .contentType("text/plain")
                .payload("secret payload" + "p".repeat(bytes))
                .build();
    }

    private static void enqueue(Stage stage, List<OutboxMessage> messages) throws SQLException {
        try (Connection connection = stage.pool().getConnection()) {
            connection.setAutoCommit(false);
            JdbcOutbox.create().enqueueAll(connection, messages);
            connection.commit();
        }
    }

    private static void execute(Stage stage, String... statements) throws SQLException {
        try (Connection connection = stage.pool().getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    private static String sqlState(Throwable cause) {
        for (Throwable each = cause; each != null; each = each.getCause()) {
            if (each instanceof SQLException error) {
                return String.valueOf(error.getSQLState());
            }
        }
        return "none";
    }

    private static MessageStatus status(JdbcOutboxAdmin admin, OutboxMessage message) {
        return admin.find(message.id()).orElseThrow().status();
    }

    private static List<UUID> saved(Path directory) {
        List<UUID> saved = new ArrayList<>();
        BackupFiles.in(directory)
                .forEach(file -> BackupFiles.plain()
                        .read(file, dead -> saved.add(dead.message().id())));
        return saved;
    }
}

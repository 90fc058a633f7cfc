package dev.postrider.jdbc.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.KeyRing;
import dev.postrider.MessageStatus;
import dev.postrider.OutboxMessage;
import dev.postrider.admin.AuditEntry;
import dev.postrider.admin.AuditFilter;
import dev.postrider.admin.Decision;
import dev.postrider.admin.Page;
import dev.postrider.admin.StoredMessage;
import dev.postrider.jdbc.Fixture;
import dev.postrider.jdbc.Kinds;
import dev.postrider.jdbc.Outlet;
import dev.postrider.jdbc.Secrets;
import dev.postrider.safety.BackupFiles;
import dev.postrider.safety.DeadMessage;
import dev.postrider.safety.SafetyNet;
import dev.postrider.services.Database.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Dead messages that come back from the backup files of a safety net. */
@Tag("R4.6")
@Tag("R4.7")
final class JdbcRestoreTest {

    private static final Instant AT = Instant.parse("2026-01-02T03:04:05.678901Z");
    private static final long SEED = 4_600;
    private static final Decision DECISION = new Decision("ada", "the database was set back");

    @TempDir
    Path directory;

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void aDeadMessageComesBackWithEverythingThatIsKnownOfIt(Kind kind) {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            OutboxMessage message = message(1, new byte[] {0, 1, (byte) 0xFF});

            JdbcRestore.Report report =
                    JdbcRestore.of(fixture.pool()).restore(BackupFiles.plain(), backup(message), DECISION);

            assertThat(report).isEqualTo(new JdbcRestore.Report(1, 0, 0, new BackupFiles.Report(1, 0, 0, false, 0)));
            StoredMessage row =
                    JdbcOutboxAdmin.of(fixture.pool()).find(message.id()).orElseThrow();
            assertThat(row.status()).isEqualTo(MessageStatus.DEAD);
            assertThat(row.lastError()).isEqualTo("broker said no");
            assertThat(row.attempts()).isEqualTo(5);
            assertThat(row.times().died()).isEqualTo(AT);
            assertThat(row.defect()).isNull();
            assertThat(row.message().payload()).isEqualTo(message.payload());
            assertThat(row.message())
                    .usingRecursiveComparison()
                    .ignoringFields("payload")
                    .isEqualTo(message);
            assertThat(audit(fixture)).singleElement().satisfies(entry -> {
                assertThat(entry.action()).isEqualTo("RESTORE_BACKUP");
                assertThat(entry.by()).isEqualTo("ada");
                assertThat(entry.reason()).isEqualTo("the database was set back");
                assertThat(entry.messageId()).isEqualTo(message.id());
                assertThat(entry.detail()).isEqualTo("shop/orders Größe|geändert");
            });
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void aTailTornAtAnyByteCostsTheLastMessageOnlyAndNothingComesBackTwice(Kind kind) throws IOException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            Random random = new Random(SEED);
            List<OutboxMessage> messages = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                byte[] payload = new byte[random.nextInt(40)];
                random.nextBytes(payload);
                messages.add(message(i, payload));
            }
            byte[] whole = Files.readAllBytes(backup(messages.toArray(OutboxMessage[]::new)));
            int last = lastRecord(whole);
            JdbcRestore restore = JdbcRestore.of(fixture.pool());
            long restored = 0;

            for (int length = last; length < whole.length; length++) {
                Path torn = Files.write(directory.resolve("torn"), Arrays.copyOf(whole, length));

                JdbcRestore.Report report = restore.restore(BackupFiles.plain(), torn, DECISION);

                restored += report.restored();
                assertThat(report.restored() + report.alreadyThere())
                        .as("%d of %d bytes", length, whole.length)
                        .isEqualTo(3);
                assertThat(report.file()).isEqualTo(new BackupFiles.Report(3, 0, length - last, length > last, 0));
            }

            assertThat(restored).isEqualTo(3);
            assertThat(audit(fixture))
                    .as("one entry for each message that came back")
                    .hasSize(3);
            assertThat(JdbcOutboxAdmin.of(fixture.pool()).list(MessageStatus.DEAD, 0, 100))
                    .extracting(row -> row.message().id())
                    .containsExactlyElementsOf(messages.subList(0, 3).stream()
                            .map(OutboxMessage::id)
                            .toList());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void aRowThatIsNotDeadIsLeftAlone(Kind kind) {
        try (Outlet outlet = Outlet.open(Kinds.require(kind))) {
            OutboxMessage pending = OutboxMessage.to("orders", "Placed")
                    .id(new UUID(7, 1))
                    .payload("{}")
                    .build();
            outlet.enqueue(List.of(pending));

            JdbcRestore.Report report =
                    JdbcRestore.of(outlet.fixture().pool()).restore(BackupFiles.plain(), backup(pending), DECISION);

            assertThat(report).isEqualTo(new JdbcRestore.Report(0, 0, 1, new BackupFiles.Report(1, 0, 0, false, 0)));
            assertThat(outlet.admin().find(pending.id()).orElseThrow().status()).isEqualTo(MessageStatus.PENDING);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void aDedupeKeyThatBelongsToAnotherMessageIsLeftAlone(Kind kind) {
        try (Outlet outlet = Outlet.open(Kinds.require(kind))) {
            OutboxMessage other = OutboxMessage.to("orders", "Placed")
                    .dedupeKey("key-1")
                    .payload("{}")
                    .build();
            outlet.enqueue(List.of(other));
            OutboxMessage dead = OutboxMessage.to("orders", "Placed")
                    .id(new UUID(7, 2))
                    .dedupeKey("key-1")
                    .restore();

            JdbcRestore.Report report =
                    JdbcRestore.of(outlet.fixture().pool()).restore(BackupFiles.plain(), backup(dead), DECISION);

            assertThat(report).isEqualTo(new JdbcRestore.Report(0, 0, 1, new BackupFiles.Report(1, 0, 0, false, 0)));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void aRestoredMessageIsSealedLikeAnyOtherAndCanBeRequeued(Kind kind) {
        KeyRing signing = Secrets.ring("sign-1");
        KeyRing encryption = Secrets.ring("lock-1");
        try (Outlet outlet = Outlet.open(Kinds.require(kind)).signed(signing).encrypted(encryption)) {
            OutboxMessage message = message(1, "secret".getBytes(StandardCharsets.UTF_8));
            JdbcRestore restore = JdbcRestore.builder(outlet.fixture().pool())
                    .signWith(signing)
                    .encryptWith(encryption)
                    .build();
            restore.restore(BackupFiles.plain(), backup(message), DECISION);
            assertThat(outlet.storedPayload(message.id())).isNotEqualTo(message.payload());

            outlet.admin().requeue(List.of(message.id()), new Decision("test", "restored"));
            outlet.startRelay();

            outlet.await(() -> outlet.received().size() == 1);
            assertThat(outlet.received().get(0).payload()).isEqualTo(message.payload());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void aRowThatWasTamperedWithStaysDefective(Kind kind) {
        try (Outlet outlet = Outlet.open(Kinds.require(kind))) {
            OutboxMessage forged = message(1, new byte[] {1});
            Path file = backup("The content hash does not fit", forged);
            JdbcRestore.of(outlet.fixture().pool()).restore(BackupFiles.plain(), file, DECISION);

            outlet.admin().requeue(List.of(forged.id()), new Decision("test", "restored"));
            outlet.startRelay();

            outlet.await(() -> outlet.heard().contains(forged.id()) && outlet.count(MessageStatus.DEAD) == 1);
            assertThat(outlet.received()).isEmpty();
        }
    }

    private static List<AuditEntry> audit(Fixture fixture) {
        return JdbcDeadMessages.of(fixture.pool())
                .audit(AuditFilter.all(), Page.oldest(100))
                .items();
    }

    private Path backup(OutboxMessage... messages) {
        return backup(null, messages);
    }

    private Path backup(@Nullable String defect, OutboxMessage... messages) {
        try (SafetyNet net = SafetyNet.builder().backup(directory).build()) {
            for (OutboxMessage message : messages) {
                net.save(new DeadMessage(message, 1, 5, "broker said no", true, defect, AT, "relay-1"));
            }
            assertThat(net.awaitQuiet(Duration.ofMinutes(1))).isTrue();
        }
        List<Path> files = BackupFiles.in(directory);
        assertThat(files).hasSize(1);
        return files.get(0);
    }

    /** Where the last record begins: behind the header of 12 bytes, each record says how long it is. */
    private static int lastRecord(byte[] file) {
        int last = 12;
        for (int next = last;
                next < file.length;
                next += 8 + ByteBuffer.wrap(file).getInt(next)) {
            last = next;
        }
        return last;
    }

    private static OutboxMessage message(int number, byte[] payload) {
        return OutboxMessage.to("orders", "Größe|geändert")
                .id(new UUID(8, number))
                .namespace("shop")
                .key("key " + number)
                .version(3)
                .tenant("acme")
                .dedupeKey("acme/" + number)
                .header("trace", "ü")
                .contentType("application/octet-stream")
                .maxAttempts(9)
                .payload(payload)
                .restore();
    }
}

package dev.postrider.jdbc.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.KeyRing;
import dev.postrider.MessageStatus;
import dev.postrider.OutboxMessage;
import dev.postrider.admin.Decision;
import dev.postrider.admin.StoredMessage;
import dev.postrider.jdbc.Fixture;
import dev.postrider.jdbc.JdbcOutbox;
import dev.postrider.jdbc.JdbcOutboxStore;
import dev.postrider.jdbc.JdbcTransaction;
import dev.postrider.jdbc.Kinds;
import dev.postrider.jdbc.Secrets;
import dev.postrider.relay.Relay;
import dev.postrider.relay.RelayBuilder;
import dev.postrider.safety.BackupFiles;
import dev.postrider.safety.DeadMessage;
import dev.postrider.safety.SafetyNet;
import dev.postrider.safety.SafetyNetCounts;
import dev.postrider.services.Database.Kind;
import dev.postrider.services.TcpProxy;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spi.PublishResult;
import dev.postrider.testkit.OutboxTransaction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Messages that die while the database does not take their dead record. */
@Tag("R4.6")
@Tag("R4.7")
final class RefusedDeadRecordTest {

    private static final Duration CLAIM = Duration.ofSeconds(4);
    private static final String POISON = "Poison";

    @TempDir
    Path directory;

    private final List<UUID> published = new CopyOnWriteArrayList<>();

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL"})
    void aDatabaseThatRefusesDeadRecordsHoldsUpNothingElse(Kind kind) {
        try (Fixture fixture = Fixture.create(Kinds.require(kind));
                SafetyNet net = SafetyNet.builder().backup(directory).build();
                Relay relay = relay(fixture.pool(), net).build()) {
            fixture.execute(refuseDead(kind));
            List<OutboxMessage> poison = messages(POISON, 0, 3);
            List<OutboxMessage> others = messages("Fine", 10, 40);
            List<OutboxMessage> behind = messages("Fine", 0, 3);
            List<OutboxMessage> mixed = new ArrayList<>(poison);
            mixed.addAll(others);
            mixed.addAll(behind);
            enqueue(fixture, mixed);
            relay.start();

            await(() -> net.counts().file() == 3 && delivered(fixture) == others.size());
            enqueue(fixture, messages("Fine", 100, 50));
            await(() -> delivered(fixture) == others.size() + 50);

            assertSaved(poison);
            JdbcOutboxAdmin admin = JdbcOutboxAdmin.of(fixture.pool());
            StoredMessage held = admin.find(poison.get(0).id()).orElseThrow();
            assertThat(held.status()).isEqualTo(MessageStatus.CLAIMED);
            // Twice extended: it was held for longer than a claim lasts.
            Instant first = until(held);
            await(() -> until(admin.find(held.message().id()).orElseThrow())
                    .isAfter(first.plus(CLAIM).plusMillis(100)));
            assertThat(published).doesNotContainAnyElementsOf(ids(behind));
            assertThat(poison)
                    .allSatisfy(message -> assertThat(Collections.frequency(published, message.id()))
                            .isEqualTo(1));

            fixture.execute("drop trigger refuse_dead" + (kind == Kind.POSTGRES_18 ? " on outbox_message" : ""));

            await(() -> admin.list(MessageStatus.DEAD, 0, 10).size() == 3);
            assertThat(admin.list(MessageStatus.DEAD, 0, 10)).allSatisfy(dead -> {
                assertThat(dead.lastError()).isEqualTo("never");
                assertThat(dead.attempts()).isEqualTo(1);
            });
            assertThat(poison)
                    .allSatisfy(message -> assertThat(Collections.frequency(published, message.id()))
                            .isEqualTo(1));
            assertThat(published).doesNotContainAnyElementsOf(ids(behind));
            assertThat(net.counts()).isEqualTo(new SafetyNetCounts(3, 3, 0, 0, 0));
            assertNothingToRestore(fixture);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB"})
    @Timeout(value = 3, unit = TimeUnit.MINUTES)
    void aRelayThatIsStoppedMeanwhileStopsInTime(Kind kind) {
        try (Fixture fixture = Fixture.create(Kinds.require(kind));
                SafetyNet net = SafetyNet.builder().backup(directory).build()) {
            fixture.execute(refuseDead(kind));
            List<OutboxMessage> poison = messages(POISON, 0, 1);
            enqueue(fixture, poison);
            try (Relay relay = relay(fixture.pool(), net)
                    .stopTimeout(Duration.ofMillis(500))
                    .build()) {
                relay.start();
                await(() -> net.counts().file() == 1);
            }

            // Another relay takes the message over at once, as after any stop with messages in flight.
            fixture.execute("drop trigger refuse_dead" + (kind == Kind.POSTGRES_18 ? " on outbox_message" : ""));
            try (Relay next = relay(fixture.pool(), net).build()) {
                next.start();
                await(() -> JdbcOutboxAdmin.of(fixture.pool())
                                .list(MessageStatus.DEAD, 0, 10)
                                .size()
                        == 1);
            }
            assertSaved(poison);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB"})
    void aConnectionThatIsCutLeavesTheMessageInTheFile(Kind kind) {
        try (Fixture fixture = Fixture.create(Kinds.require(kind));
                TcpProxy proxy = TcpProxy.to(fixture.database().port());
                HikariDataSource pool = through(proxy, fixture);
                SafetyNet net = SafetyNet.builder().backup(directory).build()) {
            List<OutboxMessage> poison = messages(POISON, 0, 1);
            enqueue(fixture, poison);
            MessagePublisher cutting = (wave, answers) -> wave.forEach(claimed -> {
                published.add(claimed.message().id());
                proxy.refuse();
                proxy.cut();
                answers.answer(claimed, PublishResult.rejected("never"));
            });
            try (Relay relay = Relay.builder(JdbcOutboxStore.builder(pool).build(), cutting)
                    .pollInterval(Duration.ofMillis(50))
                    .safetyNet(net)
                    .build()
                    .start()) {
                await(() -> net.counts().file() == 1);
                assertSaved(poison);

                proxy.accept();

                JdbcOutboxAdmin admin = JdbcOutboxAdmin.of(fixture.pool());
                await(() -> admin.find(poison.get(0).id()).orElseThrow().status() == MessageStatus.DEAD);
                assertThat(relay.health().alive()).isTrue();
                assertNothingToRestore(fixture);
            }
        }
    }

    @Test
    void encryptedPayloadsAreNotWrittenToADiskInTheClearUnlessThatIsAllowed() {
        KeyRing keys = Secrets.ring("lock-1");
        JdbcOutboxStore store =
                JdbcOutboxStore.builder(new JdbcDataSource()).decryptWith(keys).build();
        RelayBuilder relay = Relay.builder(store, (wave, answers) -> {});
        SafetyNet.Builder net = SafetyNet.builder().backup(directory);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> relay.safetyNet(net.build()).build())
                .withMessageContaining("encryptWith");
        assertThatCode(() -> relay.safetyNet(net.encryptWith(keys).build()).build())
                .doesNotThrowAnyException();
        assertThatCode(() -> relay.safetyNet(SafetyNet.builder()
                                .backup(directory)
                                .backupDecryptedPayloads()
                                .build())
                        .build())
                .doesNotThrowAnyException();
        assertThatCode(() -> relay.safetyNet(
                                SafetyNet.builder().alert(alert -> {}).build())
                        .build())
                .doesNotThrowAnyException();
    }

    private RelayBuilder relay(DataSource pool, SafetyNet net) {
        MessagePublisher publisher = (wave, answers) -> wave.forEach(claimed -> {
            published.add(claimed.message().id());
            boolean poison = claimed.message().type().equals(POISON);
            answers.answer(claimed, poison ? PublishResult.rejected("never") : PublishResult.acked());
        });
        return Relay.builder(JdbcOutboxStore.builder(pool).build(), publisher)
                .pollInterval(Duration.ofMillis(50))
                .claimFor(CLAIM)
                .publishTimeout(CLAIM.dividedBy(2))
                .safetyNet(net);
    }

    private static HikariDataSource through(TcpProxy proxy, Fixture fixture) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(
                fixture.database().jdbcUrl().replace(":" + fixture.database().port(), ":" + proxy.port()));
        config.setUsername(fixture.database().user());
        config.setPassword(fixture.database().password());
        config.setMinimumIdle(0);
        config.setConnectionTimeout(1_000);
        return new HikariDataSource(config);
    }

    private static String[] refuseDead(Kind kind) {
        if (kind == Kind.POSTGRES_18) {
            return new String[] {"""
                create function refuse_dead() returns trigger language plpgsql as
                $$ begin raise exception 'no dead records today'; end $$""", """
                create trigger refuse_dead before update on outbox_message for each row when (new.status = 3)
                execute function refuse_dead()"""};
        }
        return new String[] {"""
            create trigger refuse_dead before update on outbox_message for each row
            begin
                if new.status = 3 then
                    signal sqlstate '45000' set message_text = 'no dead records today';
                end if;
            end"""};
    }

    private static List<OutboxMessage> messages(String type, int firstKey, int count) {
        return IntStream.range(firstKey, firstKey + count)
                .mapToObj(key -> OutboxMessage.to("orders", type)
                        .key("key " + key)
                        .payload("{\"key\": %d}".formatted(key))
                        .build())
                .toList();
    }

    private static void enqueue(Fixture fixture, List<OutboxMessage> messages) {
        try (OutboxTransaction transaction = JdbcTransaction.begin(fixture.producers(), JdbcOutbox.create())) {
            transaction.outbox().enqueueAll(messages);
            transaction.commit();
        }
    }

    private static int delivered(Fixture fixture) {
        return JdbcOutboxAdmin.of(fixture.pool())
                .list(MessageStatus.DELIVERED, 0, 1_000)
                .size();
    }

    private static Instant until(StoredMessage message) {
        return Objects.requireNonNull(message.times().claimedUntil());
    }

    private void assertSaved(List<OutboxMessage> dead) {
        List<DeadMessage> saved = new ArrayList<>();
        BackupFiles.in(directory).forEach(file -> BackupFiles.plain().read(file, saved::add));
        assertThat(saved).extracting(each -> each.message().id()).containsExactlyInAnyOrderElementsOf(ids(dead));
        assertThat(saved).allSatisfy(each -> {
            assertThat(each.reason()).isEqualTo("never");
            assertThat(each.message().type()).isEqualTo(POISON);
            assertThat(new String(each.message().payload(), StandardCharsets.UTF_8))
                    .startsWith("{\"key\": ");
        });
    }

    private void assertNothingToRestore(Fixture fixture) {
        BackupFiles.in(directory)
                .forEach(file -> assertThat(JdbcRestore.of(fixture.pool())
                                .restore(BackupFiles.plain(), file, new Decision("ada", "the database is back")))
                        .satisfies(report -> {
                            assertThat(report.restored()).isZero();
                            assertThat(report.alreadyThere())
                                    .isEqualTo(report.file().records());
                        }));
    }

    private static List<UUID> ids(List<OutboxMessage> messages) {
        return messages.stream().map(OutboxMessage::id).toList();
    }

    private static void await(Callable<Boolean> condition) {
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofMillis(100))
                .until(condition);
    }
}

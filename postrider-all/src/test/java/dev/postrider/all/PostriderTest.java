package dev.postrider.all;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.KeyRing;
import dev.postrider.MessageStatus;
import dev.postrider.OutboxMessage;
import dev.postrider.Receipt;
import dev.postrider.admin.Decision;
import dev.postrider.admin.MessageFilter;
import dev.postrider.admin.Page;
import dev.postrider.database.TableNames;
import dev.postrider.inbox.Inbox;
import dev.postrider.inbox.InboxResult;
import dev.postrider.relay.ManualRelay;
import dev.postrider.relay.Relay;
import dev.postrider.retry.RetryPolicy;
import dev.postrider.saga.LocalSagaDefinition;
import dev.postrider.saga.Saga;
import dev.postrider.saga.SagaEngine;
import dev.postrider.services.Availability;
import dev.postrider.services.Database;
import dev.postrider.services.Database.Kind;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.MessagePublisher;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class PostriderTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final List<String> sent = new CopyOnWriteArrayList<>();

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void relayOfTheHandleDeliversWhatItsOutboxEnqueued(Kind kind) throws SQLException {
        try (HikariDataSource pool = pool(kind)) {
            Postrider postrider = handle(pool).build();
            postrider.migrate();
            postrider.validate();

            enqueue(pool, postrider, postrider.message("orders", "placed").build());

            try (Relay relay = postrider.relay().build().start()) {
                await().atMost(PATIENCE).until(() -> sent.contains("orders"));
                assertThat(relay.health().alive()).isTrue();
            }
            assertThat(postrider.admin().stats().pending()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "H2"})
    void everyPartUsesTheTablesOfTheHandle(Kind kind) throws SQLException {
        try (HikariDataSource pool = pool(kind)) {
            Postrider postrider = Postrider.on(pool)
                    .outboxTables(TableNames.of("a_"))
                    .inboxTables(TableNames.of("b_"))
                    .sagaTables(TableNames.of("c_"))
                    .namespace("shop")
                    .build();
            postrider.migrate();

            Receipt receipt = enqueue(
                    pool, postrider, postrider.message("orders", "placed").build());
            Inbox inbox = postrider.inbox().build();
            InboxResult<String> handled = inbox.process("id-1", "billing", transaction -> {
                transaction.enqueue(postrider.message("invoices", "made").build());
                return "made";
            });
            try (SagaEngine engine = postrider.sagas().register(saga()).build()) {
                engine.saga(saga()).execute("42");
            }
            ManualRelay claimer = postrider.claimer("me", RetryPolicy.defaults());
            List<ClaimedMessage> claimed = claimer.claim(10, Duration.ofMinutes(1), 3);

            assertThat(claimed).extracting(message -> message.message().topic()).containsExactly("orders", "invoices");
            assertThat(handled).isEqualTo(new InboxResult.Processed<>("made"));
            assertThat(postrider.admin().find(receipt.id()))
                    .map(stored -> stored.message().namespace())
                    .contains("shop");
            assertThat(postrider.inboxAdmin().lookup("billing", "id-1")).isPresent();
            assertThat(postrider.bulkActions().list(1)).isEmpty();
            assertThat(postrider.schemaSql()).contains("a_message", "b_message", "c_instance");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "H2"})
    void signedAndEncryptedMessageIsDeliveredAsItWasEnqueued(Kind kind) throws SQLException {
        try (HikariDataSource pool = pool(kind)) {
            List<String> payloads = new CopyOnWriteArrayList<>();
            Postrider postrider = Postrider.on(pool)
                    .sign(ring("signing", 1))
                    .encrypt(ring("encryption", 2))
                    .publisher(MessagePublisher.each(
                            message -> payloads.add(new String(message.payload(), StandardCharsets.UTF_8))))
                    .build();
            postrider.migrate();

            enqueue(
                    pool,
                    postrider,
                    postrider.message("orders", "placed").payload("secret").build());

            try (Relay relay = postrider.relay().build().start()) {
                await().atMost(PATIENCE).until(() -> payloads.contains("secret"));
                assertThat(relay.health().alive()).isTrue();
            }
        }
    }

    @Test
    void deadMessageOfASigningHandleCanBeRequeuedAndDelivered() throws SQLException {
        try (HikariDataSource pool = pool(Kind.H2)) {
            Postrider failing = Postrider.on(pool)
                    .sign(ring("signing", 1))
                    .publisher(MessagePublisher.each(message -> {
                        throw new IllegalStateException("broken");
                    }))
                    .build();
            failing.migrate();
            Receipt receipt = enqueue(
                    pool,
                    failing,
                    failing.message("orders", "placed").maxAttempts(1).build());
            try (Relay relay = failing.relay().build().start()) {
                await().atMost(PATIENCE).until(() -> status(failing, receipt) == MessageStatus.DEAD);
                assertThat(relay.health().alive()).isTrue();
            }
            Postrider mended = handle(pool).sign(ring("signing", 1)).build();

            assertThat(mended.deadMessages()
                            .search(MessageFilter.all(), Page.newest(10))
                            .items())
                    .hasSize(1);
            assertThat(mended.admin().requeue(List.of(receipt.id()), new Decision("operator", "mended")))
                    .isEqualTo(1);

            try (Relay relay = mended.relay().build().start()) {
                await().atMost(PATIENCE).until(() -> sent.contains("orders"));
                assertThat(relay.health().alive()).isTrue();
            }
        }
    }

    @Test
    void firstRouteThatMatchesGetsTheMessage() throws SQLException {
        try (HikariDataSource pool = pool(Kind.H2)) {
            List<String> routed = new CopyOnWriteArrayList<>();
            Postrider postrider = handle(pool)
                    .route("invoices", MessagePublisher.each(message -> routed.add(message.topic())))
                    .build();
            postrider.migrate();

            enqueue(pool, postrider, postrider.message("invoices", "made").build());
            enqueue(pool, postrider, postrider.message("orders", "placed").build());

            try (Relay relay = postrider.relay().build().start()) {
                await().atMost(PATIENCE).until(() -> !routed.isEmpty() && !sent.isEmpty());
                assertThat(relay.health().alive()).isTrue();
            }
            assertThat(routed).containsOnly("invoices");
            assertThat(sent).containsOnly("orders");
        }
    }

    @Test
    void relayOfAHandleWithoutPublisherIsRefused() {
        try (HikariDataSource pool = pool(Kind.H2)) {
            Postrider postrider = Postrider.on(pool).build();

            assertThatThrownBy(postrider::relay)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("publisher(...)");
        }
    }

    @Test
    void settingsThatDoNotFitAreRefused() {
        try (HikariDataSource pool = pool(Kind.H2)) {
            PostriderBuilder unsigned = Postrider.on(pool).acceptUnsigned();
            PostriderBuilder twice = handle(pool).route("orders", MessagePublisher.each(message -> {}));

            assertThatThrownBy(unsigned::build)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("sign(ring)");
            assertThatThrownBy(() -> twice.route("orders", MessagePublisher.each(message -> {})))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'orders'");
        }
    }

    private PostriderBuilder handle(HikariDataSource pool) {
        return Postrider.on(pool).publisher(MessagePublisher.each(message -> sent.add(message.topic())));
    }

    private static LocalSagaDefinition<String> saga() {
        return Saga.define("pay", String.class)
                .step("pay", step -> step.action((context, transaction) -> context))
                .atomicOnly()
                .codec(PlainText.INSTANCE)
                .build();
    }

    private static MessageStatus status(Postrider postrider, Receipt receipt) {
        return postrider.admin().find(receipt.id()).orElseThrow().status();
    }

    private static Receipt enqueue(HikariDataSource pool, Postrider postrider, OutboxMessage message)
            throws SQLException {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            Receipt receipt = postrider.outbox().enqueue(connection, message);
            connection.commit();
            return receipt;
        }
    }

    private static KeyRing ring(String id, int filling) {
        byte[] secret = new byte[KeyRing.SECRET_BYTES];
        Arrays.fill(secret, (byte) filling);
        return KeyRing.of(id, secret);
    }

    private static HikariDataSource pool(Kind kind) {
        Availability availability = Database.available(kind);
        Assumptions.assumeTrue(availability.available(), availability::reason);
        HikariConfig config = new HikariConfig();
        config.setDataSource(Database.shared(kind).freshDatabase().dataSource());
        config.setMaximumPoolSize(8);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(60_000);
        return new HikariDataSource(config);
    }
}

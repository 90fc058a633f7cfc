package dev.postrider.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.OutboxMessage;
import dev.postrider.admin.OutboxStats;
import dev.postrider.alert.Alert;
import dev.postrider.jdbc.operator.JdbcOutboxAdmin;
import dev.postrider.jdbc.row.Defects;
import dev.postrider.monitor.AlertMonitor;
import dev.postrider.relay.Relay;
import dev.postrider.services.Database.Kind;
import dev.postrider.spi.PublishResult;
import dev.postrider.testkit.FlakyPublisher;
import dev.postrider.testkit.OutboxTransaction;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** From a row to the person who is told. */
@Tag("R4.8")
final class AlertsTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Duration NEVER = Duration.ofDays(1);

    private final List<Alert> received = new CopyOnWriteArrayList<>();
    private final FlakyPublisher broker = new FlakyPublisher();

    // The monitor never gets to see the outbox: only the event itself can be what it tells.
    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB"})
    @Tag("R4.2")
    void aTamperedRowIsToldAtOnce(Kind kind) {
        CountDownLatch end = new CountDownLatch(1);
        Supplier<OutboxStats> hanging = () -> {
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            throw new IllegalStateException("The test is over");
        };
        OutboxMessage message = message("OrderPlaced");
        try (Fixture fixture = Fixture.create(Kinds.require(kind));
                AlertMonitor monitor = monitor(hanging)) {
            enqueue(fixture, message);
            fixture.damage(message.id());
            try (Relay relay = relay(fixture, monitor)) {
                awaitAlerts(1);

                assertThat(relay.health().alive()).isTrue();
            }
        } finally {
            end.countDown();
        }
        assertThat(received).singleElement().satisfies(alert -> {
            assertThat(alert.name()).isEqualTo("integrity");
            assertThat(alert.severity()).isEqualTo(Alert.Severity.CRITICAL);
            assertThat(alert.state()).isEqualTo(Alert.State.FIRING);
            assertThat(alert.details().get("lately")).contains(message.id().toString(), Defects.HASH);
            assertThat(alert.toString()).doesNotContain("hush");
        });
        assertThat(broker.broker().received()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB"})
    @Tag("R4.4")
    void messagesOfARelayThatNeverCameBackAreTold(Kind kind) {
        try (Fixture fixture = Fixture.create(Kinds.require(kind));
                AlertMonitor monitor = monitor(JdbcOutboxAdmin.of(fixture.pool())::stats)) {
            enqueue(fixture, message("OrderPlaced"), message("OrderPlaced"));
            fetchAndDie(fixture);
            try (Relay relay = relay(fixture, monitor)) {
                awaitAlerts(1);

                assertThat(relay.health().alive()).isTrue();
            }
        }
        assertThat(received).first().satisfies(alert -> {
            assertThat(alert.name()).isEqualTo("stalled");
            assertThat(alert.summary()).startsWith("2 messages");
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB"})
    @Tag("R0.6")
    void aDeadMessageIsTold(Kind kind) {
        broker.always(message -> message.type().equals("Refused"), PublishResult.rejected("no"));
        try (Fixture fixture = Fixture.create(Kinds.require(kind));
                AlertMonitor monitor = monitor(JdbcOutboxAdmin.of(fixture.pool())::stats);
                Relay relay = relay(fixture, monitor)) {
            monitor.watch(relay::health);
            enqueue(fixture, message("OrderPlaced"), message("Refused"));

            awaitAlerts(1);
        }
        assertThat(received).singleElement().satisfies(alert -> {
            assertThat(alert.name()).isEqualTo("dead");
            assertThat(alert.details())
                    .containsEntry("dead", "1")
                    .containsEntry("relays alive", "1")
                    .containsEntry("lately", "Refused 1");
        });
    }

    private AlertMonitor monitor(Supplier<OutboxStats> stats) {
        return AlertMonitor.builder(stats)
                .sender(received::add)
                .checkEvery(NEVER)
                .build()
                .start();
    }

    private Relay relay(Fixture fixture, AlertMonitor monitor) {
        return Relay.builder(JdbcOutboxStore.builder(fixture.pool()).build(), broker)
                .listener(monitor)
                .pollInterval(Duration.ofMillis(50))
                .build()
                .start();
    }

    private static void fetchAndDie(Fixture fixture) {
        assertThat(HandRelay.join(fixture, "ghost").fetch()).hasSize(2);
        fixture.execute("delete from outbox_relay where id = 'ghost'");
    }

    private void awaitAlerts(int count) {
        Awaitility.await().atMost(PATIENCE).until(() -> received.size() >= count);
    }

    private static void enqueue(Fixture fixture, OutboxMessage... messages) {
        try (OutboxTransaction transaction = JdbcTransaction.begin(fixture.producers(), JdbcOutbox.create())) {
            transaction.outbox().enqueueAll(List.of(messages));
            transaction.commit();
        }
    }

    private static OutboxMessage message(String type) {
        return OutboxMessage.to("orders", type).payload("hush").build();
    }
}

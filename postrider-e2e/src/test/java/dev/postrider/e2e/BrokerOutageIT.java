package dev.postrider.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.postrider.jdbc.JdbcOutboxStore;
import dev.postrider.relay.Relay;
import dev.postrider.services.Availability;
import dev.postrider.services.Database.Kind;
import dev.postrider.services.KafkaServer;
import dev.postrider.services.RabbitServer;
import dev.postrider.spi.MessagePublisher;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The broker is killed, cut off and frozen while two relays deliver to it. */
@Tag("R0.2")
@Tag("R3.3")
@Tag("R3.8")
final class BrokerOutageIT {

    private static final int MESSAGES = 20_000;
    private static final int KEYS = 200;
    private static final int CUTS = 3;
    private static final int PER_SECOND = 400;
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB"})
    void nothingIsLostOrReorderedWhenKafkaIsKilledCutOffAndFrozen(Kind kind) {
        assume(KafkaServer.available());
        try (Broker broker = new KafkaBroker()) {
            outages(kind, broker, Duration.ofSeconds(20));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB"})
    void nothingIsLostOrReorderedWhenRabbitIsKilledCutOffAndFrozen(Kind kind) {
        assume(RabbitServer.available());
        try (Broker broker = new RabbitBroker()) {
            outages(kind, broker, Duration.ofSeconds(12));
        }
    }

    private static void outages(Kind kind, Broker broker, Duration freeze) {
        try (Stage stage = Stage.shared(kind);
                Producers producers = new Producers(stage.pool(), KEYS);
                MessagePublisher first = broker.publisher();
                MessagePublisher second = broker.publisher();
                Relay one = relay(stage, first);
                Relay two = relay(stage, second)) {
            one.start();
            two.start();
            producers.produce(PER_SECOND);
            awaitDelivered(stage, 1_000);

            broker.killAndRestart();
            awaitProgress(stage);
            for (int i = 0; i < CUTS; i++) {
                broker.cutConnections();
                awaitProgress(stage);
            }
            freeze(broker, freeze);
            awaitProgress(stage);

            producers.finish(MESSAGES);
            await("settled rows").atMost(PATIENCE).until(() -> stage.unfinished() == 0);

            List<Arrival> arrivals = broker.arrivals();
            Map<Long, Stage.Row> rows = stage.rows();
            Audit.of(producers.enqueued(), arrivals, rows, Set.of())
                    .checkWithoutClaims(
                            "%s to %s".formatted(kind, broker.getClass().getSimpleName()));
            assertThat(rows.values()).extracting(Stage.Row::attempts).containsOnly(1);
        }
    }

    private static void freeze(Broker broker, Duration time) {
        broker.freeze();
        long thaw = System.nanoTime() + time.toNanos();
        await("the end of the frost").atMost(time.plusSeconds(30)).until(() -> System.nanoTime() - thaw >= 0);
        broker.thaw();
    }

    private static Relay relay(Stage stage, MessagePublisher publisher) {
        return Relay.builder(JdbcOutboxStore.builder(stage.pool()).build(), publisher)
                .build();
    }

    private static void awaitProgress(Stage stage) {
        awaitDelivered(stage, stage.delivered() + 500);
    }

    private static void awaitDelivered(Stage stage, long atLeast) {
        await("deliveries")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(100))
                .until(() -> stage.delivered() >= atLeast);
    }

    private static void assume(Availability availability) {
        assumeTrue(availability.available(), availability.reason());
    }
}

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
import org.junit.jupiter.api.Test;

/** The broker is killed, cut off and frozen while two relays deliver to it. */
@Tag("R0.2")
@Tag("R3.3")
@Tag("R3.8")
final class BrokerOutageIT {

    private static final int MESSAGES = 4_000;
    private static final int KEYS = 200;
    private static final int PER_SECOND = 200;
    private static final int PROGRESS = 200;

    @Test
    void nothingIsLostOrReorderedWhenKafkaIsKilledCutOffAndFrozen() {
        assume(KafkaServer.available());
        try (Broker broker = new KafkaBroker()) {
            outages(Kind.POSTGRES_18, broker);
        }
    }

    @Test
    void nothingIsLostOrReorderedWhenRabbitIsKilledCutOffAndFrozen() {
        assume(RabbitServer.available());
        try (Broker broker = new RabbitBroker()) {
            outages(Kind.MARIADB, broker);
        }
    }

    private static void outages(Kind kind, Broker broker) {
        try (Stage stage = Stage.shared(kind);
                Producers producers = new Producers(stage.pool(), KEYS);
                MessagePublisher first = broker.publisher();
                MessagePublisher second = broker.publisher();
                Relay one = relay(stage, first);
                Relay two = relay(stage, second)) {
            one.start();
            two.start();
            producers.produce(PER_SECOND);
            awaitProgress(stage);

            broker.killAndRestart();
            awaitProgress(stage);
            broker.cutConnections();
            awaitProgress(stage);
            broker.freeze();
            awaitUnreachable(one);
            awaitUnreachable(two);
            broker.thaw();
            awaitProgress(stage);

            producers.finish(MESSAGES);
            await("settled rows").atMost(RelayProcess.PATIENCE).until(() -> stage.unfinished() == 0);

            List<Arrival> arrivals = broker.arrivals();
            Map<Long, Stage.Row> rows = stage.rows();
            Audit.of(producers.enqueued(), arrivals, rows, Set.of())
                    .checkWithoutClaims(
                            "%s to %s".formatted(kind, broker.getClass().getSimpleName()));
            assertThat(rows.values()).extracting(Stage.Row::attempts).containsOnly(1);
        }
    }

    private static Relay relay(Stage stage, MessagePublisher publisher) {
        Tenure tenure = Tenure.lasting();
        return tenure.applyTo(Relay.builder(
                        tenure.grantedBy(JdbcOutboxStore.builder(stage.pool()).build()), publisher))
                .build();
    }

    private static void awaitUnreachable(Relay relay) {
        await("the silence of the broker to be noticed")
                .atMost(RelayProcess.PATIENCE)
                .until(() -> !relay.health().closedTopics().isEmpty());
    }

    private static void awaitProgress(Stage stage) {
        long atLeast = stage.delivered() + PROGRESS;
        await("deliveries")
                .atMost(RelayProcess.PATIENCE)
                .pollInterval(Duration.ofMillis(100))
                .until(() -> stage.delivered() >= atLeast);
    }

    private static void assume(Availability availability) {
        assumeTrue(availability.available(), availability.reason());
    }
}

package dev.postrider.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.GetResponse;
import dev.postrider.MessageStatus;
import dev.postrider.admin.StoredMessage;
import dev.postrider.services.TcpProxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a relay makes of a RabbitMQ that things are done to under load. */
@Tag("B1")
@Tag("R0.2")
final class RabbitRelayIT extends OwnServer {

    @Test
    void connectionsThatAreClosedAgainAndAgainLoseNothing() {
        try (LoadedRelay relay = LoadedRelay.start(broker, name)) {
            for (int closed = 1; closed <= 4; closed++) {
                assertThat(server.ctl("close_all_connections", "test")).containsPattern("Closed [1-9]");
                relay.awaitMoreDelivered();
            }

            relay.finish();
            broker.reconnect();
            relay.audit("connections closed 4 times", broker.drain(name));
            relay.assertNoAttemptBurnt();
        }
    }

    // What is held back when the connection is cut never reached the broker, whatever the publisher makes of it.
    @Test
    void messagesThatWereOnTheirWayWhenTheConnectionWasCutAreSentAgain() {
        try (TcpProxy network = TcpProxy.unconnected();
                LoadedRelay relay = LoadedRelay.start(broker, name, network)) {
            for (int cut = 1; cut <= 3; cut++) {
                network.blackhole();
                relay.awaitUnconfirmed();
                network.cut();
                network.heal();
                relay.awaitMoreDelivered();
            }

            relay.finish();
            relay.audit("connection cut 3 times with messages on their way", broker.drain(name));
            relay.assertNoAttemptBurnt();
        }
    }

    @Test
    void aBrokerThatIsKilledAndComesBackLosesNothing() {
        try (LoadedRelay relay = LoadedRelay.start(broker, name)) {
            server.kill();
            relay.awaitClosedGate("Could not connect");
            server.restart();
            relay.awaitMoreDelivered();

            relay.finish();
            broker.reconnect();
            relay.audit("broker killed and restarted", broker.drain(name));
            relay.assertNoAttemptBurnt();
        }
    }

    @Test
    void aFrozenBrokerIsGivenUpInTimeAndLosesNothing() {
        try (LoadedRelay relay = LoadedRelay.start(broker, name)) {
            server.freeze();
            try {
                relay.awaitClosedGate("did not confirm within " + LoadedRelay.CONFIRM_TIMEOUT);
                relay.awaitClosedGate("RabbitMQ");
            } finally {
                server.thaw();
            }
            relay.awaitMoreDelivered();

            relay.finish();
            broker.reconnect();
            relay.audit("broker frozen", broker.drain(name));
            relay.assertNoAttemptBurnt();
        }
    }

    @Test
    void aMemoryAlarmPausesTheTopicUntilItIsOver() {
        try (LoadedRelay relay = LoadedRelay.start(broker, name)) {
            server.ctl("set_vm_memory_high_watermark", "0");
            try {
                relay.awaitClosedGate("RabbitMQ");
                relay.awaitClosedGate("did not confirm");
            } finally {
                server.ctl("set_vm_memory_high_watermark", "0.4");
            }
            relay.awaitMoreDelivered();

            relay.finish();
            relay.audit("memory alarm", broker.drain(name));
            relay.assertNoAttemptBurnt();
        }
    }

    @Test
    void whatNoQueueTakesIsDeadAndNotDelivered() {
        try (LoadedRelay relay = LoadedRelay.start(broker, name)) {
            broker.unbind(name, name);
            relay.awaitDead();
            assertThat(relay.dead())
                    .extracting(StoredMessage::lastError)
                    .allMatch(error -> error.contains("312 NO_ROUTE"));
            broker.bind(name, name);

            relay.finish();
            relay.audit("queue unbound and bound again", broker.drain(name));
        }
    }

    @Test
    void anExchangeThatIsDeletedAndComesBackLosesNothing() {
        try (LoadedRelay relay = LoadedRelay.start(broker, name)) {
            broker.deleteExchange(name);
            relay.awaitClosedGate("does not exist");
            broker.exchange(name).bind(name, name);

            // A message that comes between exchange and binding is dead, and finish puts it back.
            relay.finish();
            relay.audit("exchange deleted and made again", broker.drain(name));
        }
    }

    @Test
    void aFullQueueThatRejectsPublishesMakesMessagesWaitAndLosesNothing() {
        String small = name + "-small";
        broker.queue(small, Map.of("x-max-length", 50, "x-overflow", "reject-publish"))
                .bind(small, name)
                .unbind(name, name);
        List<GetResponse> arrived = new ArrayList<>();
        try (LoadedRelay relay = LoadedRelay.start(broker, name)) {
            await().atMost(LoadedRelay.PATIENCE)
                    .until(() -> relay.all(MessageStatus.PENDING).stream()
                            .anyMatch(row -> row.error().orElse("").contains("nack")));
            Thread consumer = new Thread(
                    () -> {
                        while (!Thread.currentThread().isInterrupted()) {
                            arrived.addAll(broker.drain(small));
                        }
                    },
                    "consumer");
            consumer.start();
            try {
                relay.finish();
            } finally {
                consumer.interrupt();
                await().atMost(LoadedRelay.PATIENCE).until(() -> !consumer.isAlive());
            }
            arrived.addAll(broker.drain(small));

            assertThat(relay.dead()).isEmpty();
            relay.audit("queue full with reject-publish", arrived);
        }
    }
}

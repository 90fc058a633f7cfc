package dev.postrider.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postrider.services.Database.Kind;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a consumer makes of a RabbitMQ that things are done to under load. */
@Tag("R0.7")
@Tag("I1")
@Tag("I2")
final class RabbitInboxIT extends OwnServer {

    @ParameterizedTest
    @ValueSource(strings = {"classic", "quorum"})
    @Tag("I3")
    void aMessageWhoseAckIsLostComesAgainAsADuplicate(String type) throws InterruptedException {
        RabbitSite.Gate gate = new RabbitSite.Gate("m2");
        try (RabbitSite site = site(type);
                RabbitInboxConsumer consumer =
                        site.consumer().handler(gate::handle).build()) {
            site.send(10);
            consumer.start();
            gate.awaitReached();

            assertThat(server.ctl("close_all_connections", "test")).containsPattern("Closed [1-9]");
            site.broker.reconnect();
            await().atMost(RabbitSite.PATIENCE).until(() -> site.broker.unacknowledged(site.queue) == 0);
            gate.open();

            await().atMost(RabbitSite.PATIENCE).until(() -> site.desk.duplicates.get() > 0);
            site.assertOneEffectEach(RabbitSite.names(10), consumer);
            assertThat(site.desk.duplicates.get()).isBetween(1, 3);
        }
    }

    @Test
    void aBrokerThatIsKilledInTheMiddleOfALoadMakesOneEffectEach() {
        interrupted("classic", server::kill);
    }

    @Test
    void aBrokerThatIsRestartedInTheMiddleOfALoadMakesOneEffectEach() {
        interrupted("quorum", () -> {});
    }

    private void interrupted(String type, Runnable before) {
        try (RabbitSite site = site(type);
                RabbitInboxConsumer consumer =
                        site.consumer().threads(2).handler(Desk::effect).build()) {
            site.send(400);
            consumer.start();
            site.awaitEffects(50);

            before.run();
            server.restart();
            site.broker.reconnect();

            site.assertOneEffectEach(RabbitSite.names(400), consumer);
        }
    }

    private RabbitSite site(String type) {
        return new RabbitSite(Broker.on(server), Kind.POSTGRES_15, Map.of("x-queue-type", type));
    }
}

package dev.postrider.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postrider.consumers.ConsumerOutageContract;
import dev.postrider.consumers.Gate;
import dev.postrider.consumers.TestBroker;
import dev.postrider.services.RabbitServer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;

/** A RabbitMQ that things are done to while its messages are handled. */
abstract class RabbitOutage extends ConsumerOutageContract {

    static RabbitServer server;

    private final String type;
    private @Nullable RabbitQueue opened;

    RabbitOutage(String type) {
        this.type = type;
    }

    @BeforeAll
    static void useServer() {
        server = OwnRabbit.running();
    }

    @Override
    protected final TestBroker newBroker(int lanes) {
        opened = new RabbitQueue(Broker.on(server), type);
        return opened;
    }

    private RabbitQueue queue() {
        return Objects.requireNonNull(opened, "no queue was opened");
    }

    @Override
    protected void restartBroker() {
        server.restart();
        queue().broker.reconnect();
    }

    @Override
    protected final void cutOff() {
        assertThat(server.ctl("close_all_connections", "test")).containsPattern("Closed [1-9]");
        queue().broker.reconnect();
        // The consuming thread is still in the handler and has not connected again.
        await().atMost(Gate.PATIENCE).until(() -> queue().broker.consumers(queue().name) == 0);
        assertThat(queue().broker.ready(queue().name)).isPositive();
    }

    @Override
    protected final void comeBack() {}
}

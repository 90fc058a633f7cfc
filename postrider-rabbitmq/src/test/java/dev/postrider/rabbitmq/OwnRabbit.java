package dev.postrider.rabbitmq;

import dev.postrider.services.RabbitServer;
import org.jspecify.annotations.Nullable;

/** The server of this JVM that tests may kill and freeze. It ends with the JVM. */
final class OwnRabbit {

    private static @Nullable RabbitServer server;

    private OwnRabbit() {}

    /** Returns the server, running whatever the class before has done to it; skips the test if there is no RabbitMQ. */
    static synchronized RabbitServer running() {
        Broker.require();
        RabbitServer running = server;
        if (running == null) {
            running = RabbitServer.start();
            server = running;
        } else if (!answers(running)) {
            running.restart();
        }
        return running;
    }

    private static boolean answers(RabbitServer running) {
        try (Broker broker = Broker.on(running)) {
            return broker.server() == running;
        } catch (IllegalStateException e) {
            // A test failed before it could start the server again.
            return false;
        }
    }
}

package dev.postrider.rabbitmq;

import dev.postrider.services.RabbitServer;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** A server that may be killed and frozen, and an exchange with a queue for each test. */
abstract class OwnServer {

    private static final AtomicInteger NAMES = new AtomicInteger();
    static RabbitServer server;

    final String name = "own-" + NAMES.incrementAndGet();
    Broker broker;

    @BeforeAll
    static void useServer() {
        server = OwnRabbit.running();
    }

    @BeforeEach
    void connect() {
        broker = Broker.on(server).exchange(name).queue(name).bind(name, name);
    }

    @AfterEach
    void disconnect() {
        broker.close();
    }
}

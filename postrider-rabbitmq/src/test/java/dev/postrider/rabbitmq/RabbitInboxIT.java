package dev.postrider.rabbitmq;

/** A classic queue survives a kill. */
final class RabbitInboxIT extends RabbitOutage {

    RabbitInboxIT() {
        super("classic");
    }

    @Override
    protected void restartBroker() {
        server.kill();
        super.restartBroker();
    }
}

package dev.postrider.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

/** A classic queue survives a kill. */
final class RabbitInboxIT extends RabbitOutage {

    RabbitInboxIT() {
        super("classic");
    }

    // RabbitMQ answers a declaration before the queue is on disk; a kill right after it loses the queue itself.
    @Override
    protected void restartBroker() {
        assertThat(server.ctl("eval", "mnesia:sync_log().")).contains("ok");
        server.kill();
        super.restartBroker();
    }
}

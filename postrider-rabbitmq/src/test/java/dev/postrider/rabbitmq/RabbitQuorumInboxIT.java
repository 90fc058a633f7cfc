package dev.postrider.rabbitmq;

/** A quorum queue is restarted in an orderly way: after a kill it may let its consumers wait for minutes. */
final class RabbitQuorumInboxIT extends RabbitOutage {

    RabbitQuorumInboxIT() {
        super("quorum");
    }
}

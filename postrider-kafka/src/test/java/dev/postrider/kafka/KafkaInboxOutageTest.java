package dev.postrider.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postrider.services.Database.Kind;
import dev.postrider.services.KafkaOptions;
import dev.postrider.services.TcpProxy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A broker that is killed or cut off while its records are handled. */
@Tag("R0.7")
@Tag("I1")
@Tag("I2")
final class KafkaInboxOutageTest {

    private final TcpProxy proxy = TcpProxy.unconnected();
    private final Inboxes inboxes = new Inboxes(start(), Kind.POSTGRES_15, 3);

    private Cluster start() {
        Cluster cluster = Cluster.start(KafkaOptions.defaults()
                .withAdvertisedPort(proxy.port())
                .withSetting("group.min.session.timeout.ms", "1000"));
        proxy.forwardTo(cluster.server().port());
        return cluster;
    }

    @AfterEach
    void close() {
        inboxes.close();
        proxy.close();
    }

    @Test
    void aBrokerThatIsKilledInTheMiddleOfALoadMakesOneEffectEach() {
        inboxes.cluster.send(inboxes.messages(600, 3));

        try (KafkaInboxConsumer consumer = inboxes.consumer()
                .property("max.poll.records", 20)
                .handler(Desk::effect)
                .build()
                .start()) {
            inboxes.awaitEffects(50);
            inboxes.cluster.server().kill();
            assertThat(consumer.health().alive()).isTrue();
            inboxes.cluster.server().restart();

            inboxes.assertOneEffectEach(Inboxes.names(600));
        }
    }

    @Test
    @Tag("I3")
    void aRecordWhoseOffsetCouldNotBeCommittedComesAgainAsADuplicate() throws InterruptedException {
        Inboxes.Gate gate = new Inboxes.Gate("m4");
        inboxes.cluster.send(inboxes.messages(9, 3));

        try (KafkaInboxConsumer consumer = inboxes.consumer()
                .property("session.timeout.ms", 1_000)
                .property("heartbeat.interval.ms", 200)
                .handler(gate::handle)
                .build()
                .start()) {
            gate.awaitReached();
            proxy.refuse();
            proxy.cut();
            // Its handler ends and commits, but the group has given its partitions up before it can say so.
            gate.open();
            inboxes.awaitEffects(9);
            await().atMost(Inboxes.PATIENCE).until(() -> inboxes.cluster.membersBehindTheProxy(inboxes.group) == 0);
            proxy.accept();

            inboxes.assertOneEffectEach(Inboxes.names(9));
            assertThat(consumer.health().alive()).isTrue();
        }
        assertThat(inboxes.desk.duplicates.get()).isPositive();
    }
}

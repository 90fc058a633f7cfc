package dev.postrider.kafka;

import static org.awaitility.Awaitility.await;

import dev.postrider.consumers.ConsumerOutageContract;
import dev.postrider.consumers.Gate;
import dev.postrider.consumers.TestBroker;
import dev.postrider.services.KafkaOptions;
import dev.postrider.services.TcpProxy;

/** A broker that is killed or cut off while its records are handled. */
final class KafkaInboxOutageTest extends ConsumerOutageContract {

    private final TcpProxy proxy = TcpProxy.unconnected();
    private final Cluster cluster = start();
    private String group = "";

    private Cluster start() {
        Cluster started = Cluster.start(KafkaOptions.defaults()
                .withAdvertisedPort(proxy.port())
                .withSetting("group.min.session.timeout.ms", "1000"));
        proxy.forwardTo(started.server().port());
        return started;
    }

    @Override
    protected TestBroker newBroker(int lanes) {
        KafkaTopic topic = new KafkaTopic(cluster, lanes)
                .with("max.poll.records", 20)
                .with("session.timeout.ms", 1_000)
                .with("heartbeat.interval.ms", 200);
        group = topic.group;
        closeAfterTest(proxy);
        return topic;
    }

    @Override
    protected void restartBroker() {
        cluster.server().kill();
        cluster.server().restart();
    }

    @Override
    protected void cutOff() {
        proxy.refuse();
        proxy.cut();
    }

    @Override
    protected void comeBack() {
        // The group gives the partitions up before the consumer can commit its offsets.
        await().atMost(Gate.PATIENCE).until(() -> cluster.membersBehindTheProxy(group) == 0);
        proxy.accept();
    }
}

package dev.postrider.e2e;

import dev.postrider.kafka.KafkaPublisher;
import dev.postrider.publish.MessageHeaders;
import dev.postrider.services.KafkaOptions;
import dev.postrider.services.KafkaServer;
import dev.postrider.services.TcpProxy;
import dev.postrider.spi.MessagePublisher;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;

/** Kafka behind a proxy. */
final class KafkaBroker implements Broker {

    private static final int PARTITIONS = 4;

    // Short, so that the silence of a frozen broker is noticed soon.
    private static final int REQUEST_MILLIS = 2_000;

    private final TcpProxy proxy = TcpProxy.unconnected();
    private final KafkaServer server;

    KafkaBroker() {
        server = KafkaServer.start(KafkaOptions.defaults().withAdvertisedPort(proxy.port()));
        proxy.forwardTo(server.port());
        KafkaTopics.create(server.bootstrapServers(), List.of(TOPIC), PARTITIONS);
    }

    @Override
    public MessagePublisher publisher() {
        return KafkaPublisher.builder(server.bootstrapServers())
                .property(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_MILLIS)
                .property(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 2 * REQUEST_MILLIS)
                .answerWithin(Duration.ofMillis(3 * REQUEST_MILLIS))
                .build();
    }

    @Override
    public void killAndRestart() {
        server.kill();
        server.restart();
    }

    @Override
    public void cutConnections() {
        proxy.cut();
    }

    @Override
    public void freeze() {
        server.freeze();
    }

    @Override
    public void thaw() {
        server.thaw();
    }

    @Override
    public List<Arrival> arrivals() {
        List<TopicPartition> partitions = IntStream.range(0, PARTITIONS)
                .mapToObj(partition -> new TopicPartition(TOPIC, partition))
                .toList();
        Arrivals arrivals = new Arrivals();
        Map<String, Object> config = Map.of("bootstrap.servers", server.bootstrapServers());
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer())) {
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                consumer.poll(Duration.ofSeconds(1)).forEach(record -> add(record, arrivals));
            }
        }
        return arrivals.all();
    }

    private static void add(ConsumerRecord<String, String> record, Arrivals arrivals) {
        byte[] seq = record.headers().lastHeader(MessageHeaders.SEQ).value();
        arrivals.add(record.key(), Long.parseLong(new String(seq, StandardCharsets.UTF_8)), record.value());
    }

    @Override
    public void close() {
        server.close();
        proxy.close();
    }
}

package dev.postrider.benchmarks.contest.arena;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** A Kafka topic, written with the settings Postrider's own publisher has: all replicas, idempotent. */
final class KafkaSink implements Sink {

    private final Arrivals arrivals = new Arrivals();
    private final KafkaProducer<String, byte[]> producer;

    KafkaSink(String bootstrapServers) {
        this.producer = new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers", bootstrapServers,
                        "acks", "all",
                        "enable.idempotence", "true",
                        "linger.ms", "0",
                        "batch.size", "131072"),
                new StringSerializer(),
                new ByteArraySerializer());
    }

    @Override
    public Arrivals arrivals() {
        return arrivals;
    }

    @Override
    public void take(String key, byte[] payload) throws Exception {
        send(key, payload).get();
    }

    // The callback hears everything the future would tell.
    @Override
    @SuppressWarnings("FutureReturnValueIgnored")
    public CompletableFuture<Void> send(String key, byte[] payload) {
        CompletableFuture<Void> delivered = new CompletableFuture<>();
        producer.send(new ProducerRecord<>(Cargo.TOPIC, key, payload), (metadata, error) -> {
            if (error == null) {
                arrivals.arrived(Cargo.number(payload));
                delivered.complete(null);
            } else {
                delivered.completeExceptionally(error);
            }
        });
        return delivered;
    }

    @Override
    public void close() {
        producer.close();
    }
}

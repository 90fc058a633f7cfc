package dev.postrider.kafka;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Makes producers. Each call may take a while, because the broker's name is looked up, and may fail for now. */
record Producers(ProducerConfig config) {

    Producer<byte[], byte[]> idempotent() {
        return make(config.originals());
    }

    /** Makes a producer whose batches hold one message each. */
    Producer<byte[], byte[]> unbatched() {
        Map<String, Object> settings = new HashMap<>(config.originals());
        settings.put(ProducerConfig.BATCH_SIZE_CONFIG, 0);
        settings.put(ProducerConfig.CLIENT_ID_CONFIG, config.getString(ProducerConfig.CLIENT_ID_CONFIG) + "-unbatched");
        return make(settings);
    }

    Producer<byte[], byte[]> transactional(String id) {
        Map<String, Object> settings = new HashMap<>(config.originals());
        settings.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, id);
        settings.put(ProducerConfig.CLIENT_ID_CONFIG, config.getString(ProducerConfig.CLIENT_ID_CONFIG) + "-" + id);
        return make(settings);
    }

    private static Producer<byte[], byte[]> make(Map<String, Object> settings) {
        return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
    }
}

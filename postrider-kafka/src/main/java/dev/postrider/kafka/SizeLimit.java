package dev.postrider.kafka;

import dev.postrider.spi.PublishResult;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Finds messages that are too large before they are sent.
 *
 * @param producer the producer's {@code max.request.size}, which it compares with the size before compression
 * @param compressed whether the broker will see fewer bytes than we do, so that only it knows if a message fits
 */
record SizeLimit(int producer, boolean compressed) {

    static SizeLimit of(ProducerConfig config) {
        return new SizeLimit(
                config.getInt(ProducerConfig.MAX_REQUEST_SIZE_CONFIG),
                !config.getString(ProducerConfig.COMPRESSION_TYPE_CONFIG).equals("none"));
    }

    /** Returns the rejection of a message that cannot fit, or null. */
    @Nullable PublishResult check(ProducerRecord<byte[], byte[]> data, Topic topic) {
        if (RecordSize.atMost(data) <= Math.min(producer, topic.maxMessageBytes())) {
            return null;
        }
        int size = RecordSize.of(data);
        if (size > producer) {
            return tooLarge(size, "the producer's max.request.size of " + producer);
        }
        if (!compressed && size > topic.maxMessageBytes()) {
            return tooLarge(
                    size, "max.message.bytes of topic '%s', %d".formatted(topic.name(), topic.maxMessageBytes()));
        }
        return null;
    }

    private static PublishResult tooLarge(int size, String limit) {
        return PublishResult.rejected("The message takes %d bytes, above %s".formatted(size, limit));
    }
}

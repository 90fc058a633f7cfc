package dev.postrider.kafka;

import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;

/**
 * How many bytes a record takes without compression when it is alone in its batch. That is the least it can take, so a
 * record above a limit by this measure is above it for certain. The layout is that of record batches of version 2.
 */
final class RecordSize {

    private static final int BATCH_OVERHEAD = 61;
    // Attributes, timestamp delta and offset delta of a batch's first record: one byte each.
    private static final int FIRST_RECORD = 3;
    private static final int ABSENT = -1;
    private static final int MOST_VARINT = 5;
    // Its own length, those of key and value, and the number of headers.
    private static final int MOST_RECORD = FIRST_RECORD + 4 * MOST_VARINT;
    private static final int MOST_HEADER = 2 * MOST_VARINT;
    private static final int MOST_UTF8 = 3;

    private RecordSize() {}

    /** Returns what the record certainly does not exceed; quicker than its size, and almost always enough to know. */
    static long atMost(ProducerRecord<byte[], byte[]> message) {
        long size = BATCH_OVERHEAD + MOST_RECORD + length(message.key()) + length(message.value());
        for (Header header : message.headers()) {
            size += MOST_HEADER + (long) MOST_UTF8 * header.key().length() + length(header.value());
        }
        return size;
    }

    static int of(ProducerRecord<byte[], byte[]> message) {
        long body = FIRST_RECORD + sizeOf(message.key()) + sizeOf(message.value());
        int headers = 0;
        for (Header header : message.headers()) {
            body += sizeOf(header.key().getBytes(StandardCharsets.UTF_8)) + sizeOf(header.value());
            headers++;
        }
        body += varint(headers);
        return Math.toIntExact(Math.min(Integer.MAX_VALUE, BATCH_OVERHEAD + varint((int) body) + body));
    }

    @SuppressWarnings("NullAway") // A record without a key has none.
    private static long length(byte[] field) {
        return field == null ? 0 : field.length;
    }

    @SuppressWarnings("NullAway") // A record without a key has none.
    private static long sizeOf(byte[] field) {
        return field == null ? varint(ABSENT) : varint(field.length) + (long) field.length;
    }

    // Zigzag encoding, seven bits to the byte.
    private static int varint(int value) {
        int zigzag = (value << 1) ^ (value >> 31);
        return Math.max(1, (38 - Integer.numberOfLeadingZeros(zigzag)) / 7);
    }
}

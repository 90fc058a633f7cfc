package dev.postrider.safety;

import dev.postrider.KeyRing;
import dev.postrider.OutboxMessage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Map;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * How a dead message is written. A file begins with {@link #MAGIC} and the format version; each record is the length of
 * its body, the CRC-32C of the body, and the body; all numbers are big-endian. The first byte of a body says whether
 * the rest is the message, or is encrypted.
 */
final class BackupFormat {

    static final int VERSION = 1;
    static final int HEADER_BYTES = 12;
    static final int PREFIX_BYTES = 8;

    private static final byte[] MAGIC = "POSTRDED".getBytes(StandardCharsets.US_ASCII);
    private static final byte PLAIN = 1;
    private static final byte ENCRYPTED = 2;
    private static final int MOST_HEADERS = 100_000;
    private static final int NULL = -1;

    private BackupFormat() {}

    static ByteBuffer header() {
        return ByteBuffer.allocate(HEADER_BYTES).put(MAGIC).putInt(VERSION).flip();
    }

    /** Refuses the header of another kind of file, or of a later version. */
    static void requireHeader(byte[] header) throws IOException {
        ByteBuffer read = ByteBuffer.wrap(header);
        byte[] magic = new byte[MAGIC.length];
        read.get(magic);
        if (!Arrays.equals(magic, MAGIC)) {
            throw new IOException("This is not a backup file of dead messages");
        }
        int version = read.getInt();
        if (version != VERSION) {
            throw new IOException("The backup file has format version %d, this reads %d".formatted(version, VERSION));
        }
    }

    /** Returns the record of a message, ready to be appended. */
    static ByteBuffer record(DeadMessage dead, @Nullable KeyRing keys) {
        byte[] content = content(dead);
        byte[] body = keys == null ? content : BackupCipher.encrypt(keys, content);
        int length = Math.addExact(body.length, 1);
        ByteBuffer whole = ByteBuffer.allocate(Math.addExact(length, PREFIX_BYTES));
        whole.position(PREFIX_BYTES);
        whole.put(keys == null ? PLAIN : ENCRYPTED).put(body);
        whole.putInt(0, length).putInt(Integer.BYTES, crc(whole.array(), PREFIX_BYTES, length));
        return whole.flip();
    }

    static int crc(byte[] bytes, int from, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, from, length);
        return (int) crc.getValue();
    }

    /** Reads the body of a record whose checksum fits. */
    static DeadMessage message(byte[] body, @Nullable KeyRing keys) throws IOException {
        byte[] rest = Arrays.copyOfRange(body, 1, body.length);
        return switch (body[0]) {
            case PLAIN -> parse(rest);
            case ENCRYPTED -> parse(BackupCipher.decrypt(keys, rest));
            default -> throw new IOException("A record of kind %d is not known".formatted(body[0]));
        };
    }

    private static byte[] content(DeadMessage dead) {
        OutboxMessage message = dead.message();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(message.payloadSize() + 512);
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeLong(message.id().getMostSignificantBits());
            out.writeLong(message.id().getLeastSignificantBits());
            text(out, message.namespace());
            text(out, message.topic());
            text(out, message.key().orElse(null));
            text(out, message.type());
            out.writeInt(message.version());
            text(out, message.tenant().orElse(null));
            text(out, message.dedupeKey().orElse(null));
            text(out, message.contentType());
            out.writeInt(message.maxAttempts().orElse(NULL));
            out.writeInt(message.headers().size());
            for (Map.Entry<String, String> header : message.headers().entrySet()) {
                text(out, header.getKey());
                text(out, header.getValue());
            }
            bytes(out, message.payload());
            text(out, dead.reason());
            out.writeLong(ChronoUnit.MICROS.between(Instant.EPOCH, dead.at()));
            out.writeInt(dead.attempts());
            out.writeBoolean(dead.holdsKey());
            text(out, dead.defect());
            text(out, dead.relay());
            out.writeLong(dead.seq());
        } catch (IOException e) {
            throw new IllegalStateException("Memory can be written to", e);
        }
        return bytes.toByteArray();
    }

    private static DeadMessage parse(byte[] content) throws IOException {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(content))) {
            UUID id = new UUID(in.readLong(), in.readLong());
            String namespace = required(in);
            String topic = required(in);
            String key = text(in);
            OutboxMessage.Builder message = OutboxMessage.to(topic, required(in))
                    .id(id)
                    .namespace(namespace)
                    .key(key);
            message.version(in.readInt()).tenant(text(in)).dedupeKey(text(in)).contentType(required(in));
            int maxAttempts = in.readInt();
            message.maxAttempts(maxAttempts == NULL ? null : maxAttempts);
            int headers = in.readInt();
            if (headers < 0 || headers > MOST_HEADERS) {
                throw new IOException("A message has %d headers".formatted(headers));
            }
            for (int i = 0; i < headers; i++) {
                message.header(required(in), required(in));
            }
            byte[] payload = bytes(in);
            message.payload(payload == null ? new byte[0] : payload);
            String reason = required(in);
            Instant at = time(in.readLong());
            int attempts = in.readInt();
            boolean holdsKey = in.readBoolean();
            String defect = text(in);
            String relay = required(in);
            return new DeadMessage(message.restore(), in.readLong(), attempts, reason, holdsKey, defect, at, relay);
        }
    }

    private static Instant time(long micros) throws IOException {
        try {
            return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
        } catch (DateTimeException | ArithmeticException e) {
            throw new IOException("A record has the impossible time %d".formatted(micros), e);
        }
    }

    private static void text(DataOutputStream out, @Nullable String value) throws IOException {
        if (value == null) {
            out.writeInt(NULL);
        } else {
            bytes(out, value.getBytes(StandardCharsets.UTF_8));
        }
    }

    private static void bytes(DataOutputStream out, byte[] value) throws IOException {
        out.writeInt(value.length);
        out.write(value);
    }

    private static String required(DataInputStream in) throws IOException {
        String value = text(in);
        if (value == null) {
            throw new IOException("A record lacks a field");
        }
        return value;
    }

    private static @Nullable String text(DataInputStream in) throws IOException {
        byte[] value = bytes(in);
        return value == null ? null : new String(value, StandardCharsets.UTF_8);
    }

    private static byte @Nullable [] bytes(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length == NULL) {
            return null;
        }
        if (length < 0 || length > in.available()) {
            throw new IOException("A field claims %d bytes".formatted(length));
        }
        return in.readNBytes(length);
    }
}

package dev.postrider.spi;

import dev.postrider.OutboxMessage;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.CRC32;

/**
 * Which shard a message belongs to. The rule is part of the table's contract, so that any language can insert a row.
 */
public final class Shards {

    /** How many shards an outbox has. */
    public static final int COUNT = 64;

    /** All shards. */
    public static final Set<Integer> ALL = IntStream.range(0, COUNT).boxed().collect(Collectors.toUnmodifiableSet());

    private Shards() {}

    /** Returns CRC-32 of the key in UTF-8, or of the id's text for a message without a key, modulo {@link #COUNT}. */
    public static int of(OutboxMessage message) {
        CRC32 crc = new CRC32();
        crc.update(message.key().orElseGet(() -> message.id().toString()).getBytes(StandardCharsets.UTF_8));
        return (int) (crc.getValue() % COUNT);
    }
}

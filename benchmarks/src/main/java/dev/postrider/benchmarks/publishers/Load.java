package dev.postrider.benchmarks.publishers;

import dev.postrider.OutboxMessage;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** What every contender has to move. */
record Load(int messages, int keys, int bytes) {

    static final String TOPIC = "orders";
    static final String TYPE = "OrderPlaced";

    Load {
        if (messages < 1 || keys < 1 || bytes < 0) {
            throw new IllegalArgumentException("messages and keys must be at least 1 and bytes at least 0: " + this);
        }
    }

    List<OutboxMessage> messages(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(i -> OutboxMessage.to(TOPIC, TYPE)
                        .key(key(i))
                        .payload(payload())
                        .build())
                .toList();
    }

    String key(int number) {
        return "key-" + number % keys;
    }

    byte[] payload() {
        byte[] payload = new byte[bytes];
        Arrays.fill(payload, (byte) 'x');
        return payload;
    }
}

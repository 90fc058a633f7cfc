package dev.postrider.e2e;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.Shards;
import java.util.ArrayList;
import java.util.List;

/** Reads what the producers wrote back from what arrived at a broker. Not thread-safe. */
final class Arrivals {

    private static final String UNKNOWN = "unknown";

    private final List<Arrival> all = new ArrayList<>();

    /** Adds a message with the payload of a {@link Producer}. */
    void add(String key, long seq, String payload) {
        int space = payload.lastIndexOf(' ');
        if (!key.equals(payload.substring(0, space))) {
            throw new IllegalStateException("Key %s came with the payload %s".formatted(key, payload));
        }
        int number = Integer.parseInt(payload.substring(space + 1));
        // A broker tells neither which relay sent a message nor under which claim.
        int shard = Shards.of(OutboxMessage.to(Broker.TOPIC, "any").key(key).build());
        all.add(new Arrival(System.nanoTime(), UNKNOWN, seq, all.size(), shard, key, number));
    }

    List<Arrival> all() {
        return List.copyOf(all);
    }
}

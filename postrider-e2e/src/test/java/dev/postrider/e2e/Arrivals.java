package dev.postrider.e2e;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.Shards;
import java.util.ArrayList;
import java.util.List;

/** Reads what the producers wrote back from what arrived at a broker. Not thread-safe. */
final class Arrivals {

    /** Every relay is to blame for what it sends twice while its broker is away. */
    static final String RELAY = "any";

    private final List<Arrival> all = new ArrayList<>();

    /** Adds a message with the payload of a {@link Producer}. */
    void add(String key, long seq, String payload) {
        int space = payload.lastIndexOf(' ');
        if (!key.equals(payload.substring(0, space))) {
            throw new IllegalStateException("Key %s came with the payload %s".formatted(key, payload));
        }
        int number = Integer.parseInt(payload.substring(space + 1));
        // A broker does not tell under which claim a message was sent: every arrival counts as one of its own.
        int shard = Shards.of(OutboxMessage.to(Broker.TOPIC, "any").key(key).build());
        all.add(new Arrival(System.nanoTime(), RELAY, seq, all.size(), shard, key, number));
    }

    List<Arrival> all() {
        return List.copyOf(all);
    }
}

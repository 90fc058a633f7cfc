package dev.postrider.e2e;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * How long it took until other relays delivered from the shards of one that fell silent.
 *
 * @param shards how many shards it had
 * @param first until the first of them
 * @param all until the last of them
 * @param late deliveries by the silent relay from a shard that another had already delivered from
 */
record TakeOver(int shards, Duration first, Duration all, int late) {

    /** Begins to watch the shards of a relay that will fall silent; there has to be work in every one of them. */
    static Watch watch(SinkLog log, Set<Integer> shards, String relay) {
        return new Watch(log, shards, relay);
    }

    @Override
    public String toString() {
        return "%d shards, first delivery by another relay after %d ms, from every shard after %d ms"
                .formatted(shards, first.toMillis(), all.toMillis());
    }

    /** Arrivals from now on. For one thread. */
    static final class Watch {

        private final SinkLog log;
        private final Set<Integer> missing;
        private final Set<Integer> taken = new HashSet<>();
        private final String silent;
        private final int shards;
        private int seen;
        private long first = Long.MAX_VALUE;
        private long last;
        private int late;

        private Watch(SinkLog log, Set<Integer> shards, String silent) {
            this.log = log;
            this.missing = new HashSet<>(shards);
            this.silent = silent;
            this.shards = shards.size();
            this.seen = log.size();
        }

        /** Waits until every shard has a delivery by another relay. */
        TakeOver since(long nanos) {
            await("deliveries from %d shards of %s".formatted(shards, silent))
                    .atMost(RelayProcess.PATIENCE)
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> look(nanos));
            return new TakeOver(shards, Duration.ofNanos(first), Duration.ofNanos(last), late);
        }

        private boolean look(long nanos) {
            List<Arrival> fresh = log.after(seen);
            seen += fresh.size();
            for (Arrival arrival : fresh) {
                long time = arrival.nanos() - nanos;
                if (arrival.relay().equals(silent)) {
                    late += taken.contains(arrival.shard()) ? 1 : 0;
                } else if (time > 0 && missing.remove(arrival.shard())) {
                    taken.add(arrival.shard());
                    first = Math.min(first, time);
                    last = Math.max(last, time);
                }
            }
            return missing.isEmpty();
        }
    }
}

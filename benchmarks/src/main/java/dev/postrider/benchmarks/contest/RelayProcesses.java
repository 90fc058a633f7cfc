package dev.postrider.benchmarks.contest;

import dev.postrider.spi.Shards;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Some relays of Postrider's on one outbox, each in a process of its own. */
final class RelayProcesses implements AutoCloseable {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration STEP = Duration.ofMillis(50);

    private final List<RelayProcess> relays = new ArrayList<>();

    private RelayProcesses() {}

    /** Starts the relays and returns when each of them owns its share of the shards. */
    static RelayProcesses start(Arena arena, int count) throws Exception {
        RelayProcesses processes = new RelayProcesses();
        try {
            for (int i = 0; i < count; i++) {
                processes.relays.add(RelayProcess.start(arena));
            }
            if (!Patience.await(LIMIT, STEP, processes::shared)) {
                throw new IllegalStateException("%d relays do not share the shards after %s".formatted(count, LIMIT));
            }
            return processes;
        } catch (Exception e) {
            processes.close();
            throw e;
        }
    }

    private boolean shared() throws IOException {
        int share = Shards.COUNT / relays.size();
        List<RelayCounts> counts = counts();
        return counts.stream().allMatch(relay -> relay.shards() >= share)
                && counts.stream().mapToInt(RelayCounts::shards).sum() == Shards.COUNT;
    }

    void expect(int messages) throws IOException {
        for (RelayProcess relay : relays) {
            relay.expect(messages);
        }
    }

    void pause() throws IOException {
        for (RelayProcess relay : relays) {
            relay.pause();
        }
    }

    void resume() throws IOException {
        for (RelayProcess relay : relays) {
            relay.resume();
        }
    }

    List<RelayCounts> counts() throws IOException {
        List<RelayCounts> counts = new ArrayList<>();
        for (RelayProcess relay : relays) {
            counts.add(relay.counts());
        }
        return counts;
    }

    /** The processor time all of them have taken so far. */
    double cpuSeconds() throws IOException {
        return counts().stream().mapToLong(RelayCounts::cpuNanos).sum() / 1e9;
    }

    @Override
    public void close() throws IOException {
        for (RelayProcess relay : relays) {
            relay.close();
        }
    }
}

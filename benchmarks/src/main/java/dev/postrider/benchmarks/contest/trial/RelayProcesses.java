package dev.postrider.benchmarks.contest.trial;

import dev.postrider.benchmarks.contest.arena.Arena;
import dev.postrider.benchmarks.contest.arena.Patience;
import dev.postrider.spi.Shards;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Some relays of Postrider's on one outbox, each in a process of its own, of which not all have to take part. */
final class RelayProcesses implements AutoCloseable {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration STEP = Duration.ofMillis(50);

    private final List<RelayProcess> processes = new ArrayList<>();

    // Those that take part; the others wait for their turn.
    private List<RelayProcess> relays = List.of();

    private RelayProcesses() {}

    /** Starts the relays and returns when each of them owns its share of the shards. */
    static RelayProcesses start(Arena arena, int count) throws Exception {
        RelayProcesses started = new RelayProcesses();
        try {
            for (int i = 0; i < count; i++) {
                started.processes.add(RelayProcess.start(arena));
            }
            started.relays = List.copyOf(started.processes);
            started.awaitShares();
            return started;
        } catch (Exception e) {
            started.close();
            throw e;
        }
    }

    /** Lets so many of them take part and returns when each of these owns its share of the shards. */
    void share(int count) throws Exception {
        for (RelayProcess relay : relays.subList(Math.min(count, relays.size()), relays.size())) {
            relay.leave();
        }
        for (RelayProcess relay : processes.subList(Math.min(count, relays.size()), count)) {
            relay.join();
        }
        relays = List.copyOf(processes.subList(0, count));
        awaitShares();
    }

    private void awaitShares() throws Exception {
        if (!Patience.await(LIMIT, STEP, this::shared)) {
            throw new IllegalStateException(
                    "%d relays do not share the shards after %s".formatted(relays.size(), LIMIT));
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
        for (RelayProcess relay : processes) {
            relay.close();
        }
    }
}

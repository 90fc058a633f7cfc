package dev.postrider.benchmarks.contest;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How much faster several relays empty a full outbox than one, each in a process of its own. All run, are warm and own
 * their shards before the time counts, from the word to go to the last message recorded as delivered. Postrider only.
 */
final class ScaleTrial implements Trial {

    // Rarely, because the relays need the processor; the time comes from themselves.
    private static final Duration STEP = Duration.ofMillis(50);
    private static final String OPEN = "select count(*) from outbox_message where status <> 2";

    @Override
    public void run(Contender contender, Arena arena, Parameters parameters, Figures figures) throws Exception {
        int count = parameters.number("relays");
        int messages = parameters.number("messages");
        Duration limit = Duration.ofSeconds(parameters.number("limit", 300));
        Cargo cargo = new Cargo(parameters.number("keys", 1_000));
        try (RelayProcesses relays = RelayProcesses.start(arena, count)) {
            DatabaseCost cost = new DatabaseCost(arena, relays::cpuSeconds);
            relays.pause();
            // Several relays share the processor, and each of them has as much to compile as one.
            for (int lap = 0; lap < parameters.number("warm_up_laps"); lap++) {
                Filling.fill(contender, cargo, messages * count);
                drain(relays, messages * count, limit);
                relays.pause();
                empty(arena);
            }
            // A lap takes little more than a second, in which the machine may be busy with something else.
            List<Figures> laps = new ArrayList<>();
            while (laps.size() < parameters.number("laps")) {
                cost.checkpoint();
                Filling.fill(contender, cargo, messages);
                cost.settleDown();
                laps.add(lap(relays, cost, messages, limit));
                relays.pause();
                empty(arena);
            }
            figures.putMedians(laps);
            // Not one may hide behind a median.
            figures.put("duplicates", Figures.sum(laps, "duplicates"));
        }
    }

    private static Figures lap(RelayProcesses relays, DatabaseCost cost, int messages, Duration limit)
            throws Exception {
        Figures figures = new Figures();
        cost.begin();
        double seconds = drain(relays, messages, limit);
        cost.end(figures, messages);
        List<RelayCounts> counts = relays.counts();
        figures.put("rate", messages / seconds);
        figures.put(
                "duplicates", counts.stream().mapToInt(RelayCounts::deliveries).sum() - messages);
        figures.put(
                "smallest_share",
                counts.stream().mapToInt(RelayCounts::settled).min().orElseThrow() / (double) messages);
        return figures;
    }

    private static double drain(RelayProcesses relays, int messages, Duration limit) throws Exception {
        relays.expect(messages);
        long go = System.nanoTime();
        relays.resume();
        if (!Patience.await(limit, STEP, () -> settled(relays) >= messages)) {
            throw new IllegalStateException(
                    "Only %d of %d messages were delivered within %s".formatted(settled(relays), messages, limit));
        }
        long end = relays.counts().stream()
                .mapToLong(RelayCounts::lastSettledAt)
                .max()
                .orElseThrow();
        return (end - go) / 1e9;
    }

    private static int settled(RelayProcesses relays) throws IOException {
        return relays.counts().stream().mapToInt(RelayCounts::settled).sum();
    }

    // More relays need more messages to get warm, and the same table before the time counts.
    private static void empty(Arena arena) throws SQLException {
        int open = Integer.parseInt(arena.query(OPEN));
        if (open > 0) {
            throw new IllegalStateException("%d messages are not recorded as delivered".formatted(open));
        }
        arena.execute("truncate outbox_message");
    }
}

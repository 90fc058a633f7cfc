package dev.postrider.benchmarks.contest.trial;

import dev.postrider.benchmarks.contest.arena.Arena;
import dev.postrider.benchmarks.contest.arena.Cargo;
import dev.postrider.benchmarks.contest.arena.Contender;
import dev.postrider.benchmarks.contest.arena.Filling;
import dev.postrider.benchmarks.contest.arena.Parameters;
import dev.postrider.benchmarks.contest.arena.Patience;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How much faster several relays empty a full outbox than one, each in a process of its own. All of them are warm and
 * own their shards before the time counts, from the word to go to the last message recorded as delivered. One, two and
 * four relays take turns and each lap is compared with that of one relay beside it, because the machine may be half as
 * fast a minute later. Postrider only.
 */
final class ScaleTrial implements Trial {

    private static final int MOST = 4;

    // Rarely, because the relays need the processor; the time comes from themselves.
    private static final Duration STEP = Duration.ofMillis(50);
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final String OPEN = "select count(*) from outbox_message where status <> 2";

    private final Cargo cargo = new Cargo(1_000);

    @Override
    public void run(Contender contender, Arena arena, Parameters parameters, Figures figures) throws Exception {
        int messages = parameters.number("messages");
        try (RelayProcesses relays = RelayProcesses.start(arena, MOST)) {
            for (int lap = 0; lap < parameters.number("warm_up_laps"); lap++) {
                relays.pause();
                Filling.fill(contender, cargo, messages * MOST);
                drain(relays, messages * MOST);
                empty(arena);
            }
            List<Figures> turns = new ArrayList<>();
            while (turns.size() < parameters.number("laps")) {
                turns.add(turn(contender, arena, relays, messages));
            }
            figures.putMedians(turns);
            // Not one may hide behind a median.
            figures.put("duplicates", Figures.sum(turns, "duplicates"));
        }
    }

    private Figures turn(Contender contender, Arena arena, RelayProcesses relays, int messages) throws Exception {
        Figures turn = new Figures();
        double duplicates = 0;
        for (int count : new int[] {1, 2, MOST}) {
            relays.share(count);
            Figures lap = lap(contender, arena, relays, messages);
            lap.values().forEach((name, value) -> turn.put(name + "_" + count, value));
            duplicates +=
                    relays.counts().stream().mapToInt(RelayCounts::deliveries).sum() - messages;
        }
        turn.put("two_relays", turn.value("rate_2") / turn.value("rate_1"));
        turn.put("four_relays", turn.value("rate_" + MOST) / turn.value("rate_1"));
        turn.put("duplicates", duplicates);
        return turn;
    }

    private Figures lap(Contender contender, Arena arena, RelayProcesses relays, int messages) throws Exception {
        Figures lap = new Figures();
        DatabaseCost cost = new DatabaseCost(arena, relays::cpuSeconds);
        relays.pause();
        cost.checkpoint();
        Filling.fill(contender, cargo, messages);
        cost.settleDown();

        cost.begin();
        double seconds = drain(relays, messages);
        cost.end(lap, messages);
        empty(arena);

        lap.put("rate", messages / seconds);
        lap.put(
                "smallest_share",
                relays.counts().stream().mapToInt(RelayCounts::settled).min().orElseThrow() / (double) messages);
        return lap;
    }

    private static double drain(RelayProcesses relays, int messages) throws Exception {
        relays.expect(messages);
        long go = System.nanoTime();
        relays.resume();
        if (!Patience.await(LIMIT, STEP, () -> settled(relays) >= messages)) {
            throw new IllegalStateException(
                    "Only %d of %d messages were delivered within %s".formatted(settled(relays), messages, LIMIT));
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

    // Every lap begins with the same table.
    private static void empty(Arena arena) throws SQLException {
        int open = Integer.parseInt(arena.query(OPEN));
        if (open > 0) {
            throw new IllegalStateException("%d messages are not recorded as delivered".formatted(open));
        }
        arena.execute("truncate outbox_message");
    }
}

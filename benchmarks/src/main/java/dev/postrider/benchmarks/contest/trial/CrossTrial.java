package dev.postrider.benchmarks.contest.trial;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.benchmarks.contest.arena.Arena;
import dev.postrider.benchmarks.contest.arena.Contender;
import dev.postrider.benchmarks.contest.arena.Parameters;
import dev.postrider.benchmarks.contest.arena.Patience;
import dev.postrider.benchmarks.contest.arena.Producers;
import dev.postrider.jdbc.postgres.PostgresWakeUp;
import dev.postrider.relay.CommitSignal;
import dev.postrider.spi.Shards;
import java.time.Duration;
import java.util.Map;

/**
 * How long a message takes from the commit of its transaction to the handler if the relay is in another process. This
 * one only commits and signals. Postrider on PostgreSQL only.
 */
final class CrossTrial implements Trial {

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Duration STEP = Duration.ofMillis(20);
    private static final Duration QUIET = Duration.ofMillis(5);
    private static final int WARM_UP_MESSAGES = 200;
    private static final int WARM_UP_RATE = 100;
    private static final int POOL = 2;

    @Override
    public void run(Contender contender, Arena arena, Parameters parameters, Figures figures) throws Exception {
        if (!arena.postgres()) {
            throw new IllegalArgumentException("CROSS signals the way of PostgreSQL");
        }
        int rate = parameters.number("rate", 20);
        int messages = rate * parameters.number("seconds", 20);
        try (HikariDataSource pool = arena.pool(POOL);
                PostgresWakeUp wakeUp = PostgresWakeUp.of(pool);
                CommitSignal signal = new CommitSignal(wakeUp, QUIET).start();
                RelayProcess relay = RelayProcess.start(arena)) {
            if (!Patience.await(LIMIT, STEP, () -> relay.counts().shards() == Shards.COUNT)) {
                throw new IllegalStateException("The relay does not own all shards after " + LIMIT);
            }
            Producers.Committing signalling = work -> {
                contender.transaction(work);
                signal.committed();
            };
            deliver(new Producers(signalling, WARM_UP_RATE), WARM_UP_MESSAGES, relay);
            long[] commits = deliver(new Producers(signalling, rate), messages, relay);
            new Windows(commits, relay.times(), messages).all().report(figures);
        }
        figures.settings(Map.of("wake-up", "CommitSignal on PostgresWakeUp, quiet " + QUIET.toMillis() + " ms"));
    }

    private static long[] deliver(Producers producers, int messages, RelayProcess relay) throws Exception {
        relay.expect(messages);
        long[] commits = producers.produce(messages);
        if (!Patience.await(LIMIT, STEP, () -> relay.counts().distinct() >= messages)) {
            throw new IllegalStateException("Not all of %d messages arrived within %s".formatted(messages, LIMIT));
        }
        return commits;
    }
}

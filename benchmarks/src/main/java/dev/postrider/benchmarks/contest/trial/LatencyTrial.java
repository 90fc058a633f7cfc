package dev.postrider.benchmarks.contest.trial;

import dev.postrider.benchmarks.contest.arena.Arena;
import dev.postrider.benchmarks.contest.arena.Arrivals;
import dev.postrider.benchmarks.contest.arena.Contender;
import dev.postrider.benchmarks.contest.arena.Parameters;
import dev.postrider.benchmarks.contest.arena.Patience;
import dev.postrider.benchmarks.contest.arena.Producers;
import java.time.Duration;

/** How long a message takes from the commit of its transaction to the sink, at a steady rate below the limit. */
final class LatencyTrial implements Trial {

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int WARM_UP_MESSAGES = 3_000;
    private static final int WARM_UP_RATE = 300;

    @Override
    public void run(Contender contender, Arena arena, Parameters parameters, Figures figures) throws Exception {
        int rate = parameters.number("rate");
        int seconds = parameters.number("seconds");
        Arrivals arrivals = arena.sink().arrivals();
        contender.start();
        // As in production, the compiler has seen the hot paths before anything counts.
        int warmUp = parameters.number("warm_up", WARM_UP_MESSAGES);
        arrivals.expect(warmUp);
        new Producers(contender::transaction, Math.max(WARM_UP_RATE, rate)).produce(warmUp);
        await(arrivals, warmUp);

        int messages = rate * seconds;
        Producers producers = new Producers(contender::transaction, rate);
        arrivals.expect(messages);
        long[] commits = producers.produce(messages);
        await(arrivals, messages);
        Latencies latencies = new Latencies(messages);
        for (int number = 0; number < messages; number++) {
            latencies.add(arrivals.at(number) - commits[number]);
        }
        latencies.report(figures);
    }

    private static void await(Arrivals arrivals, int messages) throws Exception {
        if (!Patience.await(LIMIT, () -> arrivals.distinct() >= messages)) {
            throw new IllegalStateException("Only %d of %d messages arrived".formatted(arrivals.distinct(), messages));
        }
    }
}

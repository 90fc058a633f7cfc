package dev.postrider.benchmarks.contest;

import java.time.Duration;

/** How long a message takes from the commit of its transaction to the sink, at a steady rate below the limit. */
final class LatencyTrial implements Trial {

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int WARM_UP_SECONDS = 3;

    @Override
    public void run(Contender contender, Arena arena, Parameters parameters, Figures figures) throws Exception {
        int rate = parameters.number("rate");
        int seconds = parameters.number("seconds");
        Arrivals arrivals = arena.sink().arrivals();
        contender.start();
        Producers producers = new Producers(contender::transaction, rate);
        arrivals.expect(rate * WARM_UP_SECONDS);
        producers.produce(rate * WARM_UP_SECONDS);
        await(arrivals, rate * WARM_UP_SECONDS);

        int messages = rate * seconds;
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

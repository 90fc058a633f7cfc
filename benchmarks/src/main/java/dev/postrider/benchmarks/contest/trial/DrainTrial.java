package dev.postrider.benchmarks.contest.trial;

import dev.postrider.benchmarks.contest.arena.Arena;
import dev.postrider.benchmarks.contest.arena.Arrivals;
import dev.postrider.benchmarks.contest.arena.Cargo;
import dev.postrider.benchmarks.contest.arena.CompilerTime;
import dev.postrider.benchmarks.contest.arena.Contender;
import dev.postrider.benchmarks.contest.arena.Crowd;
import dev.postrider.benchmarks.contest.arena.CrowdKind;
import dev.postrider.benchmarks.contest.arena.Filling;
import dev.postrider.benchmarks.contest.arena.Parameters;
import dev.postrider.benchmarks.contest.arena.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How fast a full outbox is emptied. Counts from the first arrival, so that nobody pays for starting, to the moment
 * when everything is recorded as delivered. Who is fast does so in several laps, because one is over in a second and
 * says more about that second; the median counts.
 */
final class DrainTrial implements Trial {

    // The part of a lap in which the compiler may work and is as good as done.
    private static final double COMPILED = 0.1;

    @Override
    public void run(Contender contender, Arena arena, Parameters parameters, Figures figures) throws Exception {
        Cargo cargo = new Cargo(parameters.number("keys"));
        warmUp(contender, arena, cargo, parameters);
        List<Figures> laps = new ArrayList<>();
        try (Crowd crowd = new Crowd(arena, CrowdKind.valueOf(parameters.text("crowd")), parameters.number("others"))) {
            crowd.ahead();
            while (laps.size() < parameters.number("laps")) {
                laps.add(lap(contender, arena, cargo, crowd, parameters));
            }
        }
        figures.putMedians(laps);
        // Not one may hide behind a median.
        figures.put("duplicates", Figures.sum(laps, "duplicates"));
    }

    private static Figures lap(Contender contender, Arena arena, Cargo cargo, Crowd crowd, Parameters parameters)
            throws Exception {
        int messages = parameters.number("messages");
        Figures figures = new Figures();
        DatabaseCost cost = new DatabaseCost(arena);
        cost.checkpoint();
        double logBefore = cost.logBytes();
        Filling.fill(contender, cargo, messages);
        figures.put("insert_wal_bytes", (cost.logBytes() - logBefore) / messages);
        crowd.behind(messages);
        cost.settleDown();

        CompilerTime begin = CompilerTime.now();
        cost.begin();
        Delivery delivery = deliver(contender, arena, messages, parameters);
        cost.end(figures, delivery.messages());
        figures.put("compiler_us", CompilerTime.now().since(begin).toNanos() / 1e3 / delivery.messages());
        figures.put("rate", delivery.messages() / delivery.seconds());
        figures.put("delivered", delivery.messages());
        figures.put("duplicates", arena.sink().arrivals().duplicates());
        contender.stop();
        return figures;
    }

    // As in production, the compiler has done its work before anything counts. It works in the background and needs
    // seconds for it, which one lap does not give to who is fast; and how many differs from contender to contender.
    private static void warmUp(Contender contender, Arena arena, Cargo cargo, Parameters parameters) throws Exception {
        int messages = parameters.number("messages");
        long begin = System.nanoTime();
        long least = Duration.ofSeconds(parameters.number("warm_up")).toNanos();
        long most = Duration.ofSeconds(parameters.number("longest_warm_up")).toNanos();
        double compiler;
        do {
            Filling.fill(contender, cargo, messages);
            CompilerTime lap = CompilerTime.now();
            deliver(contender, arena, messages, parameters);
            compiler = CompilerTime.now().shareSince(lap);
            contender.stop();
        } while (System.nanoTime() - begin < (compiler > COMPILED ? most : least));
    }

    private static Delivery deliver(Contender contender, Arena arena, int messages, Parameters parameters)
            throws Exception {
        Duration limit = Duration.ofSeconds(parameters.number("limit"));
        Arrivals arrivals = arena.sink().arrivals();
        arrivals.expect(messages);
        contender.start();
        boolean complete = Patience.await(limit, () -> arrivals.distinct() >= messages)
                && Patience.await(limit, contender::settled);
        long end = System.nanoTime();
        int delivered = arrivals.distinct();
        if (delivered == 0) {
            throw new IllegalStateException("Nothing of %d messages arrived within %s".formatted(messages, limit));
        }
        if (!complete) {
            System.err.printf("only %d of %d messages were delivered within %s%n", delivered, messages, limit);
        }
        return new Delivery(delivered, (end - arrivals.firstAt()) / 1e9);
    }

    private record Delivery(int messages, double seconds) {}
}

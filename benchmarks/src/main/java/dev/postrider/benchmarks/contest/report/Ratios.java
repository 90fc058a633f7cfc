package dev.postrider.benchmarks.contest.report;

import static dev.postrider.benchmarks.contenders.Entrant.POSTRIDER;

import dev.postrider.benchmarks.contenders.Entrant;
import dev.postrider.benchmarks.contenders.Entrant.Trait;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** The figures that decide, each from one run, most from its medians; what was not measured is left out. */
public final class Ratios {

    private static final String RATE = "rate";
    private static final String P50 = "p50_ms";
    private static final String P99 = "p99_ms";

    private final Scores scores;
    private final Map<String, Double> ratios = new LinkedHashMap<>();

    private Ratios(Scores scores) {
        this.scores = scores;
    }

    public static Map<String, Double> of(Scores scores) {
        Ratios ratios = new Ratios(scores);
        ratios.enqueue();
        ratios.drain();
        ratios.latency();
        ratios.brokers();
        ratios.growth();
        ratios.others();
        return ratios.ratios;
    }

    /** The largest overhead at 1 and 4 threads, and how much more the cheapest peer costs at that number of threads. */
    private void enqueue() {
        put("w1.overhead", worst(Stream.of("overhead_1", "overhead_4").map(name -> ours("w1", name)), true));
        put(
                "w1.best_peer",
                worst(
                        Stream.of("overhead_1", "overhead_4")
                                .map(name -> quotient(
                                        scores.medians("w1", name, peer(Trait.SAME_TRANSACTION))
                                                .min(),
                                        ours("w1", name))),
                        false));
    }

    private void drain() {
        put("w2.best_peer", best("w2", peer(Trait.ROW_STATE)));
        put("w2.raw", best("w2", entrant -> entrant == Entrant.RAW));
        put("w2.debezium", best("w2", entrant -> entrant == Entrant.DEBEZIUM));
        put("w2.wal_bytes", ours("w2", "wal_bytes"));
        put("w2.wal_bytes_with_insert", sum(ours("w2", "wal_bytes"), ours("w2", "insert_wal_bytes")));
        put("w2.statements", ours("w2", "statements"));
        put("w2.work_best_peer", best("w2.work", peer(Trait.ROW_STATE)));
        put("mariadb.w2.best_peer", best("mariadb.w2", Entrant::peer));
    }

    private void latency() {
        put("w3.p50_ms", ours("w3", P50));
        put("w3.p99_ms", ours("w3", P99));
        put("w3.cross_p50_ms", ours("w3.cross", P50));
        put("w3.cross_p99_ms", ours("w3.cross", P99));
        put("w3.busy_p99_ms", ours("w3.busy", P99));
        put(
                "w3.fastest_peer",
                quotient(
                        ours("w3", P50),
                        scores.medians("w3", P50, Entrant::peer).min()));
        put(
                "w3.polling_peer",
                quotient(scores.medians("w3", P50, peer(Trait.POLLING)).min(), ours("w3", P50)));
    }

    private void brokers() {
        put("w4.best_peer", best("w4.kafka", peer(Trait.ROW_STATE)));
        put("w4.debezium", best("w4.kafka", entrant -> entrant == Entrant.DEBEZIUM));
        put("w4.rabbitmq_best_peer", best("w4.rabbitmq", peer(Trait.ROW_STATE)));
    }

    private void growth() {
        put(
                "w5.worst",
                worst(
                        scores.all().keySet().stream()
                                .filter(workload -> workload.startsWith("w5.") && !workload.equals("w5.none"))
                                .map(workload -> quotient(ours(workload, RATE), ours("w5.none", RATE))),
                        false));
    }

    private void others() {
        put("w6.best_peer", best("w6", peer(Trait.ROW_STATE, Trait.ORDER)));
        put("w7.p99_drift", ours("w7", "p99_drift"));
        put("w7.table_drift", ours("w7", "table_drift"));
        put("w7.index_drift", ours("w7", "index_drift"));
        put("w8.two_relays", ours("w8", "two_relays"));
        put("w8.four_relays", ours("w8", "four_relays"));
        put("w8.duplicates", scores.most("w8", POSTRIDER, "duplicates"));
    }

    private OptionalDouble ours(String workload, String figure) {
        return scores.median(workload, POSTRIDER, figure);
    }

    /** Our rate divided by the best of these. */
    private OptionalDouble best(String workload, Predicate<Entrant> others) {
        return quotient(
                ours(workload, RATE), scores.medians(workload, RATE, others).max());
    }

    private static Predicate<Entrant> peer(Trait... traits) {
        return entrant -> entrant.peer() && entrant.is(traits);
    }

    private static OptionalDouble worst(Stream<OptionalDouble> values, boolean largest) {
        DoubleStream known = values.filter(OptionalDouble::isPresent).mapToDouble(OptionalDouble::getAsDouble);
        return largest ? known.max() : known.min();
    }

    private static OptionalDouble quotient(OptionalDouble a, OptionalDouble b) {
        return a.isPresent() && b.isPresent() && b.getAsDouble() != 0
                ? OptionalDouble.of(a.getAsDouble() / b.getAsDouble())
                : OptionalDouble.empty();
    }

    private static OptionalDouble sum(OptionalDouble a, OptionalDouble b) {
        return a.isPresent() && b.isPresent()
                ? OptionalDouble.of(a.getAsDouble() + b.getAsDouble())
                : OptionalDouble.empty();
    }

    private void put(String name, OptionalDouble value) {
        value.ifPresent(known -> ratios.put(name, known));
    }
}

package dev.postrider.benchmarks.contest.report;

import dev.postrider.benchmarks.contenders.Entrant;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The scores as a page of the documentation, with charts. */
public final class ReportPage {

    private static final Map<String, String> TITLES = Map.ofEntries(
            Map.entry("w1", "What an enqueue costs the business transaction"),
            Map.entry("w2", "Draining an outbox, no-op sink"),
            Map.entry("w2.work", "Draining to a handler that takes 1 ms"),
            Map.entry("w3", "From commit to handler in the same process, 20 a second"),
            Map.entry("w3.cross", "From commit to handler in another process, 20 a second"),
            Map.entry("w3.busy", "From commit to handler in the same process, 1,000 a second"),
            Map.entry("w4.kafka", "Draining to Kafka"),
            Map.entry("w4.rabbitmq", "Draining to RabbitMQ"),
            Map.entry("w5.none", "Growth: nothing else in the table"),
            Map.entry("w5.delivered", "Growth: a history of delivered rows"),
            Map.entry("w5.pending", "Growth: a backlog behind the measured messages"),
            Map.entry("w5.waiting", "Growth: rows that wait for a retry"),
            Map.entry("w5.snapshot", "Growth: a transaction held open"),
            Map.entry("w6", "Hot key: every message has the same key"),
            Map.entry("w7", "Steady state"),
            Map.entry("w8", "One, two and four relay processes, in turns"),
            Map.entry("w9", "Footprint of an idle relay"),
            Map.entry("mariadb.w2", "Draining an outbox on MariaDB, no-op sink"));

    private static final Map<String, String> MEANINGS = Map.ofEntries(
            Map.entry("w1.overhead", "transaction with enqueue / without, the worse of 1 and 4 threads"),
            Map.entry("w1.best_peer", "the cheapest peer's overhead / ours; above 1 nobody is cheaper"),
            Map.entry("w2.best_peer", "our rate / that of the best peer with a row per message"),
            Map.entry("w2.raw", "our rate / that of the physical limit"),
            Map.entry("w2.debezium", "our rate / Debezium's"),
            Map.entry("w2.wal_bytes", "log bytes the relay writes for a message"),
            Map.entry("w2.wal_bytes_with_insert", "the same with the enqueue"),
            Map.entry("w2.statements", "statements of the relay for a message"),
            Map.entry("w2.work_best_peer", "our rate / the best peer's with a handler that takes 1 ms"),
            Map.entry("w3.p50_ms", "commit to handler in the same process at 20/s, median"),
            Map.entry("w3.p99_ms", "the same, 99th percentile"),
            Map.entry("w3.cross_p50_ms", "commit to handler in another process, median"),
            Map.entry("w3.cross_p99_ms", "the same, 99th percentile"),
            Map.entry("w3.busy_p99_ms", "commit to handler at 1,000/s, 99th percentile"),
            Map.entry("w3.fastest_peer", "our median / the fastest peer's"),
            Map.entry("w3.polling_peer", "the best polling peer's median / ours"),
            Map.entry("w4.best_peer", "to Kafka: our rate / that of the best peer with a row per message"),
            Map.entry("w4.debezium", "to Kafka: our rate / Debezium's"),
            Map.entry("w4.rabbitmq_best_peer", "to RabbitMQ: our rate / that of the best peer"),
            Map.entry("w5.worst", "our rate in the worst case of growth / in an empty table"),
            Map.entry("w6.best_peer", "hot key: our rate / that of the best peer that keeps order"),
            Map.entry("w7.p99_drift", "steady state: 99th percentile, last quarter / third quarter"),
            Map.entry("w7.table_drift", "size of the table, last quarter / third quarter"),
            Map.entry("w7.index_drift", "size of the indexes, last quarter / third quarter"),
            Map.entry("w8.two_relays", "rate of two relay processes / of one, lap by lap"),
            Map.entry("w8.four_relays", "rate of four relay processes / of one, lap by lap"),
            Map.entry("w8.duplicates", "messages delivered twice"),
            Map.entry("mariadb.w2.best_peer", "on MariaDB: our rate / the best peer's"));

    /** What is drawn: a workload, a figure, and how to read it. */
    private record Chart(String file, String workload, String figure, String title) {}

    private static final List<Chart> CHARTS = List.of(
            new Chart("drain", "w2", "rate", "Drain on PostgreSQL, messages/s (more is better)"),
            new Chart("drain-mariadb", "mariadb.w2", "rate", "Drain on MariaDB, messages/s (more is better)"),
            new Chart("drain-kafka", "w4.kafka", "rate", "Drain to Kafka, messages/s (more is better)"),
            new Chart("latency", "w3", "p50_ms", "Commit to handler, median in ms (less is better)"),
            new Chart("enqueue", "w1", "overhead_4", "Transaction with enqueue / without, 4 threads (less is better)"));

    private static final String INTRODUCTION = """
            # Benchmarks

            This page and its charts are printed by `./benchmarks/run --docs`; nothing on it is typed by hand. `./benchmarks/run --quick`
            prints the same table in under eight minutes, `./benchmarks/run --help` tells how to choose contenders and workloads. The
            raw figures are in `benchmarks/results/latest.json`. What was learnt on the way is in [performance.md](performance.md).

            Every contender runs in a process of its own with an empty database; all of them, round by round, meet the same servers on the
            same machine. PostgreSQL and MariaDB wait for the disk at every commit. Messages have 300 bytes and 1,000 keys. Before a drain or
            a busy latency counts, everybody does the same for at least 10 seconds and a full lap (before a latency at rest: 3,000 messages
            in 10 seconds), so that the compiler of the JVM has done most of its work; before a drain for up to 30 seconds, until the
            compiler works less than a tenth of the time. `compiler_us` is how long it still works for a message while the drain counts,
            by the clock. A drain counts from the first arrival, so that nobody pays for starting, until everything is recorded as delivered;
            in `w2`, `w4.kafka` and `mariadb.w2`, who drains 100,000 in a second or two does so five times, and the median is taken. Postrider runs as it comes:
            order per key, 64 shards, every hash checked, every delivered row kept. Peers have the best settings their documentation
            names, listed below; those that handle each message in a transaction of its own drain fewer messages, because their rate does
            not depend on it. `raw` is no product but the limit: a cursor over an insert-only table without any state of a message.

            gruelbox 7 and namastack 1.8 could not be had from the registry; the versions measured are named with the settings. JobRunr's
            free edition does not join the caller's transaction, Spring Modulith does not retry by itself, Debezium keeps no row per message.

            Cells show the median and, in brackets, the smallest and largest round.

            """;

    private final Scores scores;
    private final Map<String, Double> ratios;
    private final Map<String, Object> run;

    public ReportPage(Scores scores, Map<String, Double> ratios, Map<String, Object> run) {
        this.scores = scores;
        this.ratios = ratios;
        this.run = run;
    }

    public void write(Path docs) throws IOException {
        Path charts = Files.createDirectories(docs.resolve("benchmarks"));
        StringBuilder page = new StringBuilder(INTRODUCTION);
        page.append("Run: ")
                .append(run.entrySet().stream()
                        .map(entry -> entry.getKey() + " " + entry.getValue())
                        .collect(Collectors.joining(", ")))
                .append(".\n\n");
        for (Chart chart : CHARTS) {
            if (!scores.of(chart.workload).isEmpty()) {
                Files.writeString(charts.resolve(chart.file + ".svg"), BarChart.of(chart.title, bars(chart)));
                page.append("![%s](benchmarks/%s.svg)%n%n".formatted(chart.title, chart.file));
            }
        }
        ratios(page);
        scores.all().forEach((workload, entrants) -> table(page, workload, entrants));
        settings(page);
        Files.writeString(docs.resolve("benchmarks.md"), page.toString().stripTrailing() + "\n");
    }

    private List<BarChart.Bar> bars(Chart chart) {
        List<BarChart.Bar> bars = new ArrayList<>();
        scores.of(chart.workload)
                .forEach((entrant, score) -> score.median(chart.figure)
                        .ifPresent(value ->
                                bars.add(new BarChart.Bar(entrant.title(), value, entrant == Entrant.POSTRIDER))));
        boolean moreIsBetter = chart.figure.equals("rate");
        bars.sort(Comparator.comparingDouble(bar -> moreIsBetter ? -bar.value() : bar.value()));
        // The limit would make all others look alike.
        bars.removeIf(bar -> bar.name().equals(Entrant.RAW.title()));
        return bars;
    }

    private void ratios(StringBuilder page) {
        page.append("## Ratios\n\n| ratio | value | meaning |\n|---|---:|---|\n");
        ratios.forEach((name, value) -> page.append(
                "| `%s` | %s | %s |%n".formatted(name, Table.number(value), MEANINGS.getOrDefault(name, ""))));
    }

    private static void table(StringBuilder page, String workload, Map<Entrant, Score> entrants) {
        Set<String> columns = Score.names(entrants.values());
        page.append("%n## %s: %s%n%n|  |".formatted(workload, TITLES.getOrDefault(workload, workload)));
        columns.forEach(column -> page.append(" %s |".formatted(column)));
        page.append("\n|---|").append("---:|".repeat(columns.size())).append('\n');
        entrants.forEach((entrant, score) -> {
            page.append("| %s |".formatted(entrant));
            columns.forEach(column -> page.append(" %s |".formatted(Table.cell(score, column))));
            page.append('\n');
        });
    }

    private void settings(StringBuilder page) {
        page.append("\n## Settings\n\n");
        Map<String, Map<String, String>> all = new TreeMap<>();
        scores.all()
                .values()
                .forEach(entrants -> entrants.forEach(
                        (entrant, score) -> all.computeIfAbsent(entrant.title(), absent -> new TreeMap<>())
                                .putAll(score.settings())));
        all.forEach((entrant, settings) -> page.append("- **%s**: %s%n"
                .formatted(
                        entrant,
                        settings.entrySet().stream()
                                .map(entry -> entry.getKey() + " " + entry.getValue())
                                .collect(Collectors.joining("; ")))));
    }
}

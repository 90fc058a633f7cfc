package dev.postrider.benchmarks.contest;

import dev.postrider.benchmarks.contenders.Entrant;
import dev.postrider.benchmarks.contest.arena.Progress;
import dev.postrider.benchmarks.contest.arena.Servers;
import dev.postrider.benchmarks.contest.report.Ratios;
import dev.postrider.benchmarks.contest.report.ReportPage;
import dev.postrider.benchmarks.contest.report.ResultFile;
import dev.postrider.benchmarks.contest.report.Scores;
import dev.postrider.benchmarks.contest.report.Table;
import dev.postrider.benchmarks.contest.trial.Figures;
import dev.postrider.benchmarks.contest.trial.Match;
import dev.postrider.benchmarks.contest.trial.Runner;
import dev.postrider.benchmarks.contest.trial.TrialKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Runs Postrider and its peers under the same workloads, round by round, and prints how they compare. */
@Command(
        name = "./benchmarks/run",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Starts PostgreSQL, MariaDB, Kafka and RabbitMQ and lets Postrider and its peers compete, each in a process"
                    + " of its own with an empty database. Rounds of all are interleaved. Everything is written to"
                    + " benchmarks/results/latest.json after every round; the ratios at the end are what counts.",
            "Workloads: w1 enqueue overhead, w2 drain, w3 latency, w4 drain to Kafka and RabbitMQ, w5 growth, w6 hot key,"
                    + " w7 steady state, w8 several relays, w9 footprint, mariadb.w2 drain on MariaDB."
        })
public final class Contest implements Callable<Integer> {

    @Option(names = "--quick", description = "One round, little of everything: under eight minutes.")
    private boolean quick;

    @Option(names = "--rounds", paramLabel = "N", description = "Rounds. Default 3, with --quick 1.")
    private int rounds;

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "CONTENDER",
            description = "Only these contenders, for example" + " postrider,debezium.")
    private List<String> only = List.of();

    @Option(
            names = "--workload",
            split = ",",
            paramLabel = "W",
            description = "Only these workloads, for example w1,w3.")
    private List<String> workloads = List.of();

    @Option(names = "--results", paramLabel = "FILE", description = "Where the results go. Default ${DEFAULT-VALUE}.")
    private Path results = Path.of("benchmarks/results/latest.json");

    @Option(names = "--docs", description = "Also write docs/benchmarks.md and its charts from these results.")
    private boolean docs;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec = CommandLine.Model.CommandSpec.create();

    private final Scores scores = new Scores();
    private final List<String> failures = new ArrayList<>();

    // The process was told to end, and the servers end with it: what fails from now on says nothing.
    private volatile boolean ending;

    private Contest() {}

    /** Runs the contest; exit code 0 if every trial came to its end. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new Contest()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        Scale scale = quick ? Scale.QUICK : Scale.FULL;
        if (rounds > 0) {
            scale = scale.withRounds(rounds);
        }
        List<Match> matches = chosen(Programme.of(scale, !quick));
        long start = System.nanoTime();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> ending = true, "contest-exit"));
        try (Servers servers = new Servers()) {
            compete(new Runner(servers), matches, scale.rounds(), start);
        }
        System.out.println(Table.of(scores, Ratios.of(scores)));
        failures.forEach(failure -> System.out.println("FAILED " + failure));
        return failures.isEmpty() ? 0 : 1;
    }

    private List<Match> chosen(List<Match> all) {
        only.forEach(name -> require(
                Arrays.stream(Entrant.values())
                        .anyMatch(entrant -> entrant.title().equals(name)),
                "no contender '%s', there are %s".formatted(name, Arrays.toString(Entrant.values()))));
        workloads.forEach(name ->
                require(all.stream().anyMatch(match -> match.belongsTo(name)), "no workload '%s'".formatted(name)));
        return all.stream()
                .filter(match -> only.isEmpty() || only.contains(match.entrant().title()))
                .filter(match -> workloads.isEmpty() || workloads.stream().anyMatch(match::belongsTo))
                .toList();
    }

    private void require(boolean condition, String message) {
        if (!condition) {
            throw new ParameterException(spec.commandLine(), message);
        }
    }

    // Written after every round: what was measured in an hour must not be lost with the last minute.
    private void compete(Runner runner, List<Match> matches, int all, long start) throws IOException {
        for (int round = 1; round <= all; round++) {
            int number = 0;
            for (Match match : matches) {
                number++;
                // Ten minutes of steady state say no more when they are repeated.
                if (round > 1 && match.trial() == TrialKind.STEADY) {
                    continue;
                }
                Progress.say("round %d of %d, %d of %d: %s".formatted(round, all, number, matches.size(), match));
                run(runner, match);
                if (ending) {
                    return;
                }
            }
            write(round, start);
        }
    }

    private void write(int finished, long start) throws IOException {
        Map<String, Double> ratios = Ratios.of(scores);
        Map<String, Object> run = new LinkedHashMap<>();
        run.put("quick", quick);
        run.put("rounds", finished);
        run.put("seconds", (System.nanoTime() - start) / 1_000_000_000L);
        run.put("cores", Runtime.getRuntime().availableProcessors());
        run.put("java", System.getProperty("java.version"));
        ResultFile.write(results, run, scores, ratios, failures);
        if (docs) {
            new ReportPage(scores, ratios, run).write(Path.of("docs"));
        }
    }

    // A peer that fails must not cost the figures of all others.
    private void run(Runner runner, Match match) {
        try {
            Figures figures =
                    runner.run(match.entrant(), match.trial(), match.database(), match.sink(), match.parameters());
            Progress.say("  " + Summary.of(figures));
            scores.add(match, figures);
        } catch (RuntimeException e) {
            Progress.say("  FAILED " + e.getMessage());
            failures.add(match + ": "
                    + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
        }
    }

    /** The few figures that are worth a line while it runs. */
    private static final class Summary {

        private static final List<String> SHOWN = List.of(
                "rate",
                "overhead_1",
                "overhead_4",
                "p50_ms",
                "p99_ms",
                "wal_bytes",
                "first_ms",
                "heap_mb",
                "rate_1",
                "two_relays",
                "four_relays");

        private static String of(Figures figures) {
            List<String> shown = new ArrayList<>();
            for (String name : SHOWN) {
                Double value = figures.values().get(name);
                if (value != null) {
                    shown.add(name + " " + Table.number(value));
                }
            }
            return String.join(", ", shown);
        }
    }
}

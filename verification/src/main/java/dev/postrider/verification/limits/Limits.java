package dev.postrider.verification.limits;

import dev.postrider.services.Database;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Prints how long a fresh message of an unrelated key takes in every situation. */
@Command(
        name = "./verification/limits",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = {
            "Brings a relay with default settings into situations at its limits, and measures how long fresh messages of an"
                    + " unrelated key take from their commit to the broker.",
            "",
            "Last line: situations=N worst_s=X stuck=N reordered=N",
            "Exit code 1 if a message was stuck for a minute or arrived in another order."
        })
public final class Limits implements Callable<Integer> {

    private static final int FRESH = 5;
    private static final Duration ALLOWED = Duration.ofSeconds(2);
    private static final int ROUND_TRIPS = 10;

    @Option(names = "--database", paramLabel = "KIND", description = "POSTGRES_18, MARIADB or MYSQL; all by default")
    private List<Database.Kind> kinds = List.of(Database.Kind.POSTGRES_18, Database.Kind.MARIADB, Database.Kind.MYSQL);

    @Option(names = "--situation", paramLabel = "NAME", description = "only this one; may be repeated")
    private List<Situation> situations = List.of(Situation.values());

    @Option(names = "--most", paramLabel = "N", description = "the largest size, 1,000,000 by default")
    private long most = 1_000_000;

    /** What was measured. */
    record Result(Duration worst, boolean stuck, boolean reordered) {}

    /** Runs the command. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new Limits()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        System.out.println(
                "| database | situation | size | slowest of %d fresh messages | allowed | |".formatted(FRESH));
        System.out.println("|---|---|---|---|---|---|");
        List<Result> results = new ArrayList<>();
        for (Database.Kind kind : kinds) {
            try (Database server = Database.start(kind)) {
                for (Situation situation : situations) {
                    for (long size : situation.sizes(most)) {
                        Result result = measure(server, situation, size);
                        results.add(result);
                        print(kind, situation, size, result);
                    }
                }
            }
        }
        Duration worst =
                results.stream().map(Result::worst).max(Duration::compareTo).orElse(Duration.ZERO);
        long stuck = results.stream().filter(Result::stuck).count();
        long reordered = results.stream().filter(Result::reordered).count();
        System.out.printf(
                Locale.ROOT,
                "situations=%d worst_s=%.1f stuck=%d reordered=%d%n",
                results.size(),
                worst.toMillis() / 1_000.0,
                stuck,
                reordered);
        return stuck + reordered == 0 ? 0 : 1;
    }

    static Result measure(Database server, Situation situation, long size) throws Exception {
        try (Site site = new Site(server)) {
            AutoCloseable end = situation.arrange(site, size);
            Duration worst = Duration.ZERO;
            try {
                for (int i = 0; i < FRESH && worst.compareTo(Site.PATIENCE) < 0; i++) {
                    Duration took = site.deliverFresh();
                    worst = took.compareTo(worst) > 0 ? took : worst;
                }
            } finally {
                end.close();
            }
            return new Result(worst, worst.compareTo(Site.PATIENCE) >= 0, situation.isReordered(site));
        }
    }

    private static void print(Database.Kind kind, Situation situation, long size, Result result) {
        Duration allowed = ALLOWED.plus(situation.roundTrip(size).multipliedBy(ROUND_TRIPS));
        String verdict = result.stuck
                ? "stuck"
                : result.reordered ? "reordered" : result.worst.compareTo(allowed) > 0 ? "late" : "";
        System.out.printf(
                Locale.ROOT,
                "| %s | %s | %,d | %,d ms | %,d ms | %s |%n",
                kind,
                situation.title,
                size,
                result.worst.toMillis(),
                allowed.toMillis(),
                verdict);
    }
}

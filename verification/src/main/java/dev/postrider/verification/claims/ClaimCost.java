package dev.postrider.verification.claims;

import dev.postrider.services.Database;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Prints what a fetch costs in every scenario, rounds of all scenarios interleaved. */
public final class ClaimCost {

    private static final int WARM_UP = 10;
    private static final int ROUNDS = 40;

    private ClaimCost() {}

    /** Measures PostgreSQL, then MariaDB. */
    public static void main(String[] args) throws SQLException {
        List<Subject> postgres = measure(Engine.POSTGRES);
        List<Subject> mariadb = measure(Engine.MARIADB);
        double wal =
                postgres.stream().mapToDouble(Subject::walBytesPerMessage).max().orElseThrow();
        System.out.printf(
                Locale.ROOT,
                "postgres worst/best=%.2f wal_bytes=%.0f mariadb worst/best=%.2f%n",
                worstToBest(postgres),
                wal,
                worstToBest(mariadb));
    }

    private static List<Subject> measure(Engine engine) throws SQLException {
        List<Subject> subjects = new ArrayList<>();
        try (Database server = Database.start(engine.kind, engine.options())) {
            for (Scenario scenario : Scenario.values()) {
                progress(engine, "filling the table for \"" + scenario.title + "\"");
                Subject subject = new Subject(engine, scenario, server);
                subjects.add(subject);
                subject.prepare();
            }
            for (int round = 1; round <= WARM_UP + ROUNDS; round++) {
                if (round % 10 == 0) {
                    progress(engine, "round %d of %d".formatted(round, WARM_UP + ROUNDS));
                }
                for (Subject subject : subjects) {
                    subject.round(round > WARM_UP);
                }
            }
            for (Subject subject : subjects) {
                subject.close();
            }
        }
        print(engine, subjects);
        return subjects;
    }

    private static void print(Engine engine, List<Subject> subjects) {
        System.out.printf(
                "%n%-10s %-42s %14s %10s %10s %10s%n",
                engine, "fetches of 500, then settled DELIVERED", "fetch µs/msg", "p10", "p90", "WAL B/msg");
        for (Subject subject : subjects) {
            System.out.printf(
                    Locale.ROOT,
                    "%-10s %-42s %14.2f %10.2f %10.2f %10s%n",
                    "",
                    subject.scenario().title,
                    subject.medianFetchMicros(),
                    subject.percentile(0.1),
                    subject.percentile(0.9),
                    engine == Engine.POSTGRES ? "%.0f".formatted(subject.walBytesPerMessage()) : "-");
        }
        System.out.println();
    }

    private static double worstToBest(List<Subject> subjects) {
        List<Double> medians = subjects.stream()
                .map(Subject::medianFetchMicros)
                .sorted(Comparator.naturalOrder())
                .toList();
        return medians.get(medians.size() - 1) / medians.get(0);
    }

    private static void progress(Engine engine, String text) {
        System.err.println(engine + ": " + text);
    }
}

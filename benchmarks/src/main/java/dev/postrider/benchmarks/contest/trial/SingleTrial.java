package dev.postrider.benchmarks.contest.trial;

import dev.postrider.benchmarks.contenders.Entrant;
import dev.postrider.benchmarks.contest.arena.DatabaseKind;
import dev.postrider.benchmarks.contest.arena.Parameters;
import dev.postrider.benchmarks.contest.arena.Servers;
import dev.postrider.benchmarks.contest.arena.SinkKind;
import java.util.Arrays;
import java.util.List;

/** Runs a single trial and prints its figures: for whoever works on a contender. */
public final class SingleTrial {

    private SingleTrial() {}

    /** Arguments: contender, kind of trial, POSTGRESQL or MARIADB, sink, then the trial's parameters. */
    public static void main(String[] arguments) {
        List<String> more = Arrays.asList(arguments).subList(4, arguments.length);
        try (Servers servers = new Servers()) {
            new Runner(servers)
                    .run(
                            Entrant.of(arguments[0]),
                            TrialKind.valueOf(arguments[1]),
                            DatabaseKind.valueOf(arguments[2]),
                            SinkKind.valueOf(arguments[3]),
                            Parameters.parse(more))
                    .print(System.out);
        }
    }
}

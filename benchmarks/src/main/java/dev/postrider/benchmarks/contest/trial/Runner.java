package dev.postrider.benchmarks.contest.trial;

import dev.postrider.benchmarks.contenders.Entrant;
import dev.postrider.benchmarks.contest.arena.DatabaseKind;
import dev.postrider.benchmarks.contest.arena.Parameters;
import dev.postrider.benchmarks.contest.arena.Servers;
import dev.postrider.benchmarks.contest.arena.SinkKind;
import dev.postrider.services.ChildJvm;
import dev.postrider.services.Database;
import java.time.Duration;

/** Runs one trial: an empty database, a process for the contender, and what it printed. */
public final class Runner {

    private static final Duration LIMIT = Duration.ofMinutes(20);
    private static final int TAIL = 4_000;

    private final Servers servers;

    public Runner(Servers servers) {
        this.servers = servers;
    }

    public Figures run(Entrant entrant, TrialKind trial, DatabaseKind kind, SinkKind sink, Parameters parameters) {
        try (Database database = servers.database(kind, entrant).freshDatabase();
                ChildJvm child = ChildJvm.of(TrialMain.class)
                        .heap("1g")
                        .jvmOptions("-Xms1g", "-XX:+UseParallelGC", "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn")
                        .arguments(parameters
                                .with("contender", entrant.title())
                                .with("trial", trial.name())
                                .with("url", database.jdbcUrl())
                                .with("user", database.user())
                                .with("password", database.password())
                                .with("sink", sink.name())
                                .with("broker", servers.broker(sink))
                                .arguments()
                                .toArray(String[]::new))
                        .start()) {
            int status = child.awaitExit(LIMIT);
            String output = child.output();
            if (status != 0 || !output.contains(TrialMain.DONE)) {
                throw new IllegalStateException("%s ended with %d:%n%s"
                        .formatted(entrant, status, output.substring(Math.max(0, output.length() - TAIL))));
            }
            return Figures.parse(output);
        }
    }
}

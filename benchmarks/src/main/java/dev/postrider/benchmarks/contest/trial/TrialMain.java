package dev.postrider.benchmarks.contest.trial;

import dev.postrider.benchmarks.contenders.Entrant;
import dev.postrider.benchmarks.contest.arena.Arena;
import dev.postrider.benchmarks.contest.arena.Contender;
import dev.postrider.benchmarks.contest.arena.Parameters;
import dev.postrider.benchmarks.contest.arena.Sink;
import dev.postrider.benchmarks.contest.arena.SinkKind;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The process of one trial: enters the contender, measures it, prints the figures. */
public final class TrialMain {

    private static final Logger log = LoggerFactory.getLogger(TrialMain.class);
    static final String DONE = "trial done";

    private TrialMain() {}

    /** Takes {@code name=value} arguments as {@link Runner} gives them. */
    public static void main(String[] arguments) {
        int status = 1;
        try {
            run(Parameters.parse(List.of(arguments)));
            status = 0;
        } catch (Throwable e) {
            log.error("The trial failed", e);
        }
        // Some contenders leave threads behind.
        System.exit(status);
    }

    private static void run(Parameters parameters) throws Exception {
        Figures figures = new Figures();
        try (Sink sink = SinkKind.valueOf(parameters.text("sink")).open(parameters.text("broker"))) {
            Arena arena = Arena.of(parameters, sink);
            arena.execute(orders(arena));
            try (Contender contender = Entrant.of(parameters.text("contender")).enter(arena)) {
                contender.install();
                TrialKind.valueOf(parameters.text("trial")).trial().run(contender, arena, parameters, figures);
                contender.stop();
                figures.settings(contender.settings());
                figures.print(System.out);
                System.out.println(DONE);
            }
        }
    }

    private static String orders(Arena arena) {
        return arena.postgres()
                ? "create table orders (id bigint generated always as identity primary key, customer text not null,"
                        + " amount numeric not null, note text, created_at timestamptz not null default now())"
                : "create table orders (id bigint not null auto_increment primary key, customer varchar(100) not null,"
                        + " amount decimal(20,2) not null, note text, created_at datetime(6) not null default now(6))";
    }
}

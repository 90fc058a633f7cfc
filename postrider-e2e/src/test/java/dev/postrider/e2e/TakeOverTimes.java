package dev.postrider.e2e;

import dev.postrider.services.Database.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Measures, for several ownership times, how long other relays need to go on after a graceful stop, a kill and a
 * freeze, and the longest time between two heartbeats of a relay nothing was done to. Run by
 * {@code ./verification/takeover}.
 */
final class TakeOverTimes {

    private static final List<Duration> OWN_FOR =
            List.of(Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(5));

    private TakeOverTimes() {}

    public static void main(String[] arguments) {
        int repetitions = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 5;
        System.out.printf(
                "%d repetitions each, 3 relays in processes of their own, 2,000 messages/s, %d cores%n%n",
                repetitions, Runtime.getRuntime().availableProcessors());
        List<String> table = new ArrayList<>();
        table.add("| database | ownership time | SIGTERM: min / median / max | kill -9: min / median / max"
                + " | SIGSTOP: min / median / max | longest heartbeat gap of a sound relay | its claims lost |");
        table.add("|---|---|---|---|---|---|---|");
        for (Kind kind : List.of(Kind.POSTGRES_18, Kind.MARIADB)) {
            for (Duration ownFor : OWN_FOR) {
                String row = measure(kind, ownFor, repetitions);
                System.out.println(row);
                table.add(row);
            }
        }
        System.out.println();
        table.forEach(System.out::println);
        System.exit(0);
    }

    private static String measure(Kind kind, Duration ownFor, int repetitions) {
        try (Stage stage = Stage.shared(kind);
                Crew crew = new Crew(stage);
                Producers producers = new Producers(stage.pool(), 500)) {
            Tenure tenure = Tenure.lapsing(ownFor);
            crew.join(tenure, tenure, tenure);
            RelayProcess sound = crew.process(crew.names().get(0));
            producers.produce(2_000);
            List<TakeOver> stops = repeat(repetitions, () -> {
                TakeOver takeOver = crew.terminate(crew.names().get(1));
                crew.join(tenure);
                return takeOver;
            });
            List<TakeOver> kills = repeat(repetitions, () -> {
                TakeOver takeOver = crew.kill(crew.names().get(1));
                crew.join(tenure);
                return takeOver;
            });
            List<TakeOver> freezes = repeat(repetitions, () -> {
                String frozen = crew.names().get(1);
                TakeOver takeOver = crew.freeze(frozen);
                crew.process(frozen).jvm().cont();
                crew.awaitBalance();
                return takeOver;
            });
            producers.finish(0);
            crew.awaitDrained(producers);
            crew.audit(producers).check("%s, %s".formatted(kind, ownFor));
            return "| %s | %d s | %s | %s | %s | %,d ms | %d |"
                    .formatted(
                            kind,
                            ownFor.toSeconds(),
                            spread(stops),
                            spread(kills),
                            spread(freezes),
                            sound.count(HeartbeatWatch.FACT),
                            sound.count("claims-lost "));
        }
    }

    private static List<TakeOver> repeat(int repetitions, Supplier<TakeOver> once) {
        return Stream.generate(once).limit(repetitions).collect(Collectors.toCollection(ArrayList::new));
    }

    // Until every shard of the silent relay was delivered from: the worst key counts.
    private static String spread(List<TakeOver> takeOvers) {
        List<Long> millis =
                takeOvers.stream().map(each -> each.all().toMillis()).sorted().toList();
        return "%,d / %,d / %,d ms"
                .formatted(millis.get(0), millis.get(millis.size() / 2), millis.get(millis.size() - 1));
    }
}

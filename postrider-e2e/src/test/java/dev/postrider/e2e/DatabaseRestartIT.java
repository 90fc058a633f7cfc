package dev.postrider.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postrider.jdbc.JdbcOutboxStore;
import dev.postrider.relay.Relay;
import dev.postrider.services.Database.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The database server is killed and started again under load. */
final class DatabaseRestartIT {

    private static final int KEYS = 500;
    private static final int RESTARTS = 2;

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB"})
    @Tag("R0.5")
    @Tag("R1.14")
    @Tag("B1")
    void aRelayGoesOnByItselfWhenTheDatabaseIsBack(Kind kind) {
        SinkLog log = new SinkLog();
        try (Stage stage = Stage.own(kind);
                Producers producers = new Producers(stage.pool(), KEYS);
                Relay relay = Relay.builder(
                                JdbcOutboxStore.builder(stage.pool()).build(), new LogPublisher(log))
                        .build()) {
            relay.start();
            producers.produce(2_000);
            await().atMost(RelayProcess.PATIENCE).until(() -> log.size() > 2_000);

            List<Duration> recoveries = new ArrayList<>();
            for (int restart = 0; restart < RESTARTS; restart++) {
                stage.database().kill();
                stage.database().restart();
                recoveries.add(untilNextNewMessage(stage, log));
            }
            producers.finish(10_000);
            await().atMost(RelayProcess.PATIENCE).until(() -> log.distinct() >= producers.total());
            await().atMost(RelayProcess.PATIENCE).until(() -> stage.unfinished() == 0);

            recoveries.forEach(time -> System.out.printf(
                    "%s: delivering again %d ms after the server accepted connections%n", kind, time.toMillis()));
            Audit.of(producers.enqueued(), log.arrivals(), stage.rows(), Set.of(LogPublisher.RELAY))
                    .check(kind + " killed twice");
            assertThat(stage.rows().values()).extracting(Stage.Row::attempts).containsOnly(1);
            assertThat(recoveries).allSatisfy(time -> assertThat(time).isLessThanOrEqualTo(Duration.ofSeconds(5)));
        }
    }

    private static Duration untilNextNewMessage(Stage stage, SinkLog log) {
        long accepted = System.nanoTime();
        int before = log.size();
        long last = stage.lastSeq();
        await().atMost(RelayProcess.PATIENCE)
                .until(() -> log.after(before).stream().anyMatch(arrival -> arrival.seq() > last));
        long arrived = log.after(before).stream()
                .filter(arrival -> arrival.seq() > last)
                .findFirst()
                .orElseThrow()
                .nanos();
        return Duration.ofNanos(arrived - accepted);
    }
}

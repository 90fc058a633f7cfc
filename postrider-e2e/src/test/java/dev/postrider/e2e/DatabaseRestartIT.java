package dev.postrider.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postrider.jdbc.JdbcOutboxStore;
import dev.postrider.relay.Relay;
import dev.postrider.services.Database.Kind;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The database server is killed and started again under load. */
final class DatabaseRestartIT {

    private static final int KEYS = 500;
    private static final int MESSAGES = 4_000;

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB"})
    @Tag("R0.5")
    @Tag("R1.14")
    @Tag("B1")
    void aRelayGoesOnByItselfWhenTheDatabaseIsBack(Kind kind) {
        SinkLog log = new SinkLog();
        Tenure tenure = Tenure.lasting();
        try (Stage stage = Stage.own(kind);
                Producers producers = new Producers(stage.pool(), KEYS);
                Relay relay = tenure.applyTo(Relay.builder(
                                tenure.grantedBy(
                                        JdbcOutboxStore.builder(stage.pool()).build()),
                                new LogPublisher(log)))
                        .build()) {
            relay.start();
            producers.produce(MESSAGES / 4);
            await().atMost(RelayProcess.PATIENCE).until(() -> log.size() > MESSAGES / 4);

            stage.database().kill();
            stage.database().restart();
            awaitNewMessage(stage, log);
            producers.finish(MESSAGES);
            await().atMost(RelayProcess.PATIENCE).until(() -> log.distinct() >= producers.total());
            await().atMost(RelayProcess.PATIENCE).until(() -> stage.unfinished() == 0);

            Audit.of(producers.enqueued(), log.arrivals(), stage.rows(), Set.of(LogPublisher.RELAY))
                    .check(kind + " killed");
            assertThat(stage.rows().values()).extracting(Stage.Row::attempts).containsOnly(1);
        }
    }

    /** Waits for a message that was enqueued after the restart. */
    private static void awaitNewMessage(Stage stage, SinkLog log) {
        int before = log.size();
        long last = stage.lastSeq();
        await().atMost(RelayProcess.PATIENCE)
                .until(() -> log.after(before).stream().anyMatch(arrival -> arrival.seq() > last));
    }
}

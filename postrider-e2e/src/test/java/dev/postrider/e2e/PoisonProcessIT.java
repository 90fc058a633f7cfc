package dev.postrider.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.OutboxMessage;
import dev.postrider.jdbc.JdbcOutbox;
import dev.postrider.services.Database.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A message that ends the process whenever it is published. */
final class PoisonProcessIT {

    private static final int MESSAGES = 400;

    // The next process begins when the shards of the dead one are free.
    private static final Tenure SHORT = Tenure.lapsing(Duration.ofSeconds(1));

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB"})
    @Tag("R0.3")
    @Tag("F49")
    @Tag("B1")
    void aMessageThatKillsTheProcessIsQuarantinedAndNothingElseIs(Kind kind) throws SQLException {
        try (Stage stage = Stage.shared(kind);
                Sink sink = Sink.open();
                Producers producers = new Producers(stage.pool(), MESSAGES / 4)) {
            producers.enqueue(MESSAGES / 2);
            enqueuePoison(stage);
            producers.enqueue(MESSAGES / 2);

            Set<String> dead = superviseUntilDone(stage, sink);

            System.out.printf("%s: a deadly message was quarantined after %d deaths%n", kind, dead.size());
            assertThat(dead).hasSizeBetween(2, 4);
            assertThat(stage.causesOfDeath()).singleElement().asString().startsWith("Quarantined");
            Map<Long, Stage.Row> rows = stage.rows();
            assertThat(rows.values())
                    .filteredOn(row -> row.status() == Stage.Row.DELIVERED)
                    .hasSize(MESSAGES);
            rows.values().removeIf(row -> row.status() == Stage.Row.DEAD);
            Audit.of(producers.enqueued(), sink.log().arrivals(), rows, dead).check(kind + " with a deadly message");
        }
    }

    private static void enqueuePoison(Stage stage) throws SQLException {
        try (Connection connection = stage.pool().getConnection()) {
            connection.setAutoCommit(false);
            JdbcOutbox.create()
                    .enqueue(
                            connection,
                            OutboxMessage.to(SinkPublisher.DEADLY, "order-placed")
                                    .key("poison")
                                    .payload("poison 0")
                                    .build());
            connection.commit();
        }
    }

    // What systemd or Kubernetes does: a process that ended is started again.
    private static Set<String> superviseUntilDone(Stage stage, Sink sink) {
        Set<String> dead = new HashSet<>();
        while (dead.size() < 10) {
            try (RelayProcess process = RelayProcess.launch(stage.database(), sink, SHORT)) {
                String name = process.name();
                process.awaitThat("death or the end", () -> !process.jvm().alive() || stage.unfinished() == 0);
                if (process.jvm().alive()) {
                    return dead;
                }
                assertThat(process.jvm().awaitExit(RelayProcess.PATIENCE)).isEqualTo(RelayMain.HALTED);
                dead.add(name);
            }
        }
        throw new AssertionError("The message is not quarantined after %d deaths".formatted(dead.size()));
    }
}

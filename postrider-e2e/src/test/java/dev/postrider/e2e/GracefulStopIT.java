package dev.postrider.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.services.Database.Kind;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Relays come and go under load, as in a rolling update. */
final class GracefulStopIT {

    private static final int KEYS = 500;
    private static final int RATE = 1_000;

    // Until a relay's shards lapse takes far longer than the crew waits: what others take was handed over to them.
    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB"})
    @Tag("R0.4")
    @Tag("R1.16")
    @Tag("B1")
    void aTerminatedRelayHandsOverAtOnceAndNothingIsSentTwice(Kind kind) {
        try (Stage stage = Stage.shared(kind);
                Crew crew = new Crew(stage);
                Producers producers = new Producers(stage.pool(), KEYS)) {
            crew.join(Tenure.lasting(), Tenure.lasting());
            producers.produce(RATE);

            crew.join(Tenure.lasting());
            TakeOver takeOver = crew.terminateAtWork(crew.names().get(0));
            producers.finish(0);
            crew.awaitDrained(producers);

            System.out.printf("%s: SIGTERM: %s%n", kind, takeOver);
            assertThat(takeOver.late())
                    .as("deliveries from a shard after it was handed over")
                    .isZero();
            Audit audit = crew.audit(producers).check(kind + " with a graceful stop");
            assertThat(audit.duplicates()).isZero();
        }
    }
}

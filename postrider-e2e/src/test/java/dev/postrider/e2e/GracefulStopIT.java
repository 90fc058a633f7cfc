package dev.postrider.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.services.Database.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Relays come and go under load, as in a rolling update. */
final class GracefulStopIT {

    private static final int STOPS = 5;
    private static final int KEYS = 500;

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB"})
    @Tag("R0.4")
    @Tag("R1.16")
    @Tag("B1")
    void aTerminatedRelayHandsOverWithinASecondAndNothingIsSentTwice(Kind kind) {
        try (Stage stage = Stage.shared(kind);
                Crew crew = new Crew(stage, RelayProcess.OWN_FOR);
                Producers producers = new Producers(stage.pool(), KEYS)) {
            crew.join(3);
            producers.produce(2_000);

            List<TakeOver> takeOvers = new ArrayList<>();
            for (int stop = 0; stop < STOPS; stop++) {
                takeOvers.add(crew.terminate(crew.names().get(0)));
                crew.join(1);
            }
            producers.finish(0);
            crew.awaitDrained(producers);

            takeOvers.forEach(takeOver -> System.out.printf("%s: SIGTERM: %s%n", kind, takeOver));
            Audit audit = crew.audit(producers).check("%s with %d graceful stops".formatted(kind, STOPS));
            assertThat(audit.duplicates()).isZero();
            assertThat(takeOvers)
                    .extracting(TakeOver::all)
                    .allSatisfy(time -> assertThat(time).isLessThanOrEqualTo(Duration.ofSeconds(1)));
        }
    }
}

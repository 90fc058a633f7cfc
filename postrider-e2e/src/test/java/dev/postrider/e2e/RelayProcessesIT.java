package dev.postrider.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postrider.services.Database.Kind;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Four relays in four processes under load; one is killed, one is frozen and comes back as a zombie. */
final class RelayProcessesIT {

    private static final int MESSAGES = 10_000;
    private static final int KEYS = 500;

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB"})
    @Tag("R0.4")
    @Tag("R1.10")
    @Tag("R1.14")
    @Tag("R4.9")
    @Tag("B1")
    void nothingIsLostOrReorderedWhenOneRelayIsKilledAndOneFreezes(Kind kind) {
        try (Stage stage = Stage.shared(kind);
                Crew crew = new Crew(stage);
                Producers producers = new Producers(stage.pool(), KEYS)) {
            producers.enqueue(MESSAGES / 10);
            Tenure victim = Tenure.lapsing(Tenure.OWN_FOR);
            crew.join(victim, victim, Tenure.lasting(), Tenure.lasting());
            String doomed = crew.names().get(0);
            String zombie = crew.names().get(1);
            producers.produce(MESSAGES / 10);

            TakeOver afterKill = crew.kill(doomed);
            crew.awaitBalance();
            TakeOver afterFreeze = crew.freeze(zombie);
            crew.process(zombie).jvm().cont();
            await("the zombie's late outcomes to be refused")
                    .atMost(RelayProcess.PATIENCE)
                    .until(() -> crew.process(zombie).count("claims-lost ") > 0);
            crew.awaitBalance();
            producers.finish(MESSAGES);
            crew.awaitDrained(producers);

            System.out.printf("%s: kill -9: %s%n", kind, afterKill);
            System.out.printf("%s: SIGSTOP: %s%n", kind, afterFreeze);
            System.out.printf(
                    "%s: the zombie's late outcomes that changed no row: %d%n",
                    kind, crew.process(zombie).count("claims-lost "));
            Audit audit = crew.audit(producers).check(kind + " with a kill and a freeze");
            assertThat(audit.enqueued()).isGreaterThanOrEqualTo(MESSAGES);
        }
    }
}

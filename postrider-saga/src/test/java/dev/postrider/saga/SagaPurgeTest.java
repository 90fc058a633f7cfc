package dev.postrider.saga;

import static dev.postrider.saga.SagaFixture.start;
import static dev.postrider.saga.SagaFixture.transacted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.admin.Decision;
import dev.postrider.saga.ParticipantBench.Move;
import dev.postrider.services.Database.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is removed is finished and old, nothing else. */
@Tag("R0.1")
final class SagaPurgeTest {

    private static final Duration DAY = Duration.ofDays(1);

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void onlySagasThatHaveBeenFinishedLongEnoughGo(Kind kind) {
        try (SagaFixture fixture = SagaFixture.create(kind)) {
            SagaStore store = fixture.store();
            SagaAdmin admin = SagaAdmin.of(fixture.pool());
            List<UUID> sagas = new ArrayList<>();
            for (SagaStatus status : SagaStatus.values()) {
                sagas.add(saga(store, status));
                sagas.add(saga(store, status));
            }
            UUID young = saga(store, SagaStatus.COMPLETED);
            fixture.execute(
                    "update saga_instance set finished_at = " + weekAgo(kind)
                            + " where finished_at is not null and saga_id <> '" + young + "'",
                    "update saga_instance set created_at = %1$s, updated_at = %1$s".formatted(weekAgo(kind)));

            assertThat(admin.purge(Duration.ofDays(30), 100)).isZero();
            assertThat(admin.purge(DAY, 4)).isEqualTo(4);
            assertThat(admin.purge(DAY, 4)).isEqualTo(2);
            assertThat(admin.purge(DAY, 4)).isZero();

            for (UUID id : sagas) {
                boolean kept = admin.show(id)
                        .map(saga -> !saga.saga().status().finished()
                                && saga.journal().size() == 1
                                && saga.audit().size() == 1)
                        .orElse(false);
                boolean gone = admin.show(id).isEmpty();
                assertThat(kept || gone).isTrue();
            }
            assertThat(admin.show(young)).isPresent();
            assertThat(fixture.count("saga_instance")).isEqualTo(9);
            assertThat(fixture.count("saga_step")).isEqualTo(9);
            assertThat(fixture.count("saga_audit")).isEqualTo(9);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void participantsForgetOnlyWhatIsOld(Kind kind) {
        try (SagaFixture fixture = SagaFixture.create(kind)) {
            ParticipantBench parts = new ParticipantBench(fixture);
            SagaAdmin admin = SagaAdmin.of(fixture.pool());
            for (int i = 0; i < 6; i++) {
                parts.deliver(parts.participant(), parts.command(SagaFixture.nextId(), Move.ACTION));
            }
            fixture.execute("update saga_participant set placed_at = " + weekAgo(kind));
            UUID young = SagaFixture.nextId();
            parts.deliver(parts.participant(), parts.command(young, Move.COMPENSATION));

            assertThat(admin.purgeParticipants(Duration.ofDays(30), 100)).isZero();
            assertThat(admin.purgeParticipants(DAY, 100)).isEqualTo(6);
            assertThat(admin.purgeParticipants(DAY, 100)).isZero();

            assertThat(fixture.count("saga_participant where saga_id = '" + young + "'"))
                    .isEqualTo(2);
        }
    }

    private static UUID saga(SagaStore store, SagaStatus status) {
        UUID id = start(store);
        transacted(store, connection -> {
            SagaRow saga = store.lock(connection, id).orElseThrow();
            store.write(connection, StepEntry.of(id, "a", Direction.FORWARD, StepStatus.DONE, 1));
            store.audit(connection, id, "NOTE", new Decision("ada", "why not"), null);
            return store.advance(connection, saga, SagaUpdate.to(status));
        });
        return id;
    }

    private static String weekAgo(Kind kind) {
        return switch (kind) {
            case H2 -> "dateadd('DAY', -7, current_timestamp)";
            case MARIADB, MYSQL -> "utc_timestamp(6) - interval 7 day";
            default -> "now() - interval '7 days'";
        };
    }
}

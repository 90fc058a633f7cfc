package dev.postrider.saga;

import static dev.postrider.saga.SagaFixture.start;
import static dev.postrider.saga.SagaFixture.transacted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.saga.ParticipantBench.Move;
import dev.postrider.services.Database.Kind;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Old sagas and participants go by themselves, in batches; everything else stays. */
@Tag("B4")
final class SagaPurgeJobTest {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration MOMENT = Duration.ofMillis(1);

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void aJobRemovesFinishedSagasAndOldParticipantsBatchByBatch(Kind kind) {
        try (SagaFixture fixture = SagaFixture.create(kind)) {
            ParticipantBench parts = new ParticipantBench(fixture);
            for (int i = 0; i < 5; i++) {
                finished(fixture.store());
                parts.deliver(parts.participant(), parts.command(SagaFixture.nextId(), Move.ACTION));
            }
            UUID running = start(fixture.store());

            try (SagaPurgeJob job = job(fixture, HOUR)
                    .keepSagas(Duration.ZERO)
                    .keepParticipants(Duration.ZERO)
                    .build()
                    .start()) {
                await(() -> job.health().lastSuccess() != null);

                assertThat(job.health().running()).isTrue();
                assertThat(job.health().sagas()).isEqualTo(5);
                assertThat(job.health().participants()).isEqualTo(5);
                assertThat(job.health().failure()).isEmpty();
            }
            assertThat(fixture.texts("select saga_id from saga_instance")).containsExactly(running.toString());
            assertThat(fixture.count("saga_participant")).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void nullKeepsRowsForEver(Kind kind) {
        try (SagaFixture fixture = SagaFixture.create(kind)) {
            ParticipantBench parts = new ParticipantBench(fixture);
            finished(fixture.store());
            parts.deliver(parts.participant(), parts.command(SagaFixture.nextId(), Move.ACTION));

            try (SagaPurgeJob job = job(fixture, HOUR)
                    .keepSagas(null)
                    .keepParticipants(Duration.ZERO)
                    .build()
                    .start()) {
                await(() -> job.health().lastSuccess() != null);
            }

            assertThat(fixture.count("saga_instance")).isEqualTo(1);
            assertThat(fixture.count("saga_participant")).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void aJobReportsAFailureAndGoesOnTrying(Kind kind) {
        try (SagaFixture fixture = SagaFixture.create(kind)) {
            finished(fixture.store());
            fixture.execute("alter table saga_audit rename to saga_elsewhere");

            try (SagaPurgeJob job =
                    job(fixture, MOMENT).keepSagas(Duration.ZERO).build().start()) {
                await(() -> job.health().error() != null);
                assertThat(job.health().running()).isTrue();
                assertThat(job.health().lastSuccess()).isNull();

                fixture.execute("alter table saga_elsewhere rename to saga_audit");

                await(() -> job.health().lastSuccess() != null);
                assertThat(job.health().error()).isNull();
                assertThat(job.health().sagas()).isEqualTo(1);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void aClosedJobRemovesNothingMore(Kind kind) {
        try (SagaFixture fixture = SagaFixture.create(kind)) {
            SagaPurgeJob job = job(fixture, MOMENT).keepSagas(Duration.ZERO).build();
            assertThat(job.health().running()).isFalse();
            job.start();
            await(() -> job.health().lastSuccess() != null);

            job.close();
            finished(fixture.store());

            assertThat(job.health().running()).isFalse();
            assertThatThrownBy(job::start).isInstanceOf(IllegalStateException.class);
            assertThat(fixture.count("saga_instance")).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"H2"})
    void settingsThatCannotWorkAreRefusedByName(Kind kind) {
        try (SagaFixture fixture = SagaFixture.create(kind)) {
            SagaPurgeJob.Builder builder = SagaPurgeJob.builder(SagaAdmin.of(fixture.pool()));

            assertThatThrownBy(() -> builder.batchSize(0)).hasMessageContaining("batchSize");
            assertThatThrownBy(() -> builder.batchSize(1_001)).hasMessageContaining("1000");
            assertThatThrownBy(() -> builder.pause(Duration.ofMillis(-1))).hasMessageContaining("pause");
            assertThatThrownBy(() -> builder.keepSagas(Duration.ofDays(-1))).hasMessageContaining("keepSagas");
            assertThatThrownBy(() -> builder.keepParticipants(Duration.ofDays(-1)))
                    .hasMessageContaining("keepParticipants");
            assertThatThrownBy(() -> builder.interval(Duration.ZERO, HOUR)).hasMessageContaining("afterWork");
            assertThatThrownBy(() -> builder.interval(HOUR, MOMENT)).hasMessageContaining("shorter");
            assertThatThrownBy(
                            () -> builder.keepSagas(null).keepParticipants(null).build())
                    .hasMessageContaining("nothing to remove");
        }
    }

    private static SagaPurgeJob.Builder job(SagaFixture fixture, Duration interval) {
        return SagaPurgeJob.builder(SagaAdmin.of(fixture.pool()))
                .batchSize(2)
                .pause(Duration.ZERO)
                .interval(interval, interval);
    }

    private static void finished(SagaStore store) {
        UUID id = start(store);
        transacted(store, connection -> {
            SagaRow saga = store.lock(connection, id).orElseThrow();
            return store.advance(connection, saga, SagaUpdate.to(SagaStatus.COMPLETED));
        });
    }

    private static void await(Callable<Boolean> condition) {
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(condition);
    }
}

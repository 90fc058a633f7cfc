package dev.postrider.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.postrider.inbox.JdbcInboxAdmin;
import dev.postrider.inbox.consumer.ConsumerHealth;
import dev.postrider.saga.SagaAdmin;
import dev.postrider.services.Database.Kind;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@org.junit.jupiter.api.Tag("R4.8")
class InboxAndSagaMetricsTest {

    private final MeterRegistry registry = new SimpleMeterRegistry();

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRES_18", "MARIADB", "MYSQL"})
    void aRealInboxIsCounted(Kind kind) {
        try (Warehouse warehouse = new Warehouse(kind, registry)) {
            assertThat(counter(MeterNames.INBOX_PARKINGS, "reason", "failed"))
                    .as("a counter is there before its first event")
                    .isZero();

            warehouse.everythingHappens();

            assertThat(counter(MeterNames.INBOX_PROCESSED)).isEqualTo(1);
            assertThat(counter(MeterNames.INBOX_DUPLICATES)).isEqualTo(1);
            assertThat(counter(MeterNames.INBOX_PARKINGS, "reason", "failed")).isEqualTo(2);
            assertThat(counter(MeterNames.INBOX_PARKINGS, "reason", "behind")).isEqualTo(1);
            assertThat(registry.get(MeterNames.INBOX_TRANSACTION).timer().count())
                    .isEqualTo(1);
            assertThat(gauge(MeterNames.INBOX_PARKED)).isEqualTo(1);
            assertThat(gauge(MeterNames.INBOX_BEHIND)).isEqualTo(1);
            assertThat(gauge(MeterNames.INBOX_RELEASED)).isEqualTo(1);
            assertThat(gauge(MeterNames.INBOX_KEYS_HELD)).isEqualTo(1);
            assertThat(gauge(MeterNames.INBOX_OLDEST_READY)).isNotNegative();
        }
    }

    @Test
    void aConsumerIsShownAsItsHealthSays() {
        try (Warehouse warehouse = new Warehouse(Kind.H2, registry)) {
            warehouse.sample();
            assertThat(gauge(MeterNames.CONSUMER_LAG)).as("not assigned").isNaN();
            assertThat(gauge(MeterNames.CONSUMER_RUNNING)).isZero();

            warehouse.everythingHappens();

            assertThat(gauge(MeterNames.CONSUMER_LAG)).isEqualTo(42);
            assertThat(gauge(MeterNames.CONSUMER_RUNNING)).isEqualTo(1);
            assertThat(gauge(MeterNames.CONSUMER_ALIVE)).isEqualTo(1);
            assertThat(gauge(MeterNames.CONSUMER_IN_HAND)).isEqualTo(3);
            assertThat(gauge(MeterNames.CONSUMER_WAITING)).isEqualTo(1);
            assertThat(registry.get(MeterNames.CONSUMER_UNDER_WAY).timeGauge().value(TimeUnit.SECONDS))
                    .isEqualTo(5);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRES_18", "MARIADB", "MYSQL"})
    void realSagasAreCounted(Kind kind) {
        try (Warehouse warehouse = new Warehouse(kind, registry)) {
            assertThat(steps("compensation", "failed")).isZero();

            warehouse.everythingHappens();

            assertThat(steps("forward", "done")).isEqualTo(1);
            assertThat(steps("forward", "failed")).isPositive();
            assertThat(steps("compensation", "failed")).isPositive();
            assertThat(counter(MeterNames.SAGA_ENDED, "saga", Warehouse.SAGA, "status", "stuck"))
                    .isEqualTo(1);
            assertThat(gauge(MeterNames.SAGA_STUCK)).isEqualTo(1);
            assertThat(gauge(MeterNames.SAGA_OVERDUE)).isZero();

            warehouse.neglectASaga();
            warehouse.sample();

            assertThat(gauge(MeterNames.SAGA_OVERDUE)).isEqualTo(1);
            assertThat(registry.get(MeterNames.SAGA_OLDEST_OVERDUE).timeGauge().value(TimeUnit.MINUTES))
                    .isGreaterThan(9);
        }
    }

    @Test
    void whatCannotBeSeenIsNotANumber() {
        try (Warehouse warehouse = new Warehouse(Kind.H2, registry)) {
            warehouse.everythingHappens();
            double before = gauge(MeterNames.INBOX_SAMPLE_AGE);
            warehouse.loseTheTables();

            warehouse.sample();

            assertThat(gauge(MeterNames.INBOX_PARKED)).isNaN();
            assertThat(gauge(MeterNames.SAGA_STUCK)).isNaN();
            assertThat(gauge(MeterNames.CONSUMER_LAG))
                    .as("another source answers")
                    .isEqualTo(42);
            assertThat(gauge(MeterNames.INBOX_SAMPLE_AGE)).isGreaterThan(before);
        }
    }

    @Test
    void aScrapeDuringASampleSeesTheLastOne() {
        ConsumerHealth health = new ConsumerHealth(
                ConsumerHealth.State.RUNNING, true, 7, List.of(), Duration.ZERO, OptionalLong.empty(), null, 0);
        List<Double> scraped = new CopyOnWriteArrayList<>();
        try (InboxMetrics metrics = InboxMetrics.builder(registry).build()) {
            metrics.watch("billing", "kafka", () -> {
                scraped.add(gauge(MeterNames.CONSUMER_IN_HAND));
                return health;
            });

            metrics.sample();
            metrics.sample();

            assertThat(scraped).containsExactly(Double.NaN, 7.0);
        }
    }

    @Test
    void gaugesShowNothingAfterTheEnd() {
        try (Warehouse warehouse = new Warehouse(Kind.H2, registry)) {
            warehouse.everythingHappens();
        }

        assertThat(gauge(MeterNames.INBOX_PARKED)).isNaN();
        assertThat(gauge(MeterNames.SAGA_STUCK)).isNaN();
    }

    @Test
    void sampledValuesComeByThemselves() {
        try (InboxMetrics metrics = InboxMetrics.builder(registry)
                .sampleEvery(Duration.ofMillis(10))
                .build()) {
            List<Integer> asked = new CopyOnWriteArrayList<>();
            metrics.watch("billing", "kafka", () -> {
                asked.add(1);
                throw new AssertionError("out of something");
            });

            metrics.start();

            Shop.await(() -> asked.size() > 3);
            assertThat(gauge(MeterNames.CONSUMER_ALIVE)).isNaN();
        }
    }

    @Test
    void aSourceThatWouldNeverBeShownIsRefused() {
        JdbcDataSource source = new JdbcDataSource();
        InboxMetrics inbox = InboxMetrics.builder(registry).build();
        SagaMetrics sagas = SagaMetrics.builder(registry).build().watch(SagaAdmin.of(source), "a", "b");
        inbox.watch(JdbcInboxAdmin.of(source), "billing").watch(JdbcInboxAdmin.of(source), "mail");

        assertThatIllegalStateException()
                .isThrownBy(() -> inbox.watch(JdbcInboxAdmin.of(source), "billing"))
                .withMessageContaining("billing");
        assertThatIllegalStateException()
                .isThrownBy(() -> sagas.watch(SagaAdmin.of(source), "c"))
                .withMessageContaining("already");
    }

    @Test
    void wrongSettingsAreRefusedByName() {
        InboxMetrics.Builder inbox = InboxMetrics.builder(registry);
        SagaMetrics.Builder sagas = SagaMetrics.builder(registry);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> inbox.inbox("a b"))
                .withMessageContaining("inbox");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> inbox.mostListed(1_001))
                .withMessageContaining("mostListed");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> inbox.maxConsumers(0))
                .withMessageContaining("maxConsumers");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> inbox.sampleEvery(Duration.ZERO))
                .withMessageContaining("sampleEvery");
        assertThatIllegalArgumentException().isThrownBy(() -> sagas.sagas("")).withMessageContaining("sagas");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> sagas.mostListed(0))
                .withMessageContaining("mostListed");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> sagas.maxDefinitions(0))
                .withMessageContaining("maxDefinitions");
    }

    private double gauge(String name) {
        return registry.get(name).gauge().value();
    }

    private double steps(String direction, String status) {
        return counter(MeterNames.SAGA_STEPS, "saga", Warehouse.SAGA, "direction", direction, "status", status);
    }

    private double counter(String name, String... tags) {
        String owner = name.contains(".saga.") ? "sagas" : "inbox";
        return registry.get(name).tag(owner, "shop").tags(tags).counter().count();
    }
}

package dev.postrider.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postrider.inbox.InboxPurgeJob;
import dev.postrider.relay.RetentionJob;
import dev.postrider.saga.SagaPurgeJob;
import dev.postrider.services.Database.Kind;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The jobs that remove old rows run with the context. */
final class JobsTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @Test
    void jobsRemoveWhatIsOldAndEndWithTheContext() {
        SagaPurgeJob[] sagas = new SagaPurgeJob[1];
        Contexts.on(Kind.H2)
                .withBean(Deliveries.class)
                .withBean(Invoices.class)
                .withUserConfiguration(SagaAutoConfigurationTest.Sagas.class)
                .withPropertyValues(
                        "postrider.schema.mode=create-or-migrate",
                        "postrider.publisher=handler",
                        "postrider.retention.delivered=0s",
                        "postrider.saga.retention=1d")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    sagas[0] = context.getBean(SagaPurgeJob.class);
                    await().atMost(PATIENCE).until(() -> sagas[0].health().lastSuccess() != null);
                    assertThat(context.getBean(InboxPurgeJob.class).failure()).isEmpty();
                    assertThat(context.getBean(RetentionJob.class).restarts()).isZero();
                });

        assertThat(sagas[0].health().running()).isFalse();
    }

    @Test
    void eachJobCanBeSwitchedOff() {
        Contexts.embedded()
                .withBean(Invoices.class)
                .withUserConfiguration(SagaAutoConfigurationTest.Sagas.class)
                .withPropertyValues(
                        "postrider.relay.enabled=false",
                        "postrider.retention.enabled=false",
                        "postrider.inbox.purge=false",
                        "postrider.saga.purge=false")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(RetentionJob.class)
                        .doesNotHaveBean(InboxPurgeJob.class)
                        .doesNotHaveBean(SagaPurgeJob.class));
    }
}

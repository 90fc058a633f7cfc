package dev.postrider.inbox;

import static dev.postrider.inbox.Desk.CONSUMER;
import static dev.postrider.inbox.Desk.effect;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.postrider.services.Database.Kind;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The inbox is purged without anybody's call. */
@Tag("R0.7")
@Tag("B5")
final class InboxPurgeJobTest {

    private static final int OLD = 25;

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("I12")
    void jobRemovesWhatIsOlderThanTheRetentionAndNothingElse(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            JdbcInbox inbox = desk.inbox().build();
            old(desk, inbox);
            inbox.process("young", CONSUMER, effect("young"));

            try (InboxPurgeJob job = job(inbox)) {
                awaitUntil(() -> job.removed() == OLD);
                assertThat(job.failure()).isEmpty();
            }

            assertThat(desk.marks()).isEqualTo(1);
            assertThat(desk.count("inbox_message where message_id = 'young'")).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void jobThatFailsSaysSoAndGoesOn(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            JdbcInbox inbox = desk.inbox().build();
            old(desk, inbox);
            desk.execute("alter table inbox_failure rename to inbox_away");

            try (InboxPurgeJob job = job(inbox)) {
                awaitUntil(() -> job.failure().isPresent());
                desk.execute("alter table inbox_away rename to inbox_failure");

                awaitUntil(() -> job.failure().isEmpty() && desk.marks() == 0);
            }
        }
    }

    @Test
    void jobGoesOnAsLongAsItsBatchesAreFull() {
        try (Desk desk = Desk.open(Kind.H2)) {
            JdbcInbox inbox = desk.inbox().build();
            old(desk, inbox);

            try (InboxPurgeJob job = InboxPurgeJob.builder(inbox)
                    .batchSize(5)
                    .pause(Duration.ZERO)
                    .interval(Duration.ofHours(1), Duration.ofHours(1))
                    .build()
                    .start()) {
                awaitUntil(() -> job.removed() == OLD);
            }
        }
    }

    @Test
    void closedJobEndsItsThreadAndCannotBeStartedAgain() {
        try (Desk desk = Desk.open(Kind.H2)) {
            Set<Thread> before = Thread.getAllStackTraces().keySet();
            InboxPurgeJob job = job(desk.inbox().build());

            job.close();

            assertThatIllegalStateException().isThrownBy(job::start);
            assertThat(Thread.getAllStackTraces().keySet().stream()
                            .filter(thread -> !before.contains(thread))
                            .map(Thread::getName))
                    .doesNotContain("outbox-retention");
        }
    }

    @Test
    void settingsThatCannotWorkAreRefusedByName() {
        try (Desk desk = Desk.open(Kind.H2)) {
            InboxPurgeJob.Builder builder = InboxPurgeJob.builder(desk.inbox().build());

            assertThatIllegalArgumentException()
                    .isThrownBy(() -> builder.batchSize(0))
                    .withMessageContaining("batchSize");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> builder.batchSize(10_001))
                    .withMessageContaining("batchSize");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> builder.pause(Duration.ofMillis(-1)))
                    .withMessageContaining("pause");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> builder.interval(Duration.ZERO, Duration.ofHours(1)))
                    .withMessageContaining("afterWork");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> builder.interval(Duration.ofHours(2), Duration.ofHours(1)))
                    .withMessageContaining("shorter");
        }
    }

    private static void old(Desk desk, Inbox inbox) {
        for (int i = 0; i < OLD; i++) {
            inbox.process("old-" + i, CONSUMER, effect("old-" + i));
        }
        desk.execute("update inbox_message set processed_at = "
                + switch (desk.kind()) {
                    case POSTGRES_15, POSTGRES_18 -> "processed_at - interval '15 days'";
                    case MARIADB, MYSQL -> "processed_at - interval 15 day";
                    case H2 -> "dateadd('DAY', -15, processed_at)";
                });
    }

    private static InboxPurgeJob job(JdbcInbox inbox) {
        return InboxPurgeJob.builder(inbox)
                .batchSize(7)
                .pause(Duration.ZERO)
                .interval(Duration.ofMillis(20), Duration.ofMillis(20))
                .build()
                .start();
    }

    private static void awaitUntil(Callable<Boolean> condition) {
        Awaitility.await().atMost(Duration.ofMinutes(2)).until(condition);
    }
}

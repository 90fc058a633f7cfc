package dev.postrider.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.services.Database.Kind;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which values settings, names and limits of the inbox may have, to the last one that is allowed. */
final class InboxLimitsTest {

    private static final String PUT_ASIDE = "insert into inbox_failure (consumer, message_id, topic, message_key, seq,"
            + " state, reason, attempts, created_at, updated_at, payload) values ('billing', '%s', 'orders', null, null,"
            + " '%s', null, 1, current_timestamp, current_timestamp, null)";

    @Test
    void settingsAreTakenUpToTheirLimits() {
        try (HikariDataSource unused = new HikariDataSource()) {
            JdbcInbox.Builder builder = JdbcInbox.builder(unused)
                    .fastPath(true)
                    .lockWait(Duration.ofMillis(1))
                    .lockWait(Duration.ofHours(1))
                    .transactions(() -> {
                        throw new SQLException("unused");
                    })
                    .txRetries(0)
                    .retention(Duration.ofNanos(1))
                    .parkAfter(1);

            assertThat(builder.build()).isNotNull();
            refused(() -> builder.lockWait(Duration.ofNanos(999_999)), "lockWait");
            refused(() -> builder.lockWait(Duration.ofHours(1).plusNanos(1)), "lockWait");
            refused(() -> builder.txRetries(-1), "txRetries");
            refused(() -> builder.retention(Duration.ZERO), "retention");
            refused(() -> builder.parkAfter(0), "parkAfter");
        }
    }

    @Test
    void consumersOfBatchesAndOfReleasedMessagesAreChecked() {
        try (HikariDataSource unused = new HikariDataSource()) {
            Inbox inbox = JdbcInbox.of(unused);
            ReceivedMessage message = ReceivedMessage.from("orders").id("m1").build();

            refused(() -> inbox.process(message, "", transaction -> "no"), "consumer");
            refused(
                    () -> inbox.processBatch("x".repeat(101), List.of(message), (messages, transaction) -> {}),
                    "consumer");
            refused(() -> inbox.processReleased("", 1, (each, transaction) -> {}), "consumer");
            refused(() -> inbox.processReleased("billing", 0, (each, transaction) -> {}), "limit");
        }
    }

    @Test
    void namesFitUpToTheirLimits() {
        assertThat(MessageNames.fits("x".repeat(100))).isTrue();
        assertThat(MessageNames.fits("x".repeat(101))).isFalse();
        assertThat(MessageNames.fits("")).isFalse();
        assertThat(MessageNames.fits(" ~")).isTrue();
        assertThat(MessageNames.fits("\u001f")).isFalse();
        assertThat(MessageNames.fits("\u007f")).isFalse();
        assertThat(MessageNames.stored("k".repeat(250), 250, false)).isEqualTo("k".repeat(250));
        assertThat(MessageNames.stored("k".repeat(251), 250, false)).startsWith("sha256:");
        assertThat(MessageNames.stored("k\0", 250, false)).startsWith("sha256:");
        assertThat(MessageNames.stored("schlüssel", 250, false)).isEqualTo("schlüssel");
        assertThat(MessageNames.stored("schlüssel", 250, true)).startsWith("sha256:");
        assertThat(MessageNames.stored("key", 250, true)).isEqualTo("key");
        assertThat(ReceivedMessage.from("t".repeat(255)).build().topic()).hasSize(255);
        refused(() -> ReceivedMessage.from("t".repeat(256)), "topic");
        refused(() -> ReceivedMessage.from(""), "topic");
    }

    @Test
    void messagesOfWhichNothingIsKnownHaveDifferentStandIns() {
        ReceivedMessage nothing = ReceivedMessage.from("orders").build();

        String first = MessageNames.standIn(nothing);

        assertThat(first).startsWith("no-id/").isNotEqualTo(MessageNames.standIn(nothing));
        assertThat(MessageNames.fits(first)).isTrue();
    }

    @Test
    void idThatIsAsLongAsAUuidAndIsNoneTellsNoTime() {
        assertThat(MessageNames.millis("x".repeat(36))).isEmpty();
        assertThat(MessageNames.millis("00000000-0001-7000-8000-000000000000")).hasValue(1);
        assertThat(MessageNames.millis("00000000-0001-4000-8000-000000000000")).isEmpty();
        assertThat(MessageNames.millis("00000000-0001-7000-0000-000000000000")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void purgeRemovesAsManyAsItsLimitOfMarksAndFailuresTogether(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            for (String id : List.of("m1", "m2")) {
                desk.execute("insert into inbox_message (consumer, message_id, processed_at) values ('billing', '" + id
                        + "', current_timestamp)");
            }
            for (String id : List.of("f1", "f2")) {
                desk.execute(PUT_ASIDE.formatted(id, "FAILING"), PUT_ASIDE.formatted("d" + id, "DISCARDED"));
            }
            desk.execute(PUT_ASIDE.formatted("p1", "PARKED"));
            InboxAdmin admin = JdbcInboxAdmin.of(desk.pool(), InboxSchema.NAMES);

            refused(() -> admin.purge(Duration.ZERO, 0), "limit");
            refused(() -> admin.purge(Duration.ofNanos(-1), 1), "age");
            assertThat(admin.purge(Duration.ofDays(1), 10)).as("younger").isZero();
            assertThat(admin.purge(Duration.ZERO, 3)).isEqualTo(3);
            assertThat(desk.marks()).isZero();
            assertThat(desk.count("inbox_failure")).isEqualTo(4);
            assertThat(admin.purge(Duration.ZERO, 1)).isEqualTo(1);
            assertThat(admin.purge(Duration.ZERO, 10)).isEqualTo(2);
            assertThat(desk.count("inbox_failure where state = 'PARKED'")).isEqualTo(1);
        }
    }

    private static void refused(ThrowingCallable work, String what) {
        assertThatIllegalArgumentException().isThrownBy(work).withMessageContaining(what);
    }
}

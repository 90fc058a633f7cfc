package dev.postrider.inbox;

import static dev.postrider.inbox.Desk.CONSUMER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.admin.Decision;
import dev.postrider.inbox.InboxResult.Parked;
import dev.postrider.services.Database.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A released message that was handled already, or is being handled elsewhere. */
@Tag("I1")
final class ReleasedTwiceTest {

    private static final ReceivedMessage MESSAGE =
            ReceivedMessage.from("orders").id("m1").key("a").sequence(7L).build();

    private final AtomicInteger calls = new AtomicInteger();
    private final ReceivedHandler handler = (message, transaction) -> calls.incrementAndGet();

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void releasedMessageWithAMarkIsForgottenAndNotHandledAgain(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Inbox inbox = released(desk, Dedupe.MESSAGE_ID);
            desk.execute("insert into inbox_message (consumer, message_id, processed_at)"
                    + " values ('billing', 'm1', current_timestamp)");

            assertThat(inbox.processReleased(CONSUMER, 10, handler)).isZero();

            assertThat(calls).hasValue(0);
            assertThat(desk.count("inbox_failure")).isZero();
            assertThat(desk.marks()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void releasedMessageWhoseSequenceWasReachedIsForgottenAndNotHandledAgain(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Inbox inbox = released(desk, Dedupe.SEQUENCE);
            desk.execute("insert into inbox_position (consumer, topic, message_key, last_seq, mark, updated_at)"
                    + " values ('billing', 'orders', 'a', 7, 1, current_timestamp)");

            assertThat(inbox.processReleased(CONSUMER, 10, handler)).isZero();

            assertThat(calls).hasValue(0);
            assertThat(desk.count("inbox_failure")).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void releasedMessageInOtherHandsIsLeftToThem(Kind kind) throws SQLException {
        try (Desk desk = Desk.open(kind);
                Connection other = desk.database().dataSource().getConnection()) {
            Inbox inbox = released(desk, Dedupe.MESSAGE_ID);
            other.setAutoCommit(false);
            try (Statement statement = other.createStatement()) {
                statement.executeQuery("select place from inbox_failure where message_id = 'm1' for update");
            }

            assertThat(inbox.processReleased(CONSUMER, 10, handler)).isZero();
            assertThat(calls).hasValue(0);
            other.rollback();
            assertThat(inbox.processReleased(CONSUMER, 10, handler)).isEqualTo(1);

            assertThat(calls).hasValue(1);
            assertThat(desk.count("inbox_failure")).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void firstReleasedMessageOfAKeyBeginsItsSequence(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Inbox inbox = released(desk, Dedupe.SEQUENCE);

            assertThat(inbox.processReleased(CONSUMER, 10, handler)).isEqualTo(1);

            assertThat(calls).hasValue(1);
            assertThat(desk.count("inbox_position where last_seq = 7")).isEqualTo(1);
            assertThat(inbox.process(MESSAGE, CONSUMER, transaction -> "again"))
                    .isEqualTo(new InboxResult.Duplicate<>());
        }
    }

    private static Inbox released(Desk desk, Dedupe dedupe) {
        Inbox inbox = desk.inbox().dedupe(dedupe).parkAfter(1).build();
        assertThat(inbox.process(MESSAGE, CONSUMER, transaction -> {
                    throw new IllegalStateException("bad");
                }))
                .isEqualTo(new Parked<>(ParkReason.FAILED));
        desk.admin().release(CONSUMER, List.of("m1"), new Decision("ada", "repaired"));
        return inbox;
    }
}

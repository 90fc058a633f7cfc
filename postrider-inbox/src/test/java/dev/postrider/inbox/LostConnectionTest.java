package dev.postrider.inbox;

import static dev.postrider.inbox.Desk.CONSUMER;
import static dev.postrider.inbox.Desk.effect;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.postrider.admin.Decision;
import dev.postrider.database.FaultPoints;
import dev.postrider.inbox.InboxBatchResult.Entry;
import dev.postrider.inbox.InboxBatchResult.Outcome;
import dev.postrider.inbox.InboxException.Reason;
import dev.postrider.inbox.InboxResult.Parked;
import dev.postrider.inbox.InboxResult.Processed;
import dev.postrider.services.Database.Kind;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.assertj.core.api.AbstractComparableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The database ends the session of a handler. The message is not to blame: nothing is counted, nothing is parked. */
@Tag("R0.7")
@Tag("B5")
@Tag("I3")
final class LostConnectionTest {

    private static final ReceivedMessage MESSAGE =
            ReceivedMessage.from("orders").id("m1").key("a").sequence(1L).build();

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void connectionLostInAHandlerIsNotCounted(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            for (Dedupe dedupe : Dedupe.values()) {
                Inbox inbox = inbox(desk).dedupe(dedupe).parkAfter(1).build();

                fails(() -> inbox.process(MESSAGE, dedupe.name(), transaction -> {
                            kill(desk, session(desk, transaction.connection()));
                            return effect("m1").handle(transaction);
                        }))
                        .isEqualTo(Reason.INFRASTRUCTURE);

                assertThat(desk.count("inbox_failure")).isZero();
                assertThat(inbox.process(MESSAGE, dedupe.name(), InboxTransaction::attempt))
                        .isEqualTo(new Processed<>(1));
            }
            assertThat(desk.effects()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void connectionLostBehindAHandlerIsNotCounted(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Inbox inbox = inbox(desk).parkAfter(1).build();

            fails(() -> inbox.process(MESSAGE, CONSUMER, transaction -> {
                        String done = effect("m1").handle(transaction);
                        kill(desk, session(desk, transaction.connection()));
                        return done;
                    }))
                    .isIn(Reason.INFRASTRUCTURE, Reason.OUTCOME_UNKNOWN);

            assertThat(desk.count("inbox_failure")).isZero();
            assertThat(desk.effects()).isZero();
            assertThat(inbox.process(MESSAGE, CONSUMER, effect("m1"))).isEqualTo(new Processed<>("done m1"));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void connectionLostWithTheCommitIsNotCountedAndItsOutcomeIsUnknown(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Inbox inbox = inbox(desk).parkAfter(1).build();
            AtomicLong session = new AtomicLong();

            try (FaultPoints points = FaultPoints.install(point -> {
                if (point.equals("inbox.committing")) {
                    kill(desk, session.get());
                }
            })) {
                assertThat(points).isNotNull();
                fails(() -> inbox.process(MESSAGE, CONSUMER, transaction -> {
                            session.set(session(desk, transaction.connection()));
                            return effect("m1").handle(transaction);
                        }))
                        .isEqualTo(Reason.OUTCOME_UNKNOWN);
            }

            assertThat(desk.count("inbox_failure")).isZero();
            assertThat(inbox.process(MESSAGE, CONSUMER, effect("m1"))).isEqualTo(new Processed<>("done m1"));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("I8")
    void batchWhoseConnectionIsLostIsNotTriedMessageByMessage(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Inbox inbox = inbox(desk).parkAfter(1).build();
            AtomicInteger calls = new AtomicInteger();

            InboxBatchResult result = inbox.processBatch(CONSUMER, batch(), (messages, transaction) -> {
                calls.incrementAndGet();
                kill(desk, session(desk, transaction.connection()));
                effect("m1").handle(transaction);
            });

            assertThat(result.entries())
                    .extracting(Entry::outcome)
                    .containsExactly(Outcome.FAILED, Outcome.HELD_BACK, Outcome.HELD_BACK);
            assertThat(result.entries().get(0).failure())
                    .isNotNull()
                    .extracting(InboxException::reason)
                    .isEqualTo(Reason.INFRASTRUCTURE);
            assertThat(calls).hasValue(1);
            assertThat(desk.count("inbox_failure")).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("I8")
    void messageWhoseConnectionIsLostHoldsTheRestOfItsBatchBack(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Inbox inbox = inbox(desk).parkAfter(1).build();

            InboxBatchResult result = inbox.processBatch(CONSUMER, batch(), (messages, transaction) -> {
                if (messages.size() > 1) {
                    throw new IllegalStateException("one by one, please");
                }
                if (messages.get(0).id().orElseThrow().equals("m2")) {
                    kill(desk, session(desk, transaction.connection()));
                }
                effect("any").handle(transaction);
            });

            assertThat(result.entries())
                    .extracting(Entry::outcome)
                    .containsExactly(Outcome.PROCESSED, Outcome.FAILED, Outcome.HELD_BACK);
            assertThat(desk.count("inbox_failure")).isZero();
            assertThat(desk.effects()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void releasedMessageWhoseConnectionIsLostStaysReleased(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Inbox inbox = inbox(desk).parkAfter(1).build();
            assertThat(inbox.process(MESSAGE, CONSUMER, transaction -> {
                        throw new IllegalStateException("bad");
                    }))
                    .isEqualTo(new Parked<>(ParkReason.FAILED));
            desk.admin().release(CONSUMER, List.of("m1"), new Decision("ada", "repaired"));

            fails(() -> inbox.processReleased(CONSUMER, 10, (message, transaction) -> {
                        kill(desk, session(desk, transaction.connection()));
                        effect("m1").handle(transaction);
                    }))
                    .isEqualTo(Reason.INFRASTRUCTURE);

            assertThat(desk.admin().lookup(CONSUMER, "m1")).hasValueSatisfying(entry -> {
                assertThat(entry.state()).isEqualTo(InboxEntry.State.RELEASED);
                assertThat(entry.attempts()).isZero();
            });
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "H2"})
    void interruptedBatchIsNotTriedMessageByMessage(Kind kind) throws Exception {
        try (Desk desk = Desk.open(kind);
                Threads threads = new Threads()) {
            Inbox inbox = inbox(desk).parkAfter(1).build();
            AtomicInteger calls = new AtomicInteger();

            InboxBatchResult result = Threads.result(
                    threads.start(() -> inbox.processBatch(CONSUMER, batch(), (messages, transaction) -> {
                        calls.incrementAndGet();
                        throw new InterruptedException("shutting down");
                    })));

            assertThat(result.firstUnacknowledged()).hasValue(0);
            assertThat(calls).hasValue(1);
            assertThat(desk.count("inbox_failure")).isZero();
        }
    }

    // Without a pool, which would hand out the connection that is lost.
    private static JdbcInbox.Builder inbox(Desk desk) {
        return JdbcInbox.builder(desk.database().dataSource());
    }

    private static List<ReceivedMessage> batch() {
        return Stream.of("m1", "m2", "m3")
                .map(id -> ReceivedMessage.from("orders").id(id).build())
                .toList();
    }

    private static AbstractComparableAssert<?, Reason> fails(ThrowingCallable work) {
        return assertThat(catchThrowableOfType(InboxException.class, work).reason());
    }

    private static long session(Desk desk, Connection connection) throws SQLException {
        String question = switch (desk.kind()) {
            case POSTGRES_15, POSTGRES_18 -> "select pg_backend_pid()";
            case MARIADB, MYSQL -> "select connection_id()";
            case H2 -> "call session_id()";
        };
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(question)) {
            row.next();
            return row.getLong(1);
        }
    }

    // PostgreSQL waits until the session has ended; the others end it before its next statement.
    private static void kill(Desk desk, long session) {
        switch (desk.kind()) {
            case POSTGRES_15, POSTGRES_18 -> desk.execute("select pg_terminate_backend(" + session + ", 60000)");
            case MARIADB, MYSQL -> desk.execute("kill " + session);
            case H2 -> desk.execute("call abort_session(" + session + ")");
        }
    }
}

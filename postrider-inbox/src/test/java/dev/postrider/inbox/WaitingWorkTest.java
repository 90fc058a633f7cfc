package dev.postrider.inbox;

import static dev.postrider.inbox.Desk.CONSUMER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.postrider.admin.Decision;
import dev.postrider.inbox.InboxResult.Parked;
import dev.postrider.inbox.InboxResult.Processed;
import dev.postrider.services.Database.Kind;
import dev.postrider.services.SingleConnection;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The thread that receives reads a bounded number of rows, however many messages are put aside. */
@Tag("R0.7")
@Tag("B5")
final class WaitingWorkTest {

    private static final int ROWS = 10 * ReleasedRun.WINDOW;
    // For each row of a window: itself, the first of its key in each state, and what a temporary table costs.
    private static final long BOUND = 8L * ReleasedRun.WINDOW;

    private static final String COLUMNS = "insert into inbox_failure (consumer, message_id, topic, message_key, seq,"
            + " state, reason, attempts, created_at, updated_at, payload) ";

    @ParameterizedTest
    @CsvSource({
        "POSTGRES_18,MESSAGE_ID,false",
        "POSTGRES_18,MESSAGE_ID,true",
        "POSTGRES_18,SEQUENCE,true",
        "MARIADB,MESSAGE_ID,true",
        "MARIADB,SEQUENCE,true",
        "MYSQL,MESSAGE_ID,true",
        "MYSQL,SEQUENCE,true"
    })
    void messagesBehindAParkedOneAreNotAllReadByEveryCall(Kind kind, Dedupe dedupe, boolean analyzed)
            throws SQLException {
        try (Desk desk = Desk.open(kind);
                Connection connection = desk.database().dataSource().getConnection()) {
            park(desk, "hot");
            fill(desk, "BEHIND", analyzed);
            Inbox inbox = JdbcInbox.builder(new SingleConnection(connection))
                    .dedupe(dedupe)
                    .build();
            inbox.processReleased(CONSUMER, 1, WaitingWorkTest::refuse);
            JdbcInboxAdmin admin = JdbcInboxAdmin.of(new SingleConnection(connection));
            admin.parked(CONSUMER, 0, 1);

            for (int call = 0; call < 3; call++) {
                assertBounded(
                        desk,
                        connection,
                        () -> assertThat(inbox.processReleased(CONSUMER, 10, WaitingWorkTest::refuse))
                                .isZero());
            }
            assertBounded(
                    desk,
                    connection,
                    () -> assertThat(inbox.process(next(), CONSUMER, transaction -> "no"))
                            .isEqualTo(new Parked<>(ParkReason.BEHIND)));
            assertBounded(desk, connection, () -> admin.parked(CONSUMER, 0, 100));
            assertBounded(
                    desk, connection, () -> admin.discard(CONSUMER, List.of("hot"), new Decision("ada", "test data")));
            assertBounded(
                    desk,
                    connection,
                    () -> assertThat(inbox.processReleased(CONSUMER, 10, (message, transaction) -> {}))
                            .isEqualTo(10));
        }
    }

    @ParameterizedTest
    @CsvSource({"POSTGRES_18,BEHIND", "MARIADB,BEHIND", "MYSQL,BEHIND", "POSTGRES_18,DISCARDED", "MYSQL,DISCARDED"})
    void retriedMessageDoesNotReadAllThatCameAfterIt(Kind kind, String state) throws SQLException {
        try (Desk desk = Desk.open(kind);
                Connection connection = desk.database().dataSource().getConnection()) {
            desk.execute(COLUMNS + "values ('billing', 'first', 'orders', 'hot', 0, 'FAILING', null, 1, "
                    + "current_timestamp, current_timestamp, null)");
            fill(desk, state, true);
            Inbox inbox = JdbcInbox.builder(new SingleConnection(connection))
                    .dedupe(Dedupe.SEQUENCE)
                    .build();
            inbox.process("warm", CONSUMER, transaction -> "up");
            ReceivedMessage first = ReceivedMessage.from("orders")
                    .id("first")
                    .key("hot")
                    .sequence(0L)
                    .build();

            assertBounded(
                    desk,
                    connection,
                    () -> assertThat(inbox.process(first, CONSUMER, transaction -> "done"))
                            .isInstanceOf(Processed.class));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "POSTGRES_18,BEHIND",
        "MARIADB,BEHIND",
        "MYSQL,BEHIND",
        "POSTGRES_18,FAILING",
        "MARIADB,FAILING",
        "MYSQL,FAILING"
    })
    void batchOfOtherKeysDoesNotReadAllThatArePutAside(Kind kind, String state) throws SQLException {
        try (Desk desk = Desk.open(kind);
                Connection connection = desk.database().dataSource().getConnection()) {
            fill(desk, state, true);
            Inbox inbox = JdbcInbox.builder(new SingleConnection(connection)).build();
            InboxBatchHandler nothing = (messages, transaction) -> {};
            inbox.processBatch(CONSUMER, List.of(cold("warm"), cold("up")), nothing);

            assertBounded(
                    desk,
                    connection,
                    () -> assertThat(inbox.processBatch(CONSUMER, List.of(cold("m1"), cold("m2"), cold("m3")), nothing)
                                    .firstUnacknowledged())
                            .isEmpty());
        }
    }

    private static ReceivedMessage cold(String id) {
        return ReceivedMessage.from("orders").id(id).key("cold-" + id).build();
    }

    // Nothing tells the inbox that these are free: an older version left them so, or two transactions overlapped.
    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void messageThatWaitsForNothingIsFoundBehindManyThatWait(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            park(desk, "hot");
            fill(desk, "BEHIND", true);
            desk.execute(COLUMNS + "values ('billing', 'free', 'orders', 'cold', 1, 'BEHIND', 'BEHIND', 0, "
                    + "current_timestamp, current_timestamp, null)");
            Inbox inbox = desk.inbox().build();

            int handled = 0;
            int calls = 0;
            while (handled == 0 && calls <= ROWS / ReleasedRun.WINDOW) {
                handled = inbox.processReleased(
                        CONSUMER,
                        10,
                        (message, transaction) -> assertThat(message.id()).hasValue("free"));
                calls++;
            }

            assertThat(handled).isEqualTo(1);
            assertThat(calls).as("a call looks at one window").isEqualTo(ROWS / ReleasedRun.WINDOW + 1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void callTriesNoMoreMessagesThanItsLimit(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Inbox inbox = desk.inbox().parkAfter(1).build();
            for (int i = 0; i < 5; i++) {
                park(desk, "key-" + i);
            }
            desk.admin()
                    .release(CONSUMER, List.of("key-0", "key-1", "key-2", "key-3", "key-4"), new Decision("ada", "go"));
            int[] tries = new int[1];
            ReceivedHandler failing = (message, transaction) -> {
                tries[0]++;
                throw new IllegalStateException("bad");
            };

            assertThat(inbox.processReleased(CONSUMER, 2, failing)).isZero();
            assertThat(tries[0]).isEqualTo(2);
            assertThat(inbox.processReleased(CONSUMER, 3, (message, transaction) -> {}))
                    .as("those that were not tried")
                    .isEqualTo(3);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"H2"})
    void listsOfTheAdminAreBounded(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            JdbcInboxAdmin admin = desk.admin();
            List<String> tooMany = Collections.nCopies(1_001, "m1");
            Decision decision = new Decision("ada", "why");

            assertThat(admin.parked(CONSUMER, 0, 1)).isEmpty();
            assertThat(admin.parked(CONSUMER, 0, 1_000)).isEmpty();
            assertThat(admin.release(CONSUMER, Collections.nCopies(1_000, "m1"), decision))
                    .isZero();
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> admin.parked(CONSUMER, 0, 1_001))
                    .withMessageContaining("limit");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> admin.parked(CONSUMER, 0, 0))
                    .withMessageContaining("limit");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> admin.release(CONSUMER, tooMany, decision))
                    .withMessageContaining("messageIds");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> admin.discard(CONSUMER, tooMany, decision))
                    .withMessageContaining("messageIds");
        }
    }

    private static void refuse(ReceivedMessage message, InboxTransaction transaction) {
        throw new IllegalStateException("Nothing may be handled, not even " + message);
    }

    private static ReceivedMessage next() {
        return ReceivedMessage.from("orders")
                .id("next")
                .key("hot")
                .sequence(1_000_000L)
                .build();
    }

    private static void park(Desk desk, String key) {
        ReceivedMessage message =
                ReceivedMessage.from("orders").id(key).key(key).sequence(0L).build();
        Inbox inbox = desk.inbox().parkAfter(1).build();
        assertThat(inbox.process(message, CONSUMER, transaction -> {
                    throw new IllegalStateException("bad");
                }))
                .isEqualTo(new Parked<>(ParkReason.FAILED));
    }

    private static void fill(Desk desk, String state, boolean analyzed) {
        String values = "'orders', 'hot', n, '" + state + "', 'BEHIND', 0, current_timestamp, current_timestamp, null";
        switch (desk.kind()) {
            case POSTGRES_15, POSTGRES_18 -> {
                desk.execute(
                        "alter table inbox_failure set (autovacuum_enabled = false)",
                        COLUMNS + "select 'billing', 'b' || n, " + values.replace("null", "null::bytea")
                                + " from generate_series(1, " + ROWS + ") n");
                if (analyzed) {
                    desk.execute("analyze inbox_failure");
                }
            }
            case MARIADB, MYSQL -> {
                String depth = desk.kind() == Kind.MARIADB ? "max_recursive_iterations" : "cte_max_recursion_depth";
                desk.execute(
                        "set session %s = %d".formatted(depth, ROWS + 1),
                        COLUMNS + "with recursive g (n) as (select 1 union all select n + 1 from g where n < " + ROWS
                                + ") select 'billing', concat('b', n), " + values + " from g",
                        "analyze table inbox_failure");
            }
            case H2 ->
                desk.execute(COLUMNS + "select 'billing', 'b' || x, " + values.replace("n,", "x,")
                        + " from system_range(1, " + ROWS + ")");
        }
    }

    private static void assertBounded(Desk desk, Connection connection, Runnable work) throws SQLException {
        long before = rowsRead(desk.kind(), connection);

        work.run();

        assertThat(rowsRead(desk.kind(), connection) - before).isLessThan(BOUND);
    }

    private static long rowsRead(Kind kind, Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            if (kind == Kind.POSTGRES_18) {
                statement.execute("select pg_stat_force_next_flush()");
                return sum(statement, 1, """
                        select seq_tup_read from pg_stat_user_tables where relname like 'inbox%'
                         union all
                        select idx_tup_read from pg_stat_user_indexes where relname like 'inbox%'
                        """);
            }
            return sum(statement, 2, "show session status like 'Handler_read%'");
        }
    }

    private static long sum(Statement statement, int column, String sql) throws SQLException {
        long sum = 0;
        try (ResultSet row = statement.executeQuery(sql)) {
            while (row.next()) {
                sum += row.getLong(column);
            }
        }
        return sum;
    }
}

package dev.postrider.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.OutboxMessage;
import dev.postrider.database.Dialect;
import dev.postrider.database.Session;
import dev.postrider.database.SqlText;
import dev.postrider.database.TableNames;
import dev.postrider.services.Database.Kind;
import dev.postrider.services.SingleConnection;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.FetchedRow;
import dev.postrider.spi.Settlement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The statements of the relay stay on their indexes and sort nothing, however full the table is. */
@Tag("B9")
@Tag("F57")
final class MySqlPlanTest {

    private static final int HELD = 2_000;
    private static final LocalDateTime EPOCH = LocalDateTime.of(1970, 1, 1, 0, 0);
    private static final String FILL = """
            insert into outbox_message (id, topic, message_key, shard, type, content_hash, payload, status, due_at,
                                        holds_key)
            with recursive g (n) as (select 1 union all select n + 1 from g where n < %d)
            select unhex(md5(concat('%s', n))), 'orders', concat('key-', n %% 500), n %% 64, 'Placed',
                   unhex(sha2('|Placed|x', 256)), 'x', %s
              from g
            """;

    @ParameterizedTest
    @CsvSource({"MARIADB,2", "MARIADB,100", "MARIADB,20000", "MYSQL,2", "MYSQL,100", "MYSQL,20000"})
    void everyStatementUsesItsIndexAndSortsNothing(Kind kind, int rows) throws SQLException {
        try (Fixture fixture = Fixture.createNew(Kinds.require(kind))) {
            fill(fixture, kind, rows);
            try (Connection connection = fixture.pool().getConnection()) {
                Dialect dialect = kind == Kind.MARIADB ? Dialect.MARIADB : Dialect.MYSQL;
                SqlText text = OutboxDialect.text(TableNames.defaults(), dialect);
                String outcomes = """
                        [{"seq":1,"token":2,"shard":1,"epoch":1,"attempt":1,"status":2,"holds":0,"delay":0,"holder":1}]
                        """;

                assertThat(plan(connection, text, StepwiseFetch.SCAN, 0L, 9_000_000L, 10))
                        .containsExactly("m:PRIMARY");
                assertThat(plan(connection, text, StepwiseFetch.SCAN_DUE, EPOCH, EPOCH, 0L, 10))
                        .containsExactly("m:outbox_message_due");
                assertThat(plan(connection, text, some(StepwiseFetch.READ), 1L, 2L, 3L))
                        .containsExactlyInAnyOrder("m:PRIMARY", "e:outbox_message_holder");
                assertThat(plan(connection, text, StepwiseFetch.HOLDER, "key-1", "orders", "default", 9L))
                        .containsExactly("h:outbox_message_holder");
                assertThat(plan(
                                connection,
                                text,
                                some(StepwiseFetch.APPEARED) + " and (m.seq > ? and m.seq <= ?) order by m.seq limit ?",
                                1,
                                2,
                                3,
                                0L,
                                100L,
                                10))
                        .containsExactly("m:PRIMARY");
                assertThat(plan(connection, text, some(RowWiseSettlement.LOCK_ROWS), 1L, 2L, 3L))
                        .containsExactly("m:PRIMARY");
                assertThat(plan(connection, text, LockingManualClaims.LOCK, 5, "default", 5, 10))
                        .containsExactly("m:PRIMARY");
                assertThat(plan(connection, text, LockingHeldKeys.FIRST, "key-1", "orders", "default", 100))
                        .containsExactly("m:outbox_message_holder");
                assertThat(plan(connection, text, LockingHeldKeys.BEHIND, 0L, 10))
                        .containsExactlyInAnyOrder("m:outbox_message_due", "h:outbox_message_holder");
                assertThat(plan(connection, text, LockingHeldKeys.HOLDERS, 10))
                        .containsExactly("m:outbox_message_holder");
                assertThat(plan(connection, text, some(LockingHeldKeys.LOCK), 1L, 2L, 3L))
                        .containsExactly("m:PRIMARY");
                assertThat(plan(connection, text, some(LockingHeldKeys.CALL), 1L, 2L, 3L))
                        .containsExactly("outbox_message:PRIMARY");
                assertThat(plan(connection, text, JsonTableOutcomes.SETTLE, outcomes, "me"))
                        .containsExactly("m:PRIMARY");
                assertThat(plan(connection, text, JsonTableOutcomes.DELETE_DELIVERED, outcomes, "me"))
                        .containsExactly("m:PRIMARY");
                assertThat(plan(connection, text, JsonTableOutcomes.PUT_BEHIND, outcomes, "me"))
                        .containsExactly("h:PRIMARY", "m:PRIMARY");
            }
        }
    }

    // A list of one would be read before there is a plan.
    private static String some(String list) {
        return list.replace("(?)", "(?, ?, ?)");
    }

    private static void fill(Fixture fixture, Kind kind, int rows) {
        String depth = kind == Kind.MARIADB ? "max_recursive_iterations" : "cte_max_recursion_depth";
        fixture.execute(
                "set session %s = %d".formatted(depth, rows + 1),
                FILL.formatted(rows, "delivered", "2, null, false"),
                FILL.formatted(rows / 4, "behind", "0, timestamp '9999-12-31 00:00:00', true"),
                FILL.formatted(rows / 2, "pending", "0, null, false"),
                "analyze table outbox_message");
    }

    /** Returns the index by which each message table is read; what is sorted or scanned shows instead. */
    private static List<String> plan(Connection connection, SqlText text, String sql, Object... values)
            throws SQLException {
        List<String> tables = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement("explain " + text.of(sql))) {
            Session.bind(statement, values);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    String table = rows.getString("table");
                    String extra = String.valueOf(rows.getString("Extra"));
                    boolean scanned = "ALL".equals(rows.getString("type"));
                    if (Set.of("m", "h", "e", "outbox_message").contains(String.valueOf(table))) {
                        String how = extra.contains("filesort") ? "filesort" : rows.getString("key");
                        tables.add(table + ":" + (scanned ? "scan" : how));
                    }
                }
            }
        }
        return tables;
    }

    // A due message is at the beginning of its key, and all that wait behind it come later.
    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "MYSQL"})
    void fetchOfAHeldKeyReadsNothingOfWhatWaitsBehind(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.createNew(Kinds.require(kind));
                Connection only = fixture.pool().getConnection()) {
            HandRelay relay = HandRelay.join(
                    JdbcOutboxStore.builder(new SingleConnection(only)).build(), "me");
            OutboxMessage[] messages = IntStream.range(0, HELD)
                    .mapToObj(i ->
                            OutboxMessage.to("orders", "Placed").key("busy").build())
                    .toArray(OutboxMessage[]::new);
            fixture.enqueue(messages);
            List<ClaimedMessage> all = relay.fetch();
            long head = all.get(0).seq();
            relay.settle(all.subList(0, 1), each -> Settlement.retry(each, Duration.ZERO, "broken", true));
            relay.settle(all.subList(1, HELD), each -> Settlement.behind(each, head));
            relay.settle(relay.due(), Settlement::delivered);
            long before = rowsRead(only);

            List<FetchedRow> due = relay.duePage(500).rows();

            assertThat(due).hasSize(HeldKeys.PROMOTED_AT_ONCE);
            assertThat(due.get(0).holder()).isNull();
            assertThat(due.get(1).holder()).isEqualTo(due.get(0).seq());
            assertThat(rowsRead(only) - before).isLessThan(HELD / 2);
        }
    }

    private static long rowsRead(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("show session status like 'Handler_read%'")) {
            long sum = 0;
            while (row.next()) {
                sum += row.getLong(2);
            }
            return sum;
        }
    }
}

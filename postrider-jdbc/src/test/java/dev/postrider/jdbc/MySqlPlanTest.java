package dev.postrider.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.database.Dialect;
import dev.postrider.database.Session;
import dev.postrider.database.SqlText;
import dev.postrider.database.TableNames;
import dev.postrider.services.Database.Kind;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The statements of the relay stay on their indexes and sort nothing, however full the table is. */
@Tag("B9")
@Tag("F57")
final class MySqlPlanTest {

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
                String claims = "[{\"seq\":1,\"token\":2,\"status\":2,\"back\":0,\"due\":0,\"delay\":0}]";

                assertThat(plan(connection, text, Scan.LOOK + " order by m.seq limit 10", 0L, 9_000_000L, 1L, 3))
                        .containsExactly("m:PRIMARY");
                assertThat(plan(connection, text, Scan.LOOK_WAITING + " order by m.due_at, m.seq limit 10", 1L, 3))
                        .containsExactly("m:outbox_message_due");
                assertThat(plan(connection, text, Scan.LOCK, 1L)).containsExactly("m:PRIMARY");
                assertThat(plan(connection, text, LockingClaims.HOLDERS, "key-1"))
                        .containsExactly("m:outbox_message_holder");
                assertThat(plan(connection, text, LockingClaims.SOME_HOLDERS, 101))
                        .containsExactly("m:outbox_message_holder");
                assertThat(plan(connection, text, LockingHeldKeys.FIRST, "key-1", "orders", "default"))
                        .containsExactly("m:outbox_message_holder");
                assertThat(plan(connection, text, LockingHeldKeys.BEHIND, 0L, 10))
                        .containsExactlyInAnyOrder("m:outbox_message_due", "h:outbox_message_holder");
                assertThat(plan(connection, text, LockingHeldKeys.HOLDERS, 10))
                        .containsExactly("m:outbox_message_holder");
                assertThat(plan(connection, text, LockingClaims.TAKE, 1L, 1L, 1L, 1L, 1L))
                        .containsExactly("outbox_message:PRIMARY");
                assertThat(plan(connection, text, JsonTableOutcomes.SETTLE_DELIVERED, 1L, 1L))
                        .containsExactly("outbox_message:PRIMARY");
                assertThat(plan(connection, text, JsonTableOutcomes.SETTLE, claims))
                        .containsExactly("m:PRIMARY");
                assertThat(plan(connection, text, JsonTableOutcomes.DELETE_DELIVERED, claims))
                        .containsExactly("m:PRIMARY");
                assertThat(plan(connection, text, JsonTableOutcomes.EXTEND, claims, 1L))
                        .containsExactly("m:PRIMARY");
            }
        }
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
                    if (Set.of("m", "h", "outbox_message").contains(String.valueOf(table))) {
                        String how = extra.contains("filesort") ? "filesort" : rows.getString("key");
                        tables.add(table + ":" + (scanned ? "scan" : how));
                    }
                }
            }
        }
        return tables;
    }
}

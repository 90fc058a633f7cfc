package dev.postrider.jdbc.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.MessageStatus;
import dev.postrider.admin.AuditFilter;
import dev.postrider.admin.MessageFilter;
import dev.postrider.admin.Page;
import dev.postrider.jdbc.Fixture;
import dev.postrider.jdbc.Kinds;
import dev.postrider.services.Database.Kind;
import dev.postrider.services.SingleConnection;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A question reads a bounded number of rows, whatever the size of the table and whatever the planner knows of it. */
@Tag("B9")
@Tag("R1.15")
final class SearchWorkTest {

    private static final int ROWS = 10_000;
    private static final int DEAD = 4_000;
    private static final int STEP = 500;

    private static final MessageFilter ALL = MessageFilter.all();
    private static final MessageFilter NONE = ALL.withKey("nobody");

    private static final String POSTGRES_FILL = """
            insert into outbox_message (id, topic, message_key, shard, type, content_hash, payload, status, died_at)
            select gen_random_uuid(), 'orders', 'key-' || g, g %% 64, 'Placed', sha256('|Placed|\\000'), '\\x00', %s
              from generate_series(1, %d) g
            """;
    private static final String POSTGRES_AUDIT = """
            insert into outbox_audit (actor, action, reason, message_id)
            select 'ada', 'REQUEUE', 'why', gen_random_uuid()
              from generate_series(1, %d) g
            """;
    private static final String MYSQL_FILL = """
            insert into outbox_message (id, topic, message_key, shard, type, content_hash, payload, status, died_at)
            with recursive g (n) as (select 1 union all select n + 1 from g where n < %2$d)
            select unhex(md5(concat(rand(), n))), 'orders', concat('key-', n), n %% 64, 'Placed',
                   unhex(sha2('|Placed|x', 256)), 'x', %1$s
              from g
            """;
    private static final String MYSQL_AUDIT = """
            insert into outbox_audit (actor, action, reason, message_id)
            with recursive g (n) as (select 1 union all select n + 1 from g where n < %d)
            select 'ada', 'REQUEUE', 'why', unhex(md5(concat(rand(), n)))
              from g
            """;

    @ParameterizedTest
    @CsvSource({"POSTGRES_18,false", "POSTGRES_18,true", "MARIADB,true", "MYSQL,true"})
    void aQuestionReadsABoundedNumberOfRows(Kind kind, boolean analyzed) throws SQLException {
        try (Fixture fixture = Fixture.createNew(Kinds.require(kind));
                Connection connection = fixture.producers().getConnection()) {
            fill(fixture, kind, analyzed);
            JdbcDeadMessages messages = JdbcDeadMessages.builder(new SingleConnection(connection))
                    .step(STEP)
                    .groupCap(STEP)
                    .build();
            messages.search(NONE, Page.newest(1));
            MessageFilter dead = NONE.withStatus(MessageStatus.DEAD);
            Instant late = Instant.now().minusSeconds(60);
            Instant soon = Instant.now().plusSeconds(900);

            for (Page page : new Page[] {Page.newest(100), Page.oldest(100)}) {
                assertBounded(kind, connection, () -> messages.search(NONE, page));
                assertBounded(kind, connection, () -> messages.search(dead, page));
                assertBounded(kind, connection, () -> messages.search(dead.withDiedBefore(late), page));
                assertBounded(kind, connection, () -> messages.search(ALL.withStatus(MessageStatus.DEAD), page));
                assertBounded(kind, connection, () -> messages.search(ALL.withErrorText("x"), page));
                assertBounded(kind, connection, () -> messages.audit(AuditFilter.since(soon), page));
                assertBounded(kind, connection, () -> messages.audit(AuditFilter.ofMessage(UUID.randomUUID()), page));
            }
            assertBounded(kind, connection, () -> messages.groups(ALL, 10));
            assertBounded(kind, connection, () -> messages.archived(UUID.randomUUID()));
        }
    }

    private static void fill(Fixture fixture, Kind kind, boolean analyzed) {
        if (kind == Kind.POSTGRES_18) {
            fixture.execute(
                    "alter table outbox_message set (autovacuum_enabled = false)",
                    "alter table outbox_audit set (autovacuum_enabled = false)",
                    POSTGRES_FILL.formatted("2, null", ROWS),
                    POSTGRES_FILL.formatted("3, clock_timestamp() - g * interval '1 second'", DEAD),
                    POSTGRES_AUDIT.formatted(ROWS));
            if (analyzed) {
                fixture.execute("analyze outbox_message", "analyze outbox_audit");
            }
        } else {
            String depth = kind == Kind.MARIADB ? "max_recursive_iterations" : "cte_max_recursion_depth";
            fixture.execute(
                    "set session %s = %d".formatted(depth, ROWS + 1),
                    MYSQL_FILL.formatted("2, null", ROWS),
                    MYSQL_FILL.formatted("3, utc_timestamp(6) - interval n second", DEAD),
                    MYSQL_AUDIT.formatted(ROWS),
                    "analyze table outbox_message, outbox_audit");
        }
    }

    private static void assertBounded(Kind kind, Connection connection, Runnable question) throws SQLException {
        long before = rowsRead(kind, connection);

        question.run();

        // The window, what is found in it, and what counting costs.
        assertThat(rowsRead(kind, connection) - before).isLessThan(5L * STEP);
    }

    private static long rowsRead(Kind kind, Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            if (kind == Kind.POSTGRES_18) {
                statement.execute("select pg_stat_force_next_flush()");
                return sum(statement, 1, """
                        select seq_tup_read from pg_stat_user_tables where relname like 'outbox%'
                         union all
                        select idx_tup_read from pg_stat_user_indexes where relname like 'outbox%'
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

package dev.postrider.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.database.Dialect;
import dev.postrider.database.TableNames;
import dev.postrider.services.Database.Kind;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.FetchedRow;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.Shards;
import java.sql.Array;
import java.sql.Connection;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The statements of the relay stay on their indexes, whatever the planner believes about the table. */
@Tag("B9")
final class PostgresPlanTest {

    private static final String FILL = """
            insert into outbox_message (id, topic, message_key, shard, type, content_hash, payload, status, due_at,
                                        holds_key)
            select gen_random_uuid(), 'orders', %s, g %% 64, 'Placed', sha256('|Placed|\\000'), '\\x00', %s
              from generate_series(1, %d) g
            """;
    private static final String FILL_ATTEMPTS = """
            insert into outbox_attempt (seq, token, message_id, attempt, relay, outcome, took_ms)
            select g / 10, g, gen_random_uuid(), g %% 10, 'me', 0, 0
              from generate_series(1, %d) g
            """;
    private static final String KEY = "'key-' || g % 5000";
    private static final String PENDING = "0, null, false";
    private static final String DELIVERED = "2, null, false";
    private static final String BEHIND = "0, 'infinity', true";
    private static final Pattern SCAN =
            Pattern.compile("(?:Scan|Scan Backward)(?: using (\\w+))? on outbox_(?:message|attempt)\\b");

    @ParameterizedTest
    @CsvSource({
        "POSTGRES_15,0",
        "POSTGRES_15,100",
        "POSTGRES_15,50000",
        "POSTGRES_18,0",
        "POSTGRES_18,100",
        "POSTGRES_18,50000"
    })
    void everyStatementUsesOnlyTheIndexesMeantForIt(Kind kind, int rows) throws SQLException {
        try (Fixture fixture = Fixture.createNew(Kinds.require(kind));
                Connection connection = fixture.pool().getConnection()) {
            fixture.execute(
                    FILL.formatted(KEY, DELIVERED, rows),
                    FILL.formatted(KEY, BEHIND, rows / 4),
                    FILL.formatted(KEY, PENDING, rows / 2),
                    FILL_ATTEMPTS.formatted(rows),
                    "analyze outbox_message",
                    "analyze outbox_attempt");
            HandRelay relay = HandRelay.join(fixture, "me");
            assertThat(relay.acquired().shards()).hasSize(Shards.COUNT);

            assertThat(scans(connection, PostgresFetch.FETCH))
                    .containsOnly("outbox_message_pkey", "outbox_message_holder");
            assertThat(scans(connection, PostgresFetch.FETCH_DUE))
                    .containsOnly("outbox_message_pkey", "outbox_message_holder", "outbox_message_due");
            assertThat(scans(connection, PostgresFetch.APPEARED)).containsOnly("outbox_message_pkey");
            assertThat(scans(connection, PostgresManualClaims.CLAIM)).containsOnly("outbox_message_pkey");
            assertThat(scans(connection, PostgresAcquisition.ACQUIRE)).containsOnly("outbox_message_pkey");
            for (NamedSql statement : List.of(
                    PostgresOutcomes.DELIVER,
                    PostgresOutcomes.DELETE,
                    PostgresOutcomes.SETTLE,
                    PostgresOutcomes.PUT_BEHIND,
                    PostgresOutcomes.TRY)) {
                assertThat(scans(connection, PostgresSql.FIXED_SETTLEMENT, statement))
                        .as(statement.template())
                        .containsOnly("outbox_message_pkey");
            }
            assertThat(scans(connection, PostgresOutcomes.LOCKED)).containsOnly("outbox_message_pkey");
            assertThat(scans(connection, PostgresSql.FIXED_SETTLEMENT, PostgresAttempts.TRIM))
                    .containsOnly("outbox_attempt_pkey");
            assertThat(scans(connection, PostgresSql.FIXED_SETTLEMENT, PostgresHeldKeys.PROMOTE))
                    .containsOnly("outbox_message_pkey", "outbox_message_holder");
            assertThat(scans(connection, PostgresHeldKeys.UNBLOCK))
                    .containsOnly("outbox_message_due", "outbox_message_pkey", "outbox_message_holder");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "POSTGRES_15,1,auto,50000",
        "POSTGRES_15,5,auto,50000",
        "POSTGRES_18,5,auto,1000000",
        "POSTGRES_18,5,force_generic_plan,50000"
    })
    void aPlanKeptFromAnEmptyTableIsGoodForALargeOne(Kind kind, int prepareThreshold, String planCache, int delivered)
            throws SQLException {
        try (Fixture fixture = Fixture.createNew(Kinds.require(kind));
                HikariDataSource single = single(fixture, prepareThreshold, planCache)) {
            // Nobody may tell the planner that the table has grown.
            executeAlone(fixture, "alter table outbox_message set (autovacuum_enabled = false)");
            HandRelay relay = HandRelay.join(JdbcOutboxStore.builder(single).build(), "me");
            for (int i = 0; i < 30; i++) {
                executeAlone(fixture, FILL.formatted(KEY, PENDING, 2));
                List<ClaimedMessage> two = relay.fetch();
                assertThat(two).hasSize(2);
                relay.settle(
                        Settlement.retry(two.get(0), Duration.ZERO, "broken", true), Settlement.delivered(two.get(1)));
                relay.settle(relay.due(), each -> Settlement.behind(each, each.seq()));
                relay.store().unblock(HandRelay.ALL, 0);
                executeAlone(fixture, "delete from outbox_message");
            }
            executeAlone(fixture, FILL.formatted(KEY, DELIVERED, delivered), FILL.formatted(KEY, BEHIND, 12_500));
            long before = lastSeq(single);
            // Half of them have no key, the others come after messages that hold theirs.
            executeAlone(fixture, FILL.formatted("null", PENDING, 500), FILL.formatted(KEY, PENDING, 500));
            Work start = Work.of(single);

            List<FetchedRow> rows = relay.page(before, 1_000).rows();
            List<Settlement> outcomes = rows.stream()
                    .map(row -> row.holder() == null
                            ? Settlement.delivered(row.claimed())
                            : Settlement.behind(row.claimed(), row.holder()))
                    .toList();
            int settled = relay.settle(outcomes);
            List<ClaimedMessage> due = relay.due();
            int freed = relay.store().unblock(HandRelay.ALL, 0).messages();

            assertThat(rows).hasSize(1_000);
            assertThat(rows).filteredOn(row -> row.holder() == null).hasSize(500);
            assertThat(settled).isEqualTo(1_000);
            assertThat(due).isEmpty();
            assertThat(freed).isPositive();
            Work work = Work.of(single).since(start);
            assertThat(work.sequentialScans()).isZero();
            assertThat(work.entriesRead()).isLessThan(20_000);
        }
    }

    @ParameterizedTest
    @CsvSource({"POSTGRES_15", "POSTGRES_18"})
    void aFullFetchReadsNoMoreOfALongBacklogThanItTakes(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.createNew(Kinds.require(kind));
                HikariDataSource single = single(fixture, 5, "auto")) {
            fixture.execute(FILL.formatted(KEY, PENDING, 50_000));
            HandRelay relay = HandRelay.join(JdbcOutboxStore.builder(single).build(), "me");
            Work start = Work.of(single);

            List<FetchedRow> rows = relay.page(0, 1_000).rows();

            assertThat(rows).hasSize(1_000);
            assertThat(Work.of(single).since(start).entriesRead()).isLessThan(20_000);
        }
    }

    /** Executes in a session that ends and has written its statistics, which would be counted later otherwise. */
    private static void executeAlone(Fixture fixture, String... statements) throws SQLException {
        try (Connection connection = fixture.database().dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
            statement.execute("select pg_stat_force_next_flush()");
        }
    }

    /** Returns the indexes by which a statement reads messages or attempts; a sequential scan shows as "none". */
    private static List<String> scans(Connection connection, NamedSql statement) throws SQLException {
        return scans(connection, "", statement);
    }

    private static List<String> scans(Connection connection, String settings, NamedSql statement) throws SQLException {
        String[] parts = OutboxDialect.text(TableNames.defaults(), Dialect.POSTGRESQL)
                .of((settings + statement.text()).replace(PostgresSql.BEGIN, "").replace(PostgresSql.COMMIT, ""))
                .split(";\n", -1);
        connection.setAutoCommit(false);
        try (Statement fixed = connection.createStatement();
                PreparedStatement explain =
                        connection.prepareStatement("explain (costs off) " + parts[parts.length - 1])) {
            fixed.execute(parts[0]);
            bindSamples(explain);
            try (ResultSet rows = explain.executeQuery()) {
                StringBuilder plan = new StringBuilder();
                while (rows.next()) {
                    plan.append(rows.getString(1)).append('\n');
                }
                return SCAN.matcher(plan)
                        .results()
                        .map(match -> match.group(1) == null ? "none" : match.group(1))
                        .toList();
            }
        } finally {
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }

    // Nulls would let the planner see that nothing can be found.
    private static void bindSamples(PreparedStatement statement) throws SQLException {
        ParameterMetaData parameters = statement.getParameterMetaData();
        for (int i = 1; i <= parameters.getParameterCount(); i++) {
            Object sample = switch (parameters.getParameterTypeName(i)) {
                case "_int2", "_int4", "_int8" -> array(statement, parameters.getParameterTypeName(i), 1, 2);
                case "_bool" -> array(statement, "bool", true, false);
                case "_text" -> array(statement, "text", "a", "b");
                case "int4" -> 10;
                case "bool" -> true;
                case "timestamptz" -> OffsetDateTime.now(ZoneOffset.UTC);
                case "text" -> "me";
                default -> 10L;
            };
            statement.setObject(i, sample);
        }
    }

    private static Array array(PreparedStatement statement, String type, Object... values) throws SQLException {
        return statement.getConnection().createArrayOf(type.replace("_", ""), values);
    }

    private static HikariDataSource single(Fixture fixture, int prepareThreshold, String planCache) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(fixture.database().jdbcUrl());
        config.setUsername(fixture.database().user());
        config.setPassword(fixture.database().password());
        config.addDataSourceProperty("prepareThreshold", Integer.toString(prepareThreshold));
        config.setConnectionInitSql("set plan_cache_mode = " + planCache);
        config.setMaximumPoolSize(1);
        return new HikariDataSource(config);
    }

    private static long lastSeq(HikariDataSource source) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select max(seq) from outbox_message")) {
            row.next();
            return row.getLong(1);
        }
    }

    private record Work(long sequentialScans, long entriesRead) {

        static Work of(HikariDataSource source) throws SQLException {
            try (Connection connection = source.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("select pg_stat_force_next_flush()");
                try (ResultSet row = statement.executeQuery("""
                        select t.seq_scan, (select sum(i.idx_tup_read)
                                              from pg_stat_user_indexes i
                                             where i.relname = 'outbox_message')
                          from pg_stat_user_tables t
                         where t.relname = 'outbox_message'
                        """)) {
                    row.next();
                    return new Work(row.getLong(1), row.getLong(2));
                }
            }
        }

        Work since(Work start) {
            return new Work(sequentialScans - start.sequentialScans, entriesRead - start.entriesRead);
        }
    }
}

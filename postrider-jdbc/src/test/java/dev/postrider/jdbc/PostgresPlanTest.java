package dev.postrider.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.database.Dialect;
import dev.postrider.database.TableNames;
import dev.postrider.services.Database.Kind;
import dev.postrider.spi.ClaimRequest;
import dev.postrider.spi.ClaimSize;
import dev.postrider.spi.ClaimedBatch;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.SeqRange;
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
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The statements of the relay stay on their indexes, whatever the planner believes about the table. */
@Tag("B9")
final class PostgresPlanTest {

    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Set<Integer> ALL =
            IntStream.range(0, Shards.COUNT).boxed().collect(Collectors.toUnmodifiableSet());
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

    private long token;

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
            JdbcOutboxStore store = joined(fixture.pool());
            assertThat(store.renew("me", LONG).owned()).hasSize(Shards.COUNT);

            assertThat(scans(connection, PostgresLook.ABOVE)).containsOnly("outbox_message_pkey");
            assertThat(scans(connection, PostgresFewClaim.CLAIM.text()))
                    .containsOnly("outbox_message_pkey", "outbox_message_holder");
            for (NamedSql statement : List.of(
                    PostgresFreeClaim.CLAIM,
                    PostgresFreeClaim.CLAIM_IN_OPEN_TOPICS,
                    PostgresFreeClaim.LOOK_AND_CLAIM,
                    PostgresFreeClaim.LOOK_AND_CLAIM_IN_OPEN_TOPICS)) {
                assertThat(scans(connection, statement.text()))
                        .containsOnly("outbox_message_pkey", "outbox_message_holder");
            }
            assertThat(scans(connection, PostgresClaims.CLAIM))
                    .containsOnly("outbox_message_pkey", "outbox_message_holder");
            assertThat(scans(connection, PostgresClaims.CLAIM_WAITING))
                    .containsOnly("outbox_message_pkey", "outbox_message_holder", "outbox_message_due");
            assertThat(scans(connection, PostgresClaims.CLAIM_UNSHARDED)).containsOnly("outbox_message_pkey");
            assertThat(scans(connection, PostgresSql.FIXED_JOIN + PostgresNotes.WRITE_CLAIMS))
                    .containsExactly("outbox_message_pkey");
            assertThat(scans(connection, PostgresSql.FIXED_JOIN + PostgresNotes.WRITE_RANGE))
                    .containsExactly("outbox_message_pkey");
            for (String statement : List.of(
                    PostgresDelivered.SETTLE,
                    PostgresDelivered.SETTLE_ALL,
                    PostgresDelivered.DELETE_ALL,
                    PostgresDelivered.SETTLE_NOTED,
                    PostgresDelivered.DELETE_NOTED,
                    PostgresDelivered.SETTLE_ALL_NOTED,
                    PostgresDelivered.DELETE_ALL_NOTED)) {
                assertThat(scans(connection, PostgresSql.FIXED_JOIN + statement))
                        .as(statement)
                        .containsExactly("outbox_message_pkey");
            }
            assertThat(scans(connection, PostgresSql.FIXED_JOIN + PostgresOutcomes.SETTLE))
                    .containsExactly("outbox_message_pkey");
            assertThat(scans(connection, PostgresSql.FIXED_JOIN + PostgresOutcomes.EXTEND))
                    .containsExactly("outbox_message_pkey");
            assertThat(scans(connection, PostgresSql.FIXED_JOIN + PostgresAttempts.TRIM))
                    .containsOnly("outbox_attempt_pkey");
            assertThat(scans(connection, PostgresSql.FIXED_JOIN + PostgresHeldKeys.PROMOTE))
                    .containsOnly("outbox_message_pkey", "outbox_message_holder");
            assertThat(scans(connection, PostgresHeldKeys.UNBLOCK))
                    .containsOnly("outbox_message_due", "outbox_message_pkey", "outbox_message_holder");
        }
    }

    @ParameterizedTest
    @CsvSource({"POSTGRES_15,1,auto", "POSTGRES_15,5,auto", "POSTGRES_18,5,auto", "POSTGRES_18,5,force_generic_plan"})
    void aPlanKeptFromAnEmptyTableIsGoodForALargeOne(Kind kind, int prepareThreshold, String planCache)
            throws SQLException {
        try (Fixture fixture = Fixture.createNew(Kinds.require(kind));
                HikariDataSource single = single(fixture, prepareThreshold, planCache)) {
            // Nobody may tell the planner that the table has grown.
            executeAlone(fixture, "alter table outbox_message set (autovacuum_enabled = false)");
            JdbcOutboxStore store = joined(single);
            for (int i = 0; i < 30; i++) {
                executeAlone(fixture, FILL.formatted(KEY, PENDING, 1));
                ClaimedBatch one = i % 2 == 0 ? claim(store, 0) : claimFew(store, lastSeq(single) - 1);
                store.settle(List.of(Settlement.retry(one.messages().get(0), Duration.ZERO, "broken", true)));
                store.claimWaiting(request(100));
                executeAlone(fixture, "delete from outbox_message");
            }
            executeAlone(fixture, FILL.formatted(KEY, DELIVERED, 50_000), FILL.formatted(KEY, BEHIND, 12_500));
            long before = lastSeq(single);
            // Half of them have no key, the others are put behind.
            executeAlone(fixture, FILL.formatted(KEY, PENDING, 500), FILL.formatted("null", PENDING, 500));
            Work start = Work.of(single);

            ClaimedBatch batch = claim(store, before);
            store.extend(batch.messages(), LONG);
            int settled = store.settle(
                    batch.messages().stream().map(Settlement::delivered).toList());
            List<ClaimedMessage> waiting = store.claimWaiting(request(100));
            executeAlone(fixture, FILL.formatted("null", PENDING, 5));
            ClaimedBatch few = claimFew(store, lastSeq(single) - 5);

            assertThat(few.messages()).hasSize(5);
            assertThat(batch.messages()).hasSize(500);
            assertThat(settled).isEqualTo(500);
            assertThat(waiting).isEmpty();
            Work work = Work.of(single).since(start);
            assertThat(work.sequentialScans()).isZero();
            assertThat(work.entriesRead()).isLessThan(20_000);
        }
    }

    @ParameterizedTest
    @CsvSource({"POSTGRES_15", "POSTGRES_18"})
    void aFullClaimReadsNoMoreOfALongBacklogThanItTakes(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.createNew(Kinds.require(kind));
                HikariDataSource single = single(fixture, 5, "auto")) {
            fixture.execute(FILL.formatted(KEY, PENDING, 50_000));
            JdbcOutboxStore store = joined(single);
            Work start = Work.of(single);

            ClaimedBatch batch = claim(store, 0);

            assertThat(batch.messages()).hasSize(1_000);
            assertThat(Work.of(single).since(start).entriesRead()).isLessThan(20_000);
        }
    }

    /** Executes in a session that ends, because a session that stays writes its statistics at a time of its own. */
    private static void executeAlone(Fixture fixture, String... statements) throws SQLException {
        try (Connection connection = fixture.database().dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    private JdbcOutboxStore joined(DataSource source) {
        JdbcOutboxStore store = JdbcOutboxStore.builder(source).build();
        store.renew("me", LONG);
        store.acquire("me", ALL);
        return store;
    }

    private ClaimRequest request(int size) {
        return new ClaimRequest("me", ALL, Set.of(), new ClaimSize(size, 1 << 30), LONG, ++token);
    }

    private ClaimedBatch claimFew(JdbcOutboxStore store, long after) {
        return store.lookAndClaim(request(16), new SeqRange(after, after + 16)).batch();
    }

    private ClaimedBatch claim(JdbcOutboxStore store, long after) {
        return store.claim(request(1_000), SeqRange.above(after));
    }

    /** Returns the indexes by which a statement reads messages or attempts; a sequential scan shows as "none". */
    private static List<String> scans(Connection connection, String statements) throws SQLException {
        String[] parts = OutboxDialect.text(TableNames.defaults(), Dialect.POSTGRESQL)
                .of(statements.replace(PostgresSql.BEGIN, "").replace(PostgresSql.COMMIT, ""))
                .split(";\n", -1);
        connection.setAutoCommit(false);
        try (Statement settings = connection.createStatement();
                PreparedStatement statement =
                        connection.prepareStatement("explain (costs off) " + parts[parts.length - 1])) {
            settings.execute(parts[0].replace("?::text", "'me'"));
            bindSamples(statement);
            try (ResultSet rows = statement.executeQuery()) {
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

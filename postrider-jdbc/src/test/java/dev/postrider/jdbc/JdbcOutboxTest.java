package dev.postrider.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.MessageLimits;
import dev.postrider.MessageStatus;
import dev.postrider.OutboxException;
import dev.postrider.OutboxMessage;
import dev.postrider.Receipt;
import dev.postrider.TenantPolicy;
import dev.postrider.admin.StoredMessage;
import dev.postrider.jdbc.operator.JdbcOutboxAdmin;
import dev.postrider.relay.Preset;
import dev.postrider.services.Database.Kind;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class JdbcOutboxTest {

    private static final JdbcOutbox OUTBOX = JdbcOutbox.create();

    @ParameterizedTest
    @EnumSource
    @Tag("R1.4")
    void anAutoCommitConnectionIsRefused(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind));
                Connection connection = fixture.pool().getConnection()) {
            assertThatThrownBy(() -> OUTBOX.enqueue(connection, plain()))
                    .isInstanceOf(OutboxException.class)
                    .hasMessageContaining("setAutoCommit(false)");

            assertThat(count(fixture, "outbox_message")).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("R0.5")
    @Tag("R1.2")
    @Tag("R4.1")
    void messageAndBusinessDataCommitOrVanishTogether(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind));
                Connection connection = fixture.pool().getConnection()) {
            fixture.execute("create table business (id int primary key)");
            connection.setAutoCommit(false);
            run(connection, "insert into business values (1)");
            OUTBOX.enqueue(connection, plain());
            connection.rollback();
            run(connection, "insert into business values (2)");
            OUTBOX.enqueue(connection, plain());
            connection.commit();

            assertThat(count(fixture, "business")).isEqualTo(1);
            assertThat(count(fixture, "outbox_message")).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("R1.5")
    void theLoserOfADedupeRaceLearnsItAndCommitsItsOwnWork(Kind kind) throws Exception {
        try (Fixture fixture = Fixture.create(Kinds.require(kind));
                Connection winner = fixture.pool().getConnection();
                Connection loser = fixture.pool().getConnection()) {
            fixture.execute("create table business (id int primary key)");
            winner.setAutoCommit(false);
            loser.setAutoCommit(false);
            run(winner, "insert into business values (1)");
            Receipt first = OUTBOX.enqueue(winner, deduped());
            run(loser, "insert into business values (2)");
            ExecutorService executor = Executors.newSingleThreadExecutor();
            try {
                Future<Receipt> second = executor.submit(() -> OUTBOX.enqueue(loser, deduped()));
                winner.commit();

                assertThat(second.get(2, TimeUnit.MINUTES)).isEqualTo(new Receipt(first.id(), false));
            } finally {
                executor.shutdownNow();
            }
            run(loser, "insert into business values (3)");
            loser.commit();
            assertThat(count(fixture, "business")).isEqualTo(3);
            assertThat(count(fixture, "outbox_message")).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("R1.5")
    void everyReceiptOfABatchIsRight(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind));
                Connection connection = fixture.pool().getConnection()) {
            connection.setAutoCommit(false);
            OutboxMessage other =
                    OutboxMessage.to("orders", "Placed").dedupeKey("other").build();

            List<Receipt> receipts =
                    OUTBOX.enqueueAll(connection, List.of(deduped(), other, deduped(), plain(), plain(), other));
            connection.commit();

            assertThat(receipts).extracting(Receipt::inserted).containsExactly(true, true, false, true, true, false);
            assertThat(count(fixture, "outbox_message")).isEqualTo(4);
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("R1.2")
    void aDuplicateIdIsAnErrorAfterWhichNothingCommits(Kind kind) throws SQLException {
        OutboxMessage message = plain();
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            fixture.execute("create table business (id int primary key)");
            enqueue(fixture, message);
            try (Connection connection = fixture.pool().getConnection()) {
                connection.setAutoCommit(false);
                run(connection, "insert into business values (1)");

                assertThatThrownBy(() -> OUTBOX.enqueue(connection, message))
                        .isInstanceOf(OutboxException.class)
                        .hasMessageContaining("Could not enqueue")
                        .hasMessageContaining(message.id().toString())
                        .hasCauseInstanceOf(SQLException.class);

                commitAfterAnOverlookedError(connection);
            }
            assertThat(count(fixture, "business")).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"MARIADB", "MYSQL"})
    @Tag("R1.2")
    void aLockWaitTimeoutLeavesNoHalfTransactionToCommit(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind));
                Connection first = fixture.pool().getConnection();
                Connection second = fixture.pool().getConnection()) {
            fixture.execute("create table business (id int primary key)");
            first.setAutoCommit(false);
            OUTBOX.enqueue(first, deduped());
            second.setAutoCommit(false);
            run(second, "set session innodb_lock_wait_timeout = 1");
            run(second, "insert into business values (1)");

            assertThatThrownBy(() -> OUTBOX.enqueue(second, deduped()))
                    .isInstanceOf(OutboxException.class)
                    .hasMessageContaining("rolled back")
                    .cause()
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            cause -> assertThat(cause.getErrorCode()).isEqualTo(1205));

            assertThatThrownBy(() -> run(second, "insert into business values (2)"))
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            cause -> assertThat(cause.getErrorCode()).isEqualTo(1792));
            second.commit();
            assertThat(count(fixture, "business")).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("R1.6")
    void aMessageThatBreaksAPolicyIsRefusedAndTheTransactionGoesOn(Kind kind) throws SQLException {
        OutboxMessage foreign = OutboxMessage.to("orders", "Placed")
                .tenant("acme")
                .dedupeKey("other/1")
                .build();
        JdbcOutbox small = JdbcOutbox.builder()
                .limits(MessageLimits.defaults().withMaxPayloadBytes(10))
                .build();
        JdbcOutbox tolerant =
                JdbcOutbox.builder().tenantPolicy(TenantPolicy.ANY).build();
        try (Fixture fixture = Fixture.create(Kinds.require(kind));
                Connection connection = fixture.pool().getConnection()) {
            connection.setAutoCommit(false);

            assertThatThrownBy(() -> OUTBOX.enqueueAll(connection, List.of(plain(), foreign)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("acme/");
            assertThatThrownBy(() -> small.enqueue(connection, payload(new byte[11])))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("11");
            tolerant.enqueue(connection, foreign);
            connection.commit();

            assertThat(count(fixture, "outbox_message")).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("R1.6")
    void outboxOfThePresetLeaseRefusesDedupeKeysOfOtherTenants(Kind kind) throws SQLException {
        OutboxMessage foreign = OutboxMessage.to("usage", "used")
                .tenant("acme")
                .dedupeKey("acmecorp/1")
                .build();
        OutboxMessage own = OutboxMessage.to("usage", "used")
                .tenant("acme")
                .dedupeKey("acme/1")
                .build();
        try (Fixture fixture = Fixture.create(Kinds.require(kind));
                Connection connection = fixture.pool().getConnection()) {
            connection.setAutoCommit(false);

            assertThatThrownBy(() -> of(Preset.LEASE).enqueue(connection, foreign))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("acme/");
            of(Preset.LEASE).enqueue(connection, own);
            of(Preset.SAFETY_NET).enqueue(connection, foreign);
            connection.commit();

            assertThat(count(fixture, "outbox_message")).isEqualTo(2);
        }
    }

    private static JdbcOutbox of(Preset preset) {
        return JdbcOutbox.builder().tenantPolicy(preset.tenantPolicy()).build();
    }

    @ParameterizedTest
    @EnumSource
    @Tag("R1.12")
    void everyPayloadArrivesByteForByte(Kind kind) throws SQLException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            JdbcOutboxAdmin admin = JdbcOutboxAdmin.of(fixture.pool());
            for (int i = 0; i < 60; i++) {
                byte[] bytes = new byte[i < 55 ? random.nextInt(2_000) : 200_000 + random.nextInt(800_000)];
                random.nextBytes(bytes);
                OutboxMessage message = payload(bytes);

                enqueue(fixture, message);

                assertThat(admin.find(message.id()).orElseThrow().message().payload())
                        .as("seed %d, payload %d", seed, i)
                        .isEqualTo(bytes);
            }
            // The view has to survive bytes that are no text.
            assertThat(count(fixture, "(select max(payload_text) as t from outbox_message_view) v"))
                    .isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("S11")
    void anEncryptedPayloadIsInNoColumnAndNeverTwiceTheSame(Kind kind) throws SQLException {
        JdbcOutbox outbox =
                JdbcOutbox.builder().encryptWith(Secrets.ring("lock-1")).build();
        OutboxMessage first = payload("{\"iban\": \"secret\"}".getBytes(StandardCharsets.UTF_8));
        OutboxMessage second = payload(first.payload());
        try (Fixture fixture = Fixture.create(Kinds.require(kind));
                Connection connection = fixture.pool().getConnection()) {
            connection.setAutoCommit(false);
            outbox.enqueueAll(connection, List.of(first, second));
            connection.commit();

            assertThat(text(fixture, "select payload_text from outbox_message_view where payload_key = 'lock-1'"))
                    .isNull();
            assertThat(JdbcOutboxAdmin.of(fixture.pool()).list(MessageStatus.PENDING, 0, 10))
                    .extracting(stored -> new String(stored.message().payload(), StandardCharsets.ISO_8859_1))
                    .doesNotHaveDuplicates()
                    .hasSize(2)
                    .noneMatch(stored -> stored.contains("iban"));
        }
    }

    @Test
    @Tag("S11")
    void theLimitOfAPayloadIsThatOfWhatWasEnqueued() throws SQLException {
        int largest = 16 * 1024 * 1024;
        JdbcOutbox outbox = JdbcOutbox.builder()
                .limits(MessageLimits.defaults().withMaxPayloadBytes(largest))
                .encryptWith(Secrets.ring("lock-1"))
                .build();
        OutboxMessage message = payload(new byte[largest]);
        try (Fixture fixture = Fixture.create(Kinds.require(Kind.H2));
                Connection connection = fixture.pool().getConnection()) {
            connection.setAutoCommit(false);

            outbox.enqueue(connection, message);
            connection.commit();

            assertThat(JdbcOutboxAdmin.builder(fixture.pool())
                            .decryptWith(Secrets.ring("lock-1"))
                            .build()
                            .find(message.id())
                            .orElseThrow()
                            .message()
                            .payloadSize())
                    .isEqualTo(largest);
        }
    }

    @ParameterizedTest
    @EnumSource
    void peopleReadJsonInTheView(Kind kind) throws SQLException {
        String json = "{\"name\": \"größe 🐎\"}";
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            enqueue(fixture, OutboxMessage.to("orders", "Placed").payload(json).build());

            assertThat(text(fixture, "select payload_text from outbox_message_view"))
                    .isEqualTo(json);
            assertThat(text(fixture, "select status from outbox_message_view")).isEqualTo("PENDING");
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("R1.3")
    void timesAreInstantsWhateverTheTimeZones(Kind kind) throws SQLException {
        OutboxMessage message = OutboxMessage.to("orders", "Placed")
                .deliverAfter(Duration.ofHours(5))
                .build();
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            Instant before = Instant.now();
            enqueue(fixture, message);

            StoredMessage stored =
                    JdbcOutboxAdmin.of(fixture.pool()).find(message.id()).orElseThrow();

            Instant created = stored.times().created();
            assertThat(created).isBetween(before.minusSeconds(5), Instant.now().plusSeconds(5));
            assertThat(stored.times().due())
                    .isBetween(created.plus(Duration.ofMinutes(299)), created.plus(Duration.ofMinutes(301)));
        }
    }

    @ParameterizedTest
    @EnumSource
    void theLongestDelayIsStoredAsItIs(Kind kind) throws SQLException {
        Duration longest = Duration.ofDays(100_000);
        OutboxMessage message =
                OutboxMessage.to("orders", "Placed").deliverAfter(longest).build();
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            enqueue(fixture, message);

            StoredMessage.Times times = JdbcOutboxAdmin.of(fixture.pool())
                    .find(message.id())
                    .orElseThrow()
                    .times();

            assertThat(Duration.between(times.created(), Objects.requireNonNull(times.due())))
                    .isBetween(longest.minusMinutes(1), longest.plusMinutes(1));
        }
    }

    @Test
    @Tag("R1.5")
    void aRoleThatMayOnlyInsertIsEnoughOnPostgres() throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(Kind.POSTGRES_18))) {
            String role = "producer_" + fixture.database().name();
            fixture.execute(
                    "create role " + role + " login password 'producer'",
                    "grant insert (id, namespace, topic, message_key, shard, type, version, tenant, dedupe_key,"
                            + " content_type, headers, max_attempts, due_at, content_hash, mac, mac_key, payload_key, payload)"
                            + " on outbox_message to " + role);
            try (Connection connection = connect(fixture, role, "producer", "")) {
                connection.setAutoCommit(false);

                List<Receipt> receipts = OUTBOX.enqueueAll(connection, List.of(plain(), deduped(), deduped()));
                connection.commit();

                assertThat(receipts).extracting(Receipt::inserted).containsExactly(true, true, false);
                assertThatThrownBy(() -> run(connection, "select id from outbox_message"))
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                e -> assertThat(e.getSQLState()).isEqualTo("42501"));
            } finally {
                fixture.execute("drop owned by " + role, "drop role " + role);
            }
        }
    }

    @Test
    @Tag("R1.5")
    void receiptsAreRightWhenTheDriverMergesBatches() throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(Kind.POSTGRES_18));
                Connection connection = connect(
                        fixture, fixture.database().user(), fixture.database().password(), "reWriteBatchedInserts")) {
            connection.setAutoCommit(false);
            OutboxMessage other =
                    OutboxMessage.to("orders", "Placed").dedupeKey("other").build();

            List<Receipt> receipts =
                    OUTBOX.enqueueAll(connection, List.of(plain(), plain(), deduped(), other, deduped()));
            connection.commit();

            assertThat(receipts).extracting(Receipt::inserted).containsExactly(true, true, true, true, false);
            assertThat(JdbcOutboxAdmin.of(fixture.pool()).list(MessageStatus.PENDING, 0, 10))
                    .hasSize(4);
        }
    }

    private static Connection connect(Fixture fixture, String user, String password, String option)
            throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("user", user);
        properties.setProperty("password", password);
        if (!option.isEmpty()) {
            properties.setProperty(option, "true");
        }
        return new org.postgresql.Driver().connect(fixture.database().jdbcUrl(), properties);
    }

    // PostgreSQL turns the commit into a rollback, MariaDB and MySQL have nothing to commit, H2 is closed.
    private static void commitAfterAnOverlookedError(Connection connection) {
        try {
            connection.commit();
        } catch (SQLException e) {
            assertThat(e.getMessage()).isNotBlank();
        }
    }

    private static void enqueue(Fixture fixture, OutboxMessage message) throws SQLException {
        try (Connection connection = fixture.pool().getConnection()) {
            connection.setAutoCommit(false);
            OUTBOX.enqueue(connection, message);
            connection.commit();
        }
    }

    private static void run(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static long count(Fixture fixture, String table) throws SQLException {
        return Long.parseLong(text(fixture, "select count(*) from " + table));
    }

    private static String text(Fixture fixture, String query) throws SQLException {
        try (Connection connection = fixture.pool().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getString(1);
        }
    }

    private static OutboxMessage plain() {
        return OutboxMessage.to("orders", "Placed").id(UUID.randomUUID()).build();
    }

    private static OutboxMessage payload(byte[] bytes) {
        return OutboxMessage.to("orders", "Placed").payload(bytes).build();
    }

    private static OutboxMessage deduped() {
        return OutboxMessage.to("orders", "Placed").dedupeKey("order/42").build();
    }
}

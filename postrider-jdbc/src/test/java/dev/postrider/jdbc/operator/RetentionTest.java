package dev.postrider.jdbc.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.MessageStatus;
import dev.postrider.OutboxMessage;
import dev.postrider.admin.Retention;
import dev.postrider.admin.RetentionStep;
import dev.postrider.database.Dialect;
import dev.postrider.database.TableNames;
import dev.postrider.jdbc.Fixture;
import dev.postrider.jdbc.JdbcOutbox;
import dev.postrider.jdbc.JdbcOutboxStore;
import dev.postrider.jdbc.Kinds;
import dev.postrider.jdbc.row.StatusCode;
import dev.postrider.relay.Relay;
import dev.postrider.relay.RetentionJob;
import dev.postrider.services.Database.Kind;
import dev.postrider.testkit.RecordingPublisher;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is removed is DELIVERED and old, nothing else. */
@Tag("R3.6")
@Tag("R2.6")
final class RetentionTest {

    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Retention DELIVERED = Retention.forEver().withDelivered(DAY);

    // In one statement: between two of them a message can become delivered, and be in neither.
    private static final String STILL_TO_GO =
            "outbox_message where status = 2 or (status in (0, 1) and due_at is null)";

    /** A row and what should become of it. */
    private record Sample(UUID id, MessageStatus status, int daysOld, boolean goes) {}

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void nothingButOldDeliveredRowsIsRemovedWhateverTheirOrder(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            for (long seed = 1; seed <= 3; seed++) {
                fixture.reset();
                List<Sample> samples = samples(fixture, new Random(seed), 300);
                JdbcRetention retention = JdbcRetention.of(fixture.pool());

                RetentionStep removed = run(retention, DELIVERED, 7);

                assertThat(ids(fixture, "outbox_message"))
                        .as("seed %d", seed)
                        .isEqualTo(setOf(samples.stream().filter(each -> !each.goes())));
                assertThat(removed.delivered())
                        .isEqualTo(samples.stream().filter(Sample::goes).count());
                assertThat(ids(fixture, "outbox_archive")).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void theArchiveHoldsWhatWasRemovedAsItWas(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            List<Sample> samples = samples(fixture, new Random(4), 100);
            List<List<String>> before = rows(fixture, "outbox_message", samples);

            run(JdbcRetention.of(fixture.pool()), DELIVERED.withArchived(true), 7);

            assertThat(before).isNotEmpty();
            assertThat(rows(fixture, "outbox_archive", samples)).isEqualTo(before);
            assertThat(ids(fixture, "outbox_archive"))
                    .isEqualTo(setOf(samples.stream().filter(Sample::goes)));
            assertThat(count(fixture, "outbox_archive where ended <> 0")).isZero();
            assertThat(count(fixture, "outbox_archive a, outbox_message m where a.id = m.id"))
                    .isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void aPolicyOfZeroRemovesWhatWasJustDeliveredAndOneOfNeverRemovesNothing(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            samples(fixture, new Random(5), 60);
            long delivered = count(fixture, "outbox_message where status = 2");
            JdbcRetention retention = JdbcRetention.of(fixture.pool());

            assertThat(run(retention, Retention.forEver(), 10).removed()).isZero();
            assertThat(run(retention, Retention.forEver().withDelivered(Duration.ZERO), 10)
                            .delivered())
                    .isEqualTo(delivered);
            assertThat(count(fixture, "outbox_message where status = 2")).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void oldAttemptsAuditEntriesArchivedMessagesAndBulkActionsGo(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            samples(fixture, new Random(6), 40);
            run(JdbcRetention.of(fixture.pool()), DELIVERED.withArchived(true), 100);
            long archived = count(fixture, "outbox_archive");
            long messages = count(fixture, "outbox_message");
            String ago = ago(kind, 2);
            String now = ago(kind, 0);
            for (String time : List.of(ago, now)) {
                int token = time.equals(ago) ? 1 : 2;
                for (int i = 0; i < 5; i++) {
                    String id = literal(kind, new UUID(token, i));
                    fixture.execute(
                            "insert into outbox_attempt (seq, token, message_id, attempt, relay, outcome, took_ms, ended_at)"
                                    + " values (%d, %d, %s, 1, 'r', 0, 1, %s)".formatted(i, token, id, time),
                            "insert into outbox_audit (created_at, actor, action, reason) values (%s, 'a', 'b', 'c')"
                                    .formatted(time),
                            "insert into outbox_bulk_row (bulk_id, seq, message_id, result) values (%s, %d, %s, 0)"
                                    .formatted(literal(kind, new UUID(token, 0)), i, id),
                            ("insert into outbox_bulk (id, action, filter, cut_off, actor, reason, status, expected,"
                                            + " created_at, updated_at) values (%s, 'x', 'y', %s, 'a', 'r', %d, 0, %s, %s)")
                                    .formatted(id, time, i, time, time));
                }
            }
            fixture.execute("update outbox_archive set archived_at = " + ago + " where seq % 2 = 0");
            long oldArchived = count(fixture, "outbox_archive where seq % 2 = 0");

            RetentionStep removed =
                    run(JdbcRetention.of(fixture.pool()), new Retention(null, false, DAY, DAY, DAY, DAY), 2);

            assertThat(removed.attempts()).isEqualTo(5);
            assertThat(removed.audit()).isEqualTo(5);
            assertThat(removed.archive()).isEqualTo(oldArchived).isPositive();
            assertThat(count(fixture, "outbox_attempt where token = 1")).isZero();
            assertThat(count(fixture, "outbox_attempt")).isEqualTo(5);
            assertThat(count(fixture, "outbox_audit where action = 'b'")).isEqualTo(5);
            assertThat(count(fixture, "outbox_audit where action = 'PURGE' and actor = 'retention'"))
                    .as("one entry for each kind of rows, however many batches there were")
                    .isEqualTo(5);
            assertThat(count(fixture, "outbox_archive")).isEqualTo(archived - oldArchived);
            assertThat(count(fixture, "outbox_bulk"))
                    .as("running and paused ones stay, and young ones")
                    .isEqualTo(7);
            assertThat(count(fixture, "outbox_bulk_row")).isEqualTo(5);
            assertThat(count(fixture, "outbox_message")).isEqualTo(messages);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void laterWalksBeginBehindDeadRowsAndComeBackNowAndThen(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            AtomicLong nanos = new AtomicLong();
            JdbcRetention retention = new JdbcRetention(fixture.pool(), TableNames.defaults(), nanos::get);
            Sample dead = sample(fixture, MessageStatus.DEAD, 3);
            Sample first = sample(fixture, MessageStatus.DELIVERED, 3);
            run(retention, DELIVERED, 10);
            assertThat(ids(fixture, "outbox_message")).isEqualTo(Set.of(dead.id()));

            change(fixture, dead.id(), MessageStatus.DELIVERED, 2);
            Sample second = sample(fixture, MessageStatus.DELIVERED, 3);
            run(retention, DELIVERED, 10);
            assertThat(ids(fixture, "outbox_message"))
                    .doesNotContain(first.id(), second.id())
                    .contains(dead.id());

            nanos.addAndGet(Duration.ofHours(2).toNanos());
            run(retention, DELIVERED, 10);
            assertThat(ids(fixture, "outbox_message")).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void theNextWalkFindsARowThatWasOnItsWayHoweverSmallTheStepsWere(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            JdbcRetention retention = new JdbcRetention(fixture.pool(), TableNames.defaults(), () -> 0);
            Sample claimed = sample(fixture, MessageStatus.CLAIMED, 3);
            for (int i = 0; i < 20; i++) {
                sample(fixture, MessageStatus.DELIVERED, 3);
            }
            run(retention, DELIVERED, 1);
            assertThat(ids(fixture, "outbox_message")).isEqualTo(Set.of(claimed.id()));

            change(fixture, claimed.id(), MessageStatus.DELIVERED, 2);
            run(retention, DELIVERED, 1);

            assertThat(ids(fixture, "outbox_message")).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void twoJobsBesideARelayRemoveEveryDeliveredRowOnce(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            List<Sample> samples = samples(fixture, new Random(7), 300);
            fixture.execute(
                    "update outbox_message set status = 0, due_at = " + ago(kind, -1) + " where status in (0, 1)");
            List<OutboxMessage> fresh = new ArrayList<>();
            RecordingPublisher broker = new RecordingPublisher();
            Retention policy = DELIVERED.withArchived(true).withDelivered(Duration.ZERO);

            RetentionJob one = job(fixture, policy);
            RetentionJob two = job(fixture, policy);
            try (Relay relay = Relay.builder(
                            JdbcOutboxStore.builder(fixture.pool()).build(), broker)
                    .pollInterval(Duration.ofMillis(20))
                    .build()
                    .start()) {
                for (int i = 0; i < 20; i++) {
                    List<OutboxMessage> batch =
                            Stream.generate(RetentionTest::message).limit(10).toList();
                    enqueue(fixture, batch);
                    fresh.addAll(batch);
                }
                Awaitility.await()
                        .atMost(PATIENCE)
                        .until(() -> broker.received().size() >= fresh.size() && count(fixture, STILL_TO_GO) == 0);
                assertThat(relay.health().storeReachable()).isTrue();
            } finally {
                one.close();
                two.close();
            }

            Set<UUID> gone = setOf(samples.stream().filter(each -> each.status() == MessageStatus.DELIVERED));
            fresh.forEach(each -> gone.add(each.id()));
            assertThat(one.total().delivered() + two.total().delivered()).isEqualTo(gone.size());
            assertThat(ids(fixture, "outbox_archive")).isEqualTo(gone);
            assertThat(count(fixture, "outbox_archive")).isEqualTo(gone.size());
            assertThat(ids(fixture, "outbox_message"))
                    .isEqualTo(setOf(samples.stream().filter(each -> each.status() != MessageStatus.DELIVERED)));
        }
    }

    private static RetentionJob job(Fixture fixture, Retention policy) {
        return RetentionJob.builder(JdbcRetention.of(fixture.pool()))
                .policy(policy)
                .batchSize(9)
                .pause(Duration.ofMillis(1))
                .interval(Duration.ofMillis(10), Duration.ofMillis(50))
                .build()
                .start();
    }

    private static RetentionStep run(JdbcRetention retention, Retention policy, int limit) {
        RetentionStep total = retention.step(policy, limit);
        while (!total.ended()) {
            total = total.then(retention.step(policy, limit));
        }
        return total;
    }

    private static List<Sample> samples(Fixture fixture, Random random, int size) throws SQLException {
        List<Sample> samples = new ArrayList<>();
        List<OutboxMessage> messages =
                Stream.generate(RetentionTest::message).limit(size).toList();
        enqueue(fixture, messages);
        for (OutboxMessage message : messages) {
            MessageStatus status = StatusCode.status(random.nextInt(4));
            // Rows as they come: their age falls, with a few that were delivered long after they were enqueued.
            int days = samples.size() < size * 2 / 3 ? 2 + random.nextInt(40) : 0;
            change(fixture, message.id(), status, days);
            boolean late = days > 0 && status == MessageStatus.DELIVERED && random.nextInt(4) == 0;
            if (late) {
                fixture.update("update outbox_message set delivered_at = updated_at where id = ?", message.id());
            }
            samples.add(new Sample(message.id(), status, days, status == MessageStatus.DELIVERED && days > 0 && !late));
        }
        return samples;
    }

    private static Sample sample(Fixture fixture, MessageStatus status, int days) throws SQLException {
        OutboxMessage message = message();
        enqueue(fixture, List.of(message));
        change(fixture, message.id(), status, days);
        return new Sample(message.id(), status, days, false);
    }

    // The time of the last change stays as it is, so that a late delivery can be told from an early one.
    private static void change(Fixture fixture, UUID id, MessageStatus status, int days) {
        String time = ago(fixture.database().kind(), days);
        fixture.update(
                "update outbox_message set status = ?, created_at = %s, delivered_at = %s, died_at = %s where id = ?"
                        .formatted(
                                time,
                                status == MessageStatus.DELIVERED ? time : "delivered_at",
                                status == MessageStatus.DEAD ? time : "null"),
                StatusCode.of(status),
                id);
    }

    private static String ago(Kind kind, int days) {
        return switch (kind) {
            case POSTGRES_15, POSTGRES_18 -> "clock_timestamp() - interval '%d days'".formatted(days);
            case MARIADB, MYSQL -> "utc_timestamp(6) - interval %d day".formatted(days);
            case H2 -> "dateadd('DAY', %d, current_timestamp)".formatted(-days);
        };
    }

    private static String literal(Kind kind, UUID id) {
        return kind == Kind.MARIADB || kind == Kind.MYSQL
                ? "x'" + id.toString().replace("-", "") + "'"
                : "'" + id + "'";
    }

    private static OutboxMessage message() {
        return OutboxMessage.to("orders", "Placed")
                .key("k" + UUID.randomUUID())
                .dedupeKey("t/" + UUID.randomUUID())
                .tenant("t")
                .header("a", "b")
                .payload("{\"a\":1}")
                .build();
    }

    private static void enqueue(Fixture fixture, List<OutboxMessage> messages) throws SQLException {
        try (Connection connection = fixture.producers().getConnection()) {
            connection.setAutoCommit(false);
            JdbcOutbox.create().enqueueAll(connection, messages);
            connection.commit();
        }
    }

    private static Set<UUID> setOf(Stream<Sample> samples) {
        Set<UUID> ids = new HashSet<>();
        samples.forEach(each -> ids.add(each.id()));
        return ids;
    }

    private static Set<UUID> ids(Fixture fixture, String table) throws SQLException {
        Set<UUID> ids = new HashSet<>();
        try (Connection connection = fixture.producers().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select id from " + table)) {
            while (rows.next()) {
                ids.add(Dialect.of(connection).id(rows, "id"));
            }
        }
        return ids;
    }

    private static long count(Fixture fixture, String what) throws SQLException {
        try (Connection connection = fixture.producers().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select count(*) from " + what)) {
            row.next();
            return row.getLong(1);
        }
    }

    private static List<List<String>> rows(Fixture fixture, String table, List<Sample> samples) throws SQLException {
        List<List<String>> all = new ArrayList<>();
        try (Connection connection = fixture.producers().getConnection();
                PreparedStatement query = connection.prepareStatement("select seq, id, namespace, topic, message_key,"
                        + " type, version, tenant, dedupe_key, content_type, headers, content_hash, mac, mac_key,"
                        + " payload_key, attempts, created_at, delivered_at, died_at, last_error, payload from " + table
                        + " where id = ?")) {
            for (Sample sample : samples) {
                query.setObject(1, Dialect.of(connection).id(sample.id()));
                try (ResultSet row = query.executeQuery()) {
                    if (sample.goes()) {
                        assertThat(row.next()).isTrue();
                        List<String> fields = new ArrayList<>();
                        for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
                            Object value = row.getObject(i);
                            fields.add(
                                    value instanceof byte[] bytes
                                            ? HexFormat.of().formatHex(bytes)
                                            : String.valueOf(value));
                        }
                        all.add(fields);
                    }
                }
            }
        }
        return all;
    }
}

package dev.postrider.jdbc.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.MessageStatus;
import dev.postrider.OutboxException;
import dev.postrider.OutboxMessage;
import dev.postrider.admin.BulkAction;
import dev.postrider.admin.BulkOptions;
import dev.postrider.admin.BulkPlan;
import dev.postrider.admin.BulkProgress;
import dev.postrider.admin.BulkResult;
import dev.postrider.admin.BulkRow;
import dev.postrider.admin.BulkStatus;
import dev.postrider.admin.Decision;
import dev.postrider.admin.MessageFilter;
import dev.postrider.database.Dialect;
import dev.postrider.jdbc.Fixture;
import dev.postrider.jdbc.JdbcOutbox;
import dev.postrider.jdbc.Kinds;
import dev.postrider.services.Database.Kind;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An action on many messages does exactly what was counted, also when it is stopped, killed or in somebody's way. */
@Tag("R0.6")
@Tag("R3.5")
final class BulkActionsTest {

    private static final Decision WHY = new Decision("ada", "the broker is back");
    private static final BulkOptions SMALL = BulkOptions.defaults().withBatchSize(7);

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void whatDiedAfterTheCutOffIsNotRequeuedAlsoIfItWasRequeuedBefore(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            List<UUID> dead = messages(fixture, 40, "orders", MessageStatus.DEAD);
            messages(fixture, 5, "orders", MessageStatus.DELIVERED);
            messages(fixture, 5, "orders", MessageStatus.PENDING);
            JdbcBulkActions bulk = JdbcBulkActions.of(fixture.pool());

            BulkPlan plan = bulk.prepare(BulkAction.REQUEUE, MessageFilter.all(), WHY);
            List<UUID> later = messages(fixture, 3, "orders", MessageStatus.DEAD);
            AtomicInteger batches = new AtomicInteger();
            BulkProgress end = bulk.run(plan.id(), SMALL.withListener(progress -> {
                if (batches.incrementAndGet() == 1) {
                    die(fixture, dead.get(0));
                }
            }));

            assertThat(plan.expected()).isEqualTo(40);
            assertThat(plan.samples()).hasSize(5).isSubsetOf(dead);
            assertThat(end.status()).isEqualTo(BulkStatus.DONE);
            assertThat(end.done()).isEqualTo(40);
            assertThat(end.skipped() + end.failed()).isZero();
            assertThat(batches.get()).isGreaterThan(5);
            assertThat(count(fixture, "outbox_message where status = 3")).isEqualTo(4);
            assertThat(status(fixture, dead.get(0))).isEqualTo(MessageStatus.DEAD);
            later.forEach(id -> assertThat(status(fixture, id)).isEqualTo(MessageStatus.DEAD));
            assertThat(count(fixture, "outbox_message where status = 0")).isEqualTo(39 + 5);
            assertThat(count(fixture, "outbox_message where status = 2")).isEqualTo(5);
            assertThat(bulk.rows(plan.id(), BulkResult.DONE, 0, 100))
                    .extracting(BulkRow::messageId)
                    .containsExactlyInAnyOrderElementsOf(dead);
            assertThat(bulk.rows(plan.id(), BulkResult.FAILED, 0, 100)).isEmpty();
            assertThat(count(
                            fixture, "outbox_audit where action = 'REQUEUE' and bulk_id is not null and actor = 'ada'"))
                    .isEqualTo(40);
            assertThat(count(
                            fixture,
                            "outbox_audit where action in ('BULK_START', 'BULK_END')"
                                    + " and detail like '%expected 40%'"))
                    .isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void onlyWhatPassesTheFilterIsDiscarded(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            List<UUID> orders = messages(fixture, 20, "orders", MessageStatus.DEAD);
            List<UUID> others = messages(fixture, 20, "invoices", MessageStatus.DEAD);
            for (UUID id : orders.subList(0, 10)) {
                fixture.update("update outbox_message set last_error = '100% of THIS_kind!' where id = ?", id);
            }
            MessageFilter filter = MessageFilter.all()
                    .withStatus(MessageStatus.DEAD)
                    .withNamespace("default")
                    .withTopic("orders")
                    .withType("Placed")
                    .withTenant("t")
                    .withErrorText("100% of this_KIND!")
                    .withCreatedFrom(Instant.now().minusSeconds(3600))
                    .withDiedBefore(Instant.now().plusSeconds(3600));
            JdbcBulkActions bulk = JdbcBulkActions.of(fixture.pool());

            BulkPlan plan = bulk.prepare(BulkAction.DISCARD, filter, WHY);
            BulkProgress end = bulk.run(plan.id(), SMALL.withRate(1_000));

            assertThat(plan.expected()).isEqualTo(10);
            assertThat(end.done()).isEqualTo(10);
            assertThat(end.plan().filter()).isEqualTo(filter);
            assertThat(count(fixture, "outbox_archive where ended = 1")).isEqualTo(10);
            assertThat(count(fixture, "outbox_message where status = 3")).isEqualTo(30);
            assertThat(bulk.prepare(BulkAction.DISCARD, filter.withErrorText("100_"), WHY)
                            .expected())
                    .as("the wildcards of the database are plain characters")
                    .isZero();
            others.forEach(id -> assertThat(status(fixture, id)).isEqualTo(MessageStatus.DEAD));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void deliveredMessagesAreReplayedOnce(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            messages(fixture, 30, "orders", MessageStatus.DELIVERED);
            messages(fixture, 10, "invoices", MessageStatus.DELIVERED);
            messages(fixture, 10, "orders", MessageStatus.DEAD);
            JdbcBulkActions bulk = JdbcBulkActions.of(fixture.pool());

            BulkPlan plan = bulk.prepare(BulkAction.REPLAY, MessageFilter.all().withTopic("orders"), WHY);
            messages(fixture, 5, "orders", MessageStatus.DELIVERED);
            BulkProgress end = bulk.run(
                    plan.id(),
                    SMALL.withListener(
                            progress -> fixture.execute("update outbox_message set status = 2, delivered_at = "
                                    + now(kind) + " where status = 0")));

            assertThat(plan.expected()).isEqualTo(30);
            assertThat(end.done()).isEqualTo(30);
            assertThat(count(fixture, "outbox_audit where action = 'REPLAY'")).isEqualTo(30);
            assertThatThrownBy(() ->
                            bulk.prepare(BulkAction.REPLAY, MessageFilter.all().withStatus(MessageStatus.DEAD), WHY))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("REPLAY needs messages that are DELIVERED but the filter asks for DEAD");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void aPausedActionGoesOnInAnotherProcessAndACancelledOneDoesNot(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            messages(fixture, 40, "orders", MessageStatus.DEAD);
            JdbcBulkActions bulk = JdbcBulkActions.of(fixture.pool());
            UUID id = bulk.prepare(BulkAction.REQUEUE, MessageFilter.all(), WHY).id();

            BulkProgress paused = bulk.run(id, SMALL.withListener(progress -> bulk.pause(id, WHY)));
            assertThat(paused.status()).isEqualTo(BulkStatus.PAUSED);
            assertThat(paused.done()).isEqualTo(7);

            JdbcBulkActions other = JdbcBulkActions.of(fixture.pool());
            AtomicInteger batches = new AtomicInteger();
            BulkProgress cancelled = other.run(id, SMALL.withListener(progress -> {
                if (batches.incrementAndGet() == 2) {
                    bulk.cancel(id, WHY);
                }
            }));
            assertThat(cancelled.status()).isEqualTo(BulkStatus.CANCELLED);
            assertThat(cancelled.done()).isEqualTo(21);
            assertThat(count(fixture, "outbox_message where status = 3")).isEqualTo(19);
            assertThatThrownBy(() -> other.run(id, SMALL))
                    .isInstanceOf(OutboxException.class)
                    .hasMessageContaining("is CANCELLED");
            assertThatThrownBy(() -> other.pause(id, WHY)).hasMessageContaining("cannot become PAUSED");
            assertThat(other.list(5)).extracting(BulkProgress::id).containsExactly(id);
            assertThat(count(
                            fixture,
                            "outbox_audit where action in ('BULK_START', 'BULK_PAUSE', 'BULK_RESUME', 'BULK_CANCEL')"))
                    .isEqualTo(4);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void anActionWhoseProcessIsGoneGoesOnWhenItsClaimHasEnded(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            messages(fixture, 40, "orders", MessageStatus.DEAD);
            JdbcBulkActions bulk = JdbcBulkActions.of(fixture.pool());
            UUID id = bulk.prepare(BulkAction.REQUEUE, MessageFilter.all(), WHY).id();
            assertThatThrownBy(() -> bulk.run(id, SMALL.withListener(progress -> {
                        throw new IllegalStateException("killed");
                    })))
                    .hasMessage("killed");

            assertThatThrownBy(() -> bulk.run(id, SMALL))
                    .isInstanceOf(OutboxException.class)
                    .hasMessageContaining("is being run by");
            fixture.execute("update outbox_bulk set claim_until = created_at");
            BulkProgress end = JdbcBulkActions.of(fixture.pool()).run(id, SMALL);

            assertThat(end.status()).isEqualTo(BulkStatus.DONE);
            assertThat(end.done()).isEqualTo(40);
            assertThat(count(fixture, "outbox_audit where action = 'REQUEUE'")).isEqualTo(40);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void anInterruptedRunCanBeTakenUpAtOnceAndOneThatLostItsClaimStops(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            messages(fixture, 40, "orders", MessageStatus.DEAD);
            JdbcBulkActions bulk = JdbcBulkActions.of(fixture.pool());
            UUID id = bulk.prepare(BulkAction.REQUEUE, MessageFilter.all(), WHY).id();

            bulk.run(id, SMALL.withListener(progress -> Thread.currentThread().interrupt()));
            boolean interrupted = Thread.interrupted();
            BulkProgress lost = bulk.run(
                    id,
                    SMALL.withListener(progress -> fixture.execute("update outbox_bulk set claimed_by = 'another'")));

            assertThat(interrupted).isTrue();
            assertThat(lost.status()).isEqualTo(BulkStatus.RUNNING);
            assertThat(lost.done()).isEqualTo(14);
            assertThat(count(fixture, "outbox_message where status = 3")).isEqualTo(26);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void aPlanThatIsNotStartedExpires(Kind kind) {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            JdbcBulkActions bulk = JdbcBulkActions.of(fixture.pool());
            UUID id = bulk.prepare(BulkAction.REQUEUE, MessageFilter.all(), WHY).id();
            fixture.execute("update outbox_bulk set created_at = timestamp '2020-01-01 00:00:00'");

            assertThatThrownBy(() -> bulk.run(id, SMALL))
                    .isInstanceOf(OutboxException.class)
                    .hasMessageContaining("prepared more than an hour ago");
            assertThatThrownBy(() -> bulk.run(new UUID(1, 2), SMALL)).hasMessageContaining("There is no bulk action");
            assertThat(bulk.progress(new UUID(1, 2))).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void lockedMessagesComeLastAndAreSkippedIfTheyStayLocked(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            List<UUID> dead = messages(fixture, 20, "orders", MessageStatus.DEAD);
            JdbcBulkActions bulk = JdbcBulkActions.of(fixture.pool());
            UUID id = bulk.prepare(BulkAction.REQUEUE, MessageFilter.all(), WHY).id();
            BulkProgress end;

            try (Connection brief = lock(fixture, dead.get(3));
                    Connection stubborn = lock(fixture, dead.get(5))) {
                AtomicInteger batches = new AtomicInteger();
                end = bulk.run(id, SMALL.withListener(progress -> {
                    if (batches.incrementAndGet() == 2) {
                        rollback(brief);
                    }
                }));
                rollback(stubborn);
            }

            assertThat(end.status()).isEqualTo(BulkStatus.DONE);
            assertThat(end.done()).isEqualTo(19);
            assertThat(end.skipped()).isEqualTo(1);
            assertThat(bulk.rows(id, BulkResult.SKIPPED, 0, 10)).singleElement().satisfies(row -> {
                assertThat(row.messageId()).isEqualTo(dead.get(5));
                assertThat(row.error()).contains("locked");
            });
            assertThat(status(fixture, dead.get(3))).isEqualTo(MessageStatus.PENDING);
            assertThat(status(fixture, dead.get(5))).isEqualTo(MessageStatus.DEAD);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void aMessageTheDatabaseRefusesKeepsNoOtherFromItsTurn(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            List<UUID> dead = messages(fixture, 20, "orders", MessageStatus.DEAD);
            fixture.update("update outbox_message set tenant = 'refused' where id = ?", dead.get(4));
            fixture.execute("alter table outbox_archive add constraint refusal check (tenant <> 'refused')");
            JdbcBulkActions bulk = JdbcBulkActions.of(fixture.pool());
            UUID id = bulk.prepare(BulkAction.DISCARD, MessageFilter.all(), WHY).id();

            BulkProgress end = bulk.run(id, SMALL);

            assertThat(end.status()).isEqualTo(BulkStatus.DONE);
            assertThat(end.done()).isEqualTo(19);
            assertThat(end.failed()).isEqualTo(1);
            assertThat(end.lastError()).isNotNull();
            assertThat(bulk.rows(id, BulkResult.FAILED, 0, 10))
                    .extracting(BulkRow::messageId)
                    .containsExactly(dead.get(4));
            assertThat(count(fixture, "outbox_message")).isEqualTo(1);
            assertThat(count(fixture, "outbox_audit where action = 'DISCARD'")).isEqualTo(19);
        }
    }

    private static List<UUID> messages(Fixture fixture, int count, String topic, MessageStatus status)
            throws SQLException {
        List<OutboxMessage> messages = IntStream.range(0, count)
                .mapToObj(i -> OutboxMessage.to(topic, "Placed")
                        .key("k" + i)
                        .tenant("t")
                        .build())
                .toList();
        try (Connection connection = fixture.producers().getConnection()) {
            connection.setAutoCommit(false);
            JdbcOutbox.create().enqueueAll(connection, messages);
            connection.commit();
        }
        String now = now(fixture.database().kind());
        List<UUID> ids = new ArrayList<>();
        for (OutboxMessage message : messages) {
            ids.add(message.id());
            Stream.of(status)
                    .filter(each -> each != MessageStatus.PENDING)
                    .map(each -> each == MessageStatus.DEAD
                            ? "status = 3, last_error = 'no', died_at = "
                            : "status = 2, delivered_at = ")
                    .forEach(change -> fixture.update(
                            "update outbox_message set " + change + now + " where id = ?", message.id()));
        }
        return ids;
    }

    private static void die(Fixture fixture, UUID id) {
        fixture.update(
                "update outbox_message set status = 3, due_at = null, died_at = %s where status = 0 and id = ?"
                        .formatted(now(fixture.database().kind())),
                id);
    }

    private static String now(Kind kind) {
        return switch (kind) {
            case POSTGRES_15, POSTGRES_18 -> "clock_timestamp()";
            case MARIADB, MYSQL -> "utc_timestamp(6)";
            case H2 -> "current_timestamp";
        };
    }

    private static MessageStatus status(Fixture fixture, UUID id) {
        return JdbcOutboxAdmin.of(fixture.pool()).find(id).orElseThrow().status();
    }

    private static Connection lock(Fixture fixture, UUID id) throws SQLException {
        Connection connection = fixture.database().dataSource().getConnection();
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        connection.setAutoCommit(false);
        try (PreparedStatement lock =
                connection.prepareStatement("select seq from outbox_message where id = ? for update")) {
            lock.setObject(1, Dialect.of(connection).id(id));
            lock.execute();
        }
        return connection;
    }

    private static void rollback(Connection connection) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static long count(Fixture fixture, String what) throws SQLException {
        try (Connection connection = fixture.producers().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select count(*) from " + what)) {
            row.next();
            return row.getLong(1);
        }
    }
}

package dev.postrider.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.OutboxMessage;
import dev.postrider.services.Database.Kind;
import dev.postrider.spi.ClaimRequest;
import dev.postrider.spi.ClaimSize;
import dev.postrider.spi.ClaimedBatch;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.Shards;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Somebody outside, for example an operator's session, holds locks on rows. */
@Tag("B1")
final class LockedRowTest {

    private static final String WAITING_FOR_A_LOCK =
            "select count(*) from pg_stat_activity where wait_event_type = 'Lock'"
                    + " and datname = current_database()";
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Set<Integer> ALL =
            IntStream.range(0, Shards.COUNT).boxed().collect(Collectors.toUnmodifiableSet());

    private long token;

    @ParameterizedTest
    @EnumSource
    void aLockedRowKeepsTheLaterRowsOfItsKeyUnclaimed(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            JdbcOutboxStore store = joined(fixture);
            OutboxMessage head = keyed("a");
            OutboxMessage later = keyed("a");
            OutboxMessage other = keyed("b");
            enqueue(fixture, keyed("c"), head, later, other);
            ClaimedBatch batch;
            long headSeq = seq(fixture, head);

            try (Connection stranger = lock(fixture, head)) {
                batch = claim(store, 10);
                stranger.rollback();
            }

            assertThat(ids(batch.messages())).hasSize(2).contains(other.id()).doesNotContain(later.id());
            assertThat(batch.scannedTo()).isEqualTo(headSeq - 1);
            assertThat(ids(claim(store, 10).messages())).containsExactly(head.id(), later.id());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_15", "POSTGRES_18"})
    void aRowThatDiesWhileItIsClaimedIsNotTaken(Kind kind) throws Exception {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            JdbcOutboxStore store = joined(fixture);
            OutboxMessage dying = keyed("a");
            OutboxMessage other = keyed("b");
            enqueue(fixture, dying, other);
            ExecutorService executor = Executors.newSingleThreadExecutor();
            try (Connection stranger = lock(fixture, dying)) {
                bury(stranger, seq(fixture, dying));

                Future<ClaimedBatch> claim = executor.submit(() -> claim(store, 10));
                // Whether it waits, or has given up waiting by now, the answer must be the same.
                Awaitility.await()
                        .atMost(PATIENCE)
                        .until(() -> claim.isDone() || count(fixture, WAITING_FOR_A_LOCK) > 0);
                stranger.commit();

                assertThat(ids(claim.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).messages()))
                        .containsExactly(other.id());
                assertThat(count(fixture, "select count(*) from outbox_message where status = 1"))
                        .isEqualTo(1);
            } finally {
                executor.shutdownNow();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void lockedRowsAtTheHeadStarveNobody(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            JdbcOutboxStore store = joined(fixture);
            OutboxMessage[] locked = {keyed("a"), keyed("b"), keyed("c"), keyed("d")};
            OutboxMessage[] free = {keyed("e"), keyed("f"), keyed("g")};
            enqueue(fixture, locked);
            enqueue(fixture, free);

            try (Connection stranger = lock(fixture, locked)) {
                ClaimedBatch batch = claim(store, 2);

                assertThat(ids(batch.messages())).containsExactly(free[0].id(), free[1].id());
                assertThat(batch.full()).isTrue();
                stranger.rollback();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void lockedRowsThatAreDueStarveNobody(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            JdbcOutboxStore store = joined(fixture);
            OutboxMessage[] locked = {keyed("a"), keyed("b"), keyed("c"), keyed("d")};
            OutboxMessage[] free = {keyed("e"), keyed("f"), keyed("g")};
            enqueue(fixture, locked);
            retry(store);
            enqueue(fixture, free);
            retry(store);

            try (Connection stranger = lock(fixture, locked)) {
                assertThat(ids(store.claimWaiting(request(2)))).containsExactly(free[0].id(), free[1].id());
                stranger.rollback();
            }
            assertThat(ids(store.claimWaiting(request(4)))).hasSize(4);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRowIsNotPutBehindAHolderThatIsBeingSettled(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            JdbcOutboxStore store = joined(fixture);
            OutboxMessage holder = keyed("a");
            OutboxMessage later = keyed("a");
            enqueue(fixture, holder);
            ClaimedMessage claimed = claim(store, 10).messages().get(0);
            store.settle(List.of(Settlement.retry(claimed, LONG, "broken", true)));
            enqueue(fixture, later);

            try (Connection stranger = lock(fixture, holder)) {
                ClaimedBatch batch = claim(store, 10);

                assertThat(batch.messages()).isEmpty();
                assertThat(batch.scannedTo()).isLessThan(seq(fixture, later));
                assertThat(waits(fixture, later)).isFalse();
                stranger.rollback();
            }
            assertThat(claim(store, 10).messages()).isEmpty();
            assertThat(waits(fixture, later)).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("R3.6")
    void purgeLeavesLockedRowsForTheNextTime(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            JdbcOutboxStore store = joined(fixture);
            OutboxMessage locked = keyed("a");
            enqueue(fixture, locked, keyed("b"));
            store.settle(claim(store, 10).messages().stream()
                    .map(Settlement::delivered)
                    .toList());
            JdbcOutboxAdmin admin = JdbcOutboxAdmin.of(fixture.pool());

            try (Connection stranger = lock(fixture, locked)) {
                assertThat(admin.purge(Duration.ZERO, 10)).isEqualTo(1);
                stranger.rollback();
            }

            assertThat(admin.purge(Duration.ZERO, 10)).isEqualTo(1);
        }
    }

    private static JdbcOutboxStore joined(Fixture fixture) {
        JdbcOutboxStore store = JdbcOutboxStore.builder(fixture.pool()).build();
        store.renew("me", LONG);
        store.acquire("me", ALL);
        return store;
    }

    private ClaimedBatch claim(JdbcOutboxStore store, int size) {
        return store.claim(request(size), SeqRange.above(0));
    }

    private ClaimRequest request(int size) {
        return new ClaimRequest("me", ALL, Set.of(), new ClaimSize(size, 1 << 20), LONG, ++token);
    }

    private void retry(JdbcOutboxStore store) {
        store.settle(claim(store, 10).messages().stream()
                .map(claimed -> Settlement.retry(claimed, Duration.ZERO, "broken", false))
                .toList());
    }

    private static OutboxMessage keyed(String key) {
        return OutboxMessage.to("orders", "Placed").key(key).build();
    }

    private static void enqueue(Fixture fixture, OutboxMessage... messages) throws SQLException {
        try (Connection connection = fixture.pool().getConnection()) {
            connection.setAutoCommit(false);
            JdbcOutbox.create().enqueueAll(connection, List.of(messages));
            connection.commit();
        }
    }

    private static Connection lock(Fixture fixture, OutboxMessage... messages) throws SQLException {
        Connection connection = fixture.database().dataSource().getConnection();
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        connection.setAutoCommit(false);
        for (OutboxMessage message : messages) {
            try (PreparedStatement lock =
                    connection.prepareStatement("select seq from outbox_message where seq = ? for update")) {
                lock.setLong(1, seq(fixture, message));
                lock.execute();
            }
        }
        return connection;
    }

    private static void bury(Connection connection, long seq) throws SQLException {
        try (PreparedStatement update =
                connection.prepareStatement("update outbox_message set status = 3, died_at = now() where seq = ?")) {
            update.setLong(1, seq);
            update.executeUpdate();
        }
    }

    private static int count(Fixture fixture, String query) throws SQLException {
        try (Connection connection = fixture.pool().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getInt(1);
        }
    }

    private static long seq(Fixture fixture, OutboxMessage message) {
        return JdbcOutboxAdmin.of(fixture.pool())
                .find(message.id())
                .orElseThrow()
                .seq();
    }

    private static boolean waits(Fixture fixture, OutboxMessage message) throws SQLException {
        try (Connection connection = fixture.pool().getConnection();
                PreparedStatement query = connection.prepareStatement(
                        "select seq from outbox_message where holds_key and due_at is not null and seq = ?")) {
            query.setLong(1, seq(fixture, message));
            return query.executeQuery().next();
        }
    }

    private static List<UUID> ids(List<ClaimedMessage> messages) {
        return new ArrayList<>(
                messages.stream().map(claimed -> claimed.message().id()).toList());
    }
}

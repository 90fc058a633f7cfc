package dev.postrider.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.OutboxException;
import dev.postrider.database.TableNames;
import dev.postrider.database.Transactions;
import dev.postrider.services.Database.Kind;
import dev.postrider.services.SingleConnection;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class TransactionsTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @ParameterizedTest
    @CsvSource({"40001,0", "40P01,0", "HY000,1213", "HY000,1205", "HY000,1020"})
    @Tag("F11")
    void aTransactionThatLostAConflictIsRepeated(String state, int code) {
        try (Fixture fixture = Fixture.create(Kind.H2)) {
            AtomicInteger runs = new AtomicInteger();

            int result = transactions(fixture).transacted("try", session -> {
                session.update("update {shard} set low_seq = low_seq + 1 where shard = 0");
                if (runs.incrementAndGet() < 3) {
                    throw new SQLException("conflict", state, code);
                }
                return runs.get();
            });

            assertThat(result).isEqualTo(3);
            assertThat(lowSeq(fixture)).as("the failed ones are rolled back").isEqualTo(1);
        }
    }

    @Test
    @Tag("F11")
    void aConflictThatNeverEndsIsReportedWithItsCause() {
        try (Fixture fixture = Fixture.create(Kind.H2)) {
            SQLException conflict = new SQLException("conflict", "40001");

            assertThatThrownBy(() -> transactions(fixture).transacted("settle 12 messages", session -> {
                        throw conflict;
                    }))
                    .isInstanceOf(OutboxException.class)
                    .hasMessage("Could not settle 12 messages")
                    .hasCause(conflict);
        }
    }

    @Test
    void anyOtherErrorIsNotRepeated() {
        try (Fixture fixture = Fixture.create(Kind.H2)) {
            AtomicInteger runs = new AtomicInteger();

            assertThatThrownBy(() -> transactions(fixture).autoCommitted("try", session -> {
                        runs.incrementAndGet();
                        throw new SQLException("broken", "42000");
                    }))
                    .isInstanceOf(OutboxException.class);

            assertThat(runs).hasValue(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("F57")
    void connectionsAreReadCommittedWhileBorrowedAndGoBackAsTheyCame(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind));
                Connection only = fixture.database().dataSource().getConnection()) {
            only.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            only.setAutoCommit(false);
            Transactions transactions =
                    OutboxDialect.transactions(new SingleConnection(only), TableNames.defaults(), 10);

            int inside = transactions.transacted(
                    "look", session -> session.connection().getTransactionIsolation());
            boolean autoCommit = transactions.autoCommitted(
                    "look", session -> session.connection().getAutoCommit());
            assertThatThrownBy(() -> transactions.transacted("fail", session -> session.update("no sql")))
                    .isInstanceOf(OutboxException.class);

            assertThat(inside).isEqualTo(Connection.TRANSACTION_READ_COMMITTED);
            assertThat(autoCommit).isTrue();
            assertThat(only.getAutoCommit()).isFalse();
            assertThat(only.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_REPEATABLE_READ);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"MARIADB", "MYSQL"})
    @Tag("F12")
    void theLocksOfAFrozenClientEndByThemselves(Kind kind) throws Exception {
        CountDownLatch locked = new CountDownLatch(1);
        CountDownLatch frozen = new CountDownLatch(1);
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try (Fixture fixture = Fixture.create(Kinds.require(kind));
                Connection other = fixture.database().dataSource().getConnection();
                Statement statement = other.createStatement()) {
            Future<Integer> client = executor.submit(() -> transactions(fixture).transacted("freeze", session -> {
                session.update("update {shard} set owner = 'frozen' where shard = 0");
                locked.countDown();
                awaitQuietly(frozen);
                return session.update("update {shard} set owner = 'thawed' where shard = 0");
            }));
            locked.await();

            // The update fails if the locks last longer than this: the client that holds them does nothing more.
            statement.execute("set session innodb_lock_wait_timeout = " + PATIENCE.toSeconds());
            int updated = statement.executeUpdate("update outbox_shard set owner = 'other' where shard = 0");

            assertThat(updated).isEqualTo(1);
            frozen.countDown();
            assertThatThrownBy(() -> client.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .hasCauseInstanceOf(OutboxException.class);
        } finally {
            frozen.countDown();
            executor.shutdownNow();
        }
    }

    private static Transactions transactions(Fixture fixture) {
        return OutboxDialect.transactions(fixture.pool(), TableNames.defaults(), 10);
    }

    private static long lowSeq(Fixture fixture) {
        return transactions(fixture).autoCommitted("look", session -> {
            try (var statement = session.prepare("select low_seq from {shard} where shard = 0");
                    var row = statement.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        });
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

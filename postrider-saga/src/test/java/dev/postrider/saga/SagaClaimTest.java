package dev.postrider.saga;

import static dev.postrider.saga.SagaFixture.ORDER;
import static dev.postrider.saga.SagaFixture.durable;
import static dev.postrider.saga.SagaFixture.start;
import static dev.postrider.saga.SagaFixture.transacted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.database.OpenTransaction;
import dev.postrider.services.Database.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Who may write to a saga, and when. */
@Tag("R0.1")
final class SagaClaimTest {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Set<SagaVersion> ORDERS = Set.of(ORDER);
    private static final int PATIENCE_SECONDS = 120;

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void noSagaIsClaimedTwiceInOneEpoch(Kind kind) throws Exception {
        try (SagaFixture fixture = SagaFixture.create(kind)) {
            SagaStore store = fixture.store();
            Set<UUID> started = new HashSet<>();
            for (int i = 0; i < 120; i++) {
                started.add(start(store));
            }

            List<ClaimedSaga> claimed = new ArrayList<>();
            for (Future<List<ClaimedSaga>> each : together(4, number -> claimAll(store))) {
                claimed.addAll(each.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
            }

            assertThat(claimed).extracting(ClaimedSaga::id).containsExactlyInAnyOrderElementsOf(started);
            assertThat(claimed).allMatch(each -> each.epoch() == 1 && each.count() == 1);
        }
    }

    // What another has locked is skipped; whoever ends last has found nothing while nobody had locked anything.
    private static List<ClaimedSaga> claimAll(SagaStore store) {
        List<ClaimedSaga> mine = new ArrayList<>();
        List<ClaimedSaga> some;
        do {
            some = store.claim(ORDERS, 7, HOUR, "n");
            mine.addAll(some);
        } while (!some.isEmpty());
        return mine;
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("D4")
    void onlyTheLatestEpochWrites(Kind kind) {
        try (SagaFixture fixture = SagaFixture.create(kind)) {
            SagaStore store = fixture.store();
            UUID id = start(store);
            ClaimedSaga frozen = claim(store, Duration.ZERO);
            ClaimedSaga next = claim(store, HOUR);
            StepEntry entry = StepEntry.of(id, "pay", Direction.FORWARD, StepStatus.DONE, 1);

            assertThat(next.epoch()).isEqualTo(frozen.epoch() + 1);
            assertThat(next.count()).isEqualTo(2);
            Optional<SagaRow> fenced =
                    transacted(store, connection -> store.fence(connection, id, frozen.epoch(), HOUR));
            assertThat(fenced).isEmpty();
            assertThat(store.renew(List.of(frozen), HOUR)).containsExactly(frozen);
            assertThat(store.release(id, frozen.epoch())).isFalse();
            assertThat(store.record(id, frozen.epoch(), entry, Change.to(SagaStatus.STUCK)))
                    .isFalse();
            assertThat(store.journal(id)).isEmpty();
            assertThat(store.find(id).orElseThrow().status()).isEqualTo(SagaStatus.RUNNING);

            assertThat(store.renew(List.of(next), HOUR)).isEmpty();
            assertThat(store.record(id, next.epoch(), entry, Change.to(SagaStatus.RUNNING)))
                    .isTrue();
            assertThat(store.find(id).orElseThrow().claim().count()).isZero();
            assertThat(store.find(id).orElseThrow().claim().until()).isNotNull();
            assertThat(store.release(id, next.epoch())).isTrue();
            assertThat(store.release(id, next.epoch())).isFalse();
            assertThat(store.claim(ORDERS, 10, HOUR, "third")).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("D4")
    void whoeverLosesTheSagaAfterReadingItCannotAdvanceIt(Kind kind) {
        try (SagaFixture fixture = SagaFixture.create(kind)) {
            SagaStore store = fixture.store();
            UUID id = start(store);
            ClaimedSaga first = claim(store, Duration.ZERO);
            SagaRow seen = transacted(store, connection -> store.fence(connection, id, first.epoch(), Duration.ZERO))
                    .orElseThrow();
            claim(store, HOUR);

            boolean advanced =
                    transacted(store, connection -> store.advance(connection, seen, Change.to(SagaStatus.COMPLETED)));

            assertThat(advanced).isFalse();
            assertThat(store.find(id).orElseThrow().status()).isEqualTo(SagaStatus.RUNNING);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("A6")
    void aStepWhoseTransactionWasLostOnTheWayCannotAdvance(Kind kind) throws SQLException {
        try (SagaFixture fixture = SagaFixture.create(kind)) {
            SagaStore store = fixture.store();
            UUID id = start(store);
            ClaimedSaga claimed = claim(store, HOUR);

            try (OpenTransaction transaction = store.begin(null)) {
                Connection connection = transaction.session().connection();
                SagaRow saga =
                        store.fence(connection, id, claimed.epoch(), HOUR).orElseThrow();
                connection.rollback();

                assertThat(store.advance(connection, saga, Change.to(SagaStatus.COMPLETED)))
                        .isFalse();
                connection.rollback();
                transacted(store, other -> store.lock(other, id));
                assertThat(store.advance(connection, saga, Change.to(SagaStatus.COMPLETED)))
                        .isFalse();
            }
        }
    }

    /** These databases roll everything back on a deadlock, and then let the step work on as if nothing had happened. */
    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "MYSQL"})
    @Tag("A6")
    void aStepThatOverlooksADeadlockCannotAdvance(Kind kind) throws Exception {
        try (SagaFixture fixture = SagaFixture.create(kind)) {
            SagaStore store = fixture.store();
            UUID id = start(store);
            ClaimedSaga claimed = claim(store, HOUR);
            fixture.execute(
                    "create table stock (item int primary key, amount int) engine = InnoDB",
                    "insert into stock values (1, 0), (2, 0)");
            ExecutorService executor = Executors.newSingleThreadExecutor();

            try (OpenTransaction transaction = store.begin(null);
                    Connection rival = fixture.pool().getConnection()) {
                Connection connection = transaction.session().connection();
                SagaRow saga =
                        store.fence(connection, id, claimed.epoch(), HOUR).orElseThrow();
                rival.setAutoCommit(false);
                // The rival has changed more rows, so that the server picks the step as the victim.
                execute(rival, "insert into stock values (11, 0), (12, 0), (13, 0), (14, 0), (15, 0), (16, 0)");
                execute(connection, "update stock set amount = 1 where item = 1");
                execute(rival, "update stock set amount = 2 where item = 2");
                Future<?> waiting = executor.submit(() -> {
                    execute(rival, "update stock set amount = 2 where item = 1");
                    return null;
                });
                assertThatThrownBy(() -> waiting.get(300, TimeUnit.MILLISECONDS))
                        .isInstanceOf(TimeoutException.class);
                assertThatThrownBy(() -> execute(connection, "update stock set amount = 1 where item = 2"))
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                error -> assertThat(error.getErrorCode()).isEqualTo(1213));
                waiting.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
                rival.rollback();
                store.write(connection, StepEntry.of(id, "pay", Direction.FORWARD, StepStatus.DONE, 1));

                assertThat(store.advance(connection, saga, Change.to(SagaStatus.RUNNING)))
                        .isFalse();
            } finally {
                executor.shutdown();
            }
            assertThat(store.journal(id)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18"})
    @Tag("A6")
    void onPostgresqlAnOverlookedErrorMakesTheAdvanceFail(Kind kind) throws SQLException {
        try (SagaFixture fixture = SagaFixture.create(kind)) {
            SagaStore store = fixture.store();
            UUID id = start(store);
            ClaimedSaga claimed = claim(store, HOUR);

            try (OpenTransaction transaction = store.begin(null)) {
                Connection connection = transaction.session().connection();
                SagaRow saga =
                        store.fence(connection, id, claimed.epoch(), HOUR).orElseThrow();
                assertThatThrownBy(() -> execute(connection, "select 1 / 0")).isInstanceOf(SQLException.class);

                assertThatThrownBy(() -> store.advance(connection, saga, Change.to(SagaStatus.COMPLETED)))
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                error -> assertThat(error.getSQLState()).isEqualTo("25P02"));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("A4")
    void whoeverComesSecondWithAKeyWaitsForTheFirst(Kind kind) throws Exception {
        try (SagaFixture fixture = SagaFixture.create(kind)) {
            SagaStore store = fixture.store();

            assertThat(race(store, "committed", true)).as("the first commits").isFalse();
            assertThat(race(store, "rolled back", false))
                    .as("the first rolls back")
                    .isTrue();

            assertThat(store.findByKey("order", "committed")).isPresent();
            assertThat(store.findByKey("order", "rolled back")).isPresent();
            assertThat(fixture.count("saga_instance")).isEqualTo(2);
            start(store, durable(new SagaVersion("refund", 1), "committed"));
        }
    }

    /** Tells whether the second was inserted. */
    private static boolean race(SagaStore store, String key, boolean firstCommits) throws Exception {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        Future<Boolean> second;
        try (OpenTransaction first = store.begin(null)) {
            store.insert(first.session().connection(), durable(key));
            second = executor.submit(() -> insertUntilAnswered(store, key));
            assertThatThrownBy(() -> second.get(300, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            if (firstCommits) {
                first.commit();
            }
        } finally {
            executor.shutdown();
        }
        return second.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    private static boolean insertUntilAnswered(SagaStore store, String key) throws SQLException {
        try (OpenTransaction transaction = store.begin(Duration.ofSeconds(60))) {
            Connection connection = transaction.session().connection();
            boolean fresh = store.insert(connection, durable(key));
            // The transaction is usable either way.
            assertThat(store.lock(connection, SagaFixture.nextId())).isEmpty();
            transaction.commit();
            return fresh;
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("D8")
    void aSagaIsClaimedOnceForEachTimeItIsDueAndNotBefore(Kind kind) {
        try (SagaFixture fixture = SagaFixture.create(kind)) {
            SagaStore store = fixture.store();
            UUID id = start(store);
            ClaimedSaga claimed = claim(store, HOUR);
            StepEntry entry = StepEntry.of(id, "pay", Direction.FORWARD, StepStatus.FAILED, 1);
            Change pause =
                    Change.to(SagaStatus.RUNNING).waking(Duration.ofMillis(300)).releasing();

            store.record(id, claimed.epoch(), entry, pause);

            SagaRow before = store.find(id).orElseThrow();
            assertThat(before.times().wakeAt()).isAfter(before.times().updatedAt());
            Optional<ClaimedSaga> woken = Optional.empty();
            while (woken.isEmpty()) {
                woken = store.claim(ORDERS, 1, HOUR, "n").stream().findFirst();
            }
            SagaRow after = store.find(id).orElseThrow();
            assertThat(after.times().readAt()).isAfterOrEqualTo(after.times().wakeAt());
            assertThat(after.times().wakeAt()).isEqualTo(before.times().wakeAt());
            assertThat(store.claim(ORDERS, 1, HOUR, "n")).isEmpty();
            assertThat(woken.get().epoch()).isEqualTo(claimed.epoch() + 1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("D4")
    void aRenewalLeavesLockedRowsOutAndNamesTheClaimsThatAreLost(Kind kind) throws SQLException {
        try (SagaFixture fixture = SagaFixture.create(kind)) {
            SagaStore store = fixture.store();
            start(store);
            ClaimedSaga lost = claim(store, Duration.ZERO);
            claim(store, HOUR);
            List<ClaimedSaga> claims = new ArrayList<>(List.of(lost));
            for (int i = 0; i < 4; i++) {
                start(store);
                claims.add(claim(store, HOUR));
            }
            ClaimedSaga locked = claims.get(2);
            fixture.execute("update saga_instance set claimed_until = created_at where claim_count = 1");

            try (OpenTransaction step = store.begin(null)) {
                store.lock(step.session().connection(), locked.id());
                assertThat(store.renew(claims, HOUR)).containsExactly(lost);
            }

            for (ClaimedSaga each : claims.subList(1, claims.size())) {
                SagaRow row = store.find(each.id()).orElseThrow();
                Instant until = Objects.requireNonNull(row.claim().until());
                boolean renewed = until.isAfter(row.times().readAt());
                assertThat(renewed).isEqualTo(!each.equals(locked));
            }
            assertThat(store.renew(List.of(), HOUR)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void anyNumberOfClaimsIsRenewed(Kind kind) {
        try (SagaFixture fixture = SagaFixture.create(kind)) {
            SagaStore store = fixture.store();
            int sagas = 501;
            transacted(store, connection -> {
                for (int i = 0; i < sagas; i++) {
                    store.insert(connection, durable(null));
                }
                return true;
            });
            List<ClaimedSaga> claims = store.claim(ORDERS, sagas, HOUR, "n");
            fixture.execute("update saga_instance set claimed_until = created_at");

            List<ClaimedSaga> lost = store.renew(claims, HOUR);

            assertThat(lost).isEmpty();
            assertThat(fixture.count("saga_instance where claimed_until > created_at"))
                    .isEqualTo(sagas);
        }
    }

    private static ClaimedSaga claim(SagaStore store, Duration claimFor) {
        List<ClaimedSaga> claimed = new ArrayList<>();
        // A claim of no length is over when the clock has moved on.
        while (claimed.isEmpty()) {
            claimed.addAll(store.claim(ORDERS, 1, claimFor, "n"));
        }
        return claimed.get(0);
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static <T> List<Future<T>> together(int threads, Numbered<T> work) throws InterruptedException {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        List<Future<T>> futures = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            int number = i;
            futures.add(executor.submit(() -> work.run(number)));
        }
        executor.shutdown();
        assertThat(executor.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS))
                .isTrue();
        return futures;
    }

    @FunctionalInterface
    private interface Numbered<T> {

        T run(int number) throws Exception;
    }
}

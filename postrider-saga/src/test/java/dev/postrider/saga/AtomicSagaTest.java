package dev.postrider.saga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.OutboxMessage;
import dev.postrider.database.Faults;
import dev.postrider.services.Database.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A saga in one transaction: the invariants A1 to A6. */
@Tag("R0.1")
final class AtomicSagaTest {

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("A1")
    @Tag("A2")
    void everythingTheStepsDidCommitsTogetherWithTheirMessages(Kind kind) {
        try (World world = World.create(kind)) {
            LocalSagaDefinition<String> saga = saga(step("a"), step("b"), step("c"));

            SagaResult<String> result = world.engine(saga).build().saga(saga).execute("0");

            assertThat(result).isInstanceOf(SagaResult.Completed.class);
            assertThat(result.orThrow()).isEqualTo("0abc");
            assertThat(result.steps()).extracting(StepReport::step).containsExactly("a", "b", "c");
            assertThat(world.effects()).containsExactly("a", "b", "c");
            assertThat(world.topics()).containsExactly("a", "a", "b", "b", "c", "c");
            assertThat(world.status(result.sagaId())).isEqualTo("COMPLETED");
            assertThat(world.strings("select ctx from saga_instance")).containsExactly("0abc");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("A1")
    @Tag("A2")
    @Tag("A5")
    void aStepThatThrowsLeavesNothingButANoteAndNoCompensationIsCalled(Kind kind) {
        try (World world = World.create(kind)) {
            AtomicInteger compensations = new AtomicInteger();
            LocalSagaDefinition<String> saga = define().step(
                            "a",
                            step -> step.action(step("a"))
                                    .compensate((context, transaction) -> compensations.incrementAndGet()))
                    .step(
                            "b",
                            step -> step.action((context, transaction) -> {
                                step("b").run(context, transaction);
                                throw new IllegalStateException("sold out\n<b>");
                            }))
                    .build();
            List<SagaStatus> heard = new ArrayList<>();

            SagaResult<String> result = world.engine(saga)
                    .listener(new SagaListener() {
                        @Override
                        public void ended(String name, UUID id, SagaStatus status) {
                            heard.add(status);
                            throw new IllegalStateException("a listener changes nothing");
                        }
                    })
                    .build()
                    .saga(saga)
                    .execute("key", "0");

            assertThat(result).isInstanceOf(SagaResult.RolledBack.class);
            assertThat(result.failure())
                    .contains(new SagaFailure("b", "java.lang.IllegalStateException", "sold out <b>"));
            assertThat(result.context()).isEqualTo("0");
            assertThatThrownBy(result::orThrow)
                    .isInstanceOf(SagaException.class)
                    .hasMessageContaining("ROLLED_BACK");
            assertThat(world.effects()).isEmpty();
            assertThat(world.topics()).isEmpty();
            assertThat(compensations).hasValue(0);
            assertThat(world.status(result.sagaId())).isEqualTo("ROLLED_BACK");
            assertThat(heard).containsExactly(SagaStatus.ROLLED_BACK);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("A1")
    void aProcessThatDiesLeavesAllOrNothing(Kind kind) {
        try (World world = World.create(kind)) {
            LocalSagaDefinition<String> saga = saga(step("a"), step("b"));
            SagaEngine engine = world.engine(saga).build();

            crashAt("saga.atomic.stepped", () -> engine.saga(saga).execute("key", "0"));
            assertThat(world.effects()).isEmpty();
            assertThat(world.topics()).isEmpty();
            crashAt("saga.atomic.committed", () -> engine.saga(saga).execute("key", "0"));
            assertThat(world.effects()).containsExactly("a", "b");
            assertThat(world.topics()).hasSize(4);

            assertThat(engine.saga(saga).execute("key", "0").orThrow()).isEqualTo("0ab");
            assertThat(world.effects()).containsExactly("a", "b");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("A3")
    void whatTheDatabaseWantsAgainRunsAgainFromTheStartWithTheSameIds(Kind kind) {
        try (World world = World.create(kind)) {
            List<List<UUID>> ids = new ArrayList<>();
            LocalSagaDefinition<String> saga = define().step(
                            "a",
                            step -> step.action((context, transaction) -> {
                                World.effect(transaction.connection(), "a");
                                List<UUID> round = new ArrayList<>();
                                ids.add(round);
                                round.add(transaction.enqueue(message("a")).id());
                                round.add(transaction.enqueue(message("a")).id());
                                return context + "a";
                            }))
                    .step(
                            "b",
                            step -> step.action((context, transaction) -> {
                                if (transaction.attempt() < 3) {
                                    throw new IllegalStateException(new SQLException("again", "40001", 1213));
                                }
                                return context + "b";
                            }))
                    .build();

            SagaResult<String> result = world.engine(saga).build().saga(saga).execute("0");

            assertThat(result.orThrow()).isEqualTo("0ab");
            assertThat(ids).hasSize(3);
            assertThat(ids.get(1)).isEqualTo(ids.get(0)).isEqualTo(ids.get(2)).doesNotHaveDuplicates();
            assertThat(world.messageIds())
                    .containsExactlyElementsOf(
                            ids.get(0).stream().map(World::text).toList());
            assertThat(world.effects()).containsExactly("a");
            assertThat(SagaIds.time(ids.get(0).get(0))).isEqualTo(SagaIds.time(result.sagaId()));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("A3")
    void aPassingErrorThatDoesNotPassRollsBackInTheEnd(Kind kind) {
        try (World world = World.create(kind)) {
            AtomicInteger attempts = new AtomicInteger();
            LocalSagaDefinition<String> saga = saga(step("a"), (context, transaction) -> {
                attempts.incrementAndGet();
                throw new SQLException("again", "40001", 1213);
            });

            SagaResult<String> result = world.engine(saga).build().saga(saga).execute("0");

            assertThat(result.failure().orElseThrow().step()).isEqualTo("s1");
            assertThat(attempts).hasValue(4);
            assertThat(world.effects()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("A3")
    void aLostCommitIsLookedUpAndNeverMadeTwice(Kind kind) {
        for (boolean commits : new boolean[] {true, false}) {
            try (World world = World.create(kind)) {
                List<UUID> ids = new ArrayList<>();
                LocalSagaDefinition<String> saga = saga((context, transaction) -> {
                    World.effect(transaction.connection(), "a");
                    ids.add(transaction.enqueue(message("a")).id());
                    return context + "a";
                });
                // The first commit is that of the registration.
                BrokenCommits broken = new BrokenCommits(world.pool(), 2, commits, false);
                SagaEngine engine =
                        SagaEngine.builder(broken.dataSource()).register(saga).build();

                SagaResult<String> result = engine.saga(saga).execute("0");

                assertThat(result.orThrow()).isEqualTo("0a");
                assertThat(ids).hasSize(commits ? 1 : 2);
                assertThat(Collections.frequency(ids, ids.get(0))).isEqualTo(ids.size());
                assertThat(world.messageIds()).containsExactly(World.text(ids.get(0)));
                assertThat(world.effects()).containsExactly("a");
                assertThat(world.status(result.sagaId())).isEqualTo("COMPLETED");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("A2")
    void whatNobodyCanKnowIsSaid(Kind kind) {
        try (World world = World.create(kind)) {
            LocalSagaDefinition<String> saga = saga(step("a"));
            BrokenCommits broken = new BrokenCommits(world.pool(), 2, true, true);
            SagaEngine engine =
                    SagaEngine.builder(broken.dataSource()).register(saga).build();
            LocalSaga<String> instances = engine.saga(saga);

            assertThatThrownBy(() -> instances.execute("key", "0"))
                    .isInstanceOfSatisfying(
                            SagaOutcomeUnknownException.class,
                            e -> assertThat(world.status(e.sagaId())).isEqualTo("COMPLETED"));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("A4")
    void oneKeyIsOneExecutionAlsoForThoseWhoComeAtTheSameTime(Kind kind) throws Exception {
        try (World world = World.create(kind)) {
            AtomicInteger runs = new AtomicInteger();
            LocalSagaDefinition<String> saga = saga((context, transaction) -> {
                runs.incrementAndGet();
                return step("a").run(context, transaction);
            });
            LocalSaga<String> instances = world.engine(saga).build().saga(saga);
            int threads = 4;
            CyclicBarrier together = new CyclicBarrier(threads);
            ExecutorService pool = Executors.newFixedThreadPool(threads);
            try {
                List<Callable<SagaResult<String>>> callers = new ArrayList<>();
                for (int i = 0; i < threads; i++) {
                    String context = "from " + i + " ";
                    callers.add(() -> {
                        together.await();
                        return instances.execute("key", context);
                    });
                }

                List<SagaResult<String>> results = new ArrayList<>();
                for (Future<SagaResult<String>> each : pool.invokeAll(callers)) {
                    results.add(each.get());
                }

                results.add(instances.execute("key", "later "));
                assertThat(results).containsOnly(results.get(0));
                assertThat(results.get(0)).isInstanceOf(SagaResult.Completed.class);
                assertThat(world.effects()).containsExactly("a");
                assertThat(world.topics()).hasSize(2);
                assertThat(instances.find("key").orElseThrow().result()).isEqualTo(results.get(0));
            } finally {
                pool.shutdownNow();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("A4")
    void aSagaThatWasRolledBackLeavesItsKeyFree(Kind kind) {
        try (World world = World.create(kind)) {
            AtomicInteger runs = new AtomicInteger();
            LocalSagaDefinition<String> saga = saga((context, transaction) -> {
                if (runs.incrementAndGet() == 1) {
                    throw new IllegalStateException("not yet");
                }
                return step("a").run(context, transaction);
            });
            LocalSaga<String> instances = world.engine(saga).build().saga(saga);

            assertThat(instances.execute("key", "0").status()).isEqualTo(SagaStatus.ROLLED_BACK);
            assertThat(instances.execute("key", "0").status()).isEqualTo(SagaStatus.COMPLETED);

            assertThat(world.effects()).containsExactly("a");
            assertThat(world.strings("select status from saga_instance order by status"))
                    .containsExactly("COMPLETED", "ROLLED_BACK");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("A6")
    void aTransactionThatEndedUnderAStepIsNeverTakenForSuccess(Kind kind) {
        try (World world = World.create(kind)) {
            LocalSagaDefinition<String> saga = saga(step("a"), (context, transaction) -> {
                try (Statement statement = transaction.connection().createStatement()) {
                    statement.execute("rollback");
                }
                World.effect(transaction.connection(), "b");
                return context;
            });

            SagaResult<String> result = world.engine(saga).build().saga(saga).execute("0");

            assertThat(result.status()).isEqualTo(SagaStatus.ROLLED_BACK);
            assertThat(result.failure().orElseThrow().type()).isEqualTo("TX_DEAD");
            assertThat(world.effects()).isEmpty();
            assertThat(world.topics()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("A6")
    void aSwallowedErrorIsNeverTakenForSuccessWhereItEndsTheTransaction(Kind kind) {
        try (World world = World.create(kind)) {
            world.execute("create table once (id integer primary key)", "insert into once values (1)");
            LocalSagaDefinition<String> saga = saga(step("a"), (context, transaction) -> {
                try (Statement statement = transaction.connection().createStatement()) {
                    statement.execute("insert into once values (1)");
                } catch (SQLException e) {
                    assertThat(e.getErrorCode() + e.getSQLState()).containsAnyOf("23505", "1062");
                }
                return context;
            });

            SagaResult<String> result = world.engine(saga).build().saga(saga).execute("0");

            // PostgreSQL's transaction is dead after any error; elsewhere only the statement is undone, and the step
            // was free to overlook that.
            boolean dead = kind == Kind.POSTGRES_18;
            assertThat(result.status()).isEqualTo(dead ? SagaStatus.ROLLED_BACK : SagaStatus.COMPLETED);
            assertThat(world.effects()).hasSize(dead ? 0 : 1);
            assertThat(world.topics()).hasSize(dead ? 0 : 2);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "MYSQL"})
    @Tag("A6")
    void aSwallowedDeadlockIsNeverTakenForSuccess(Kind kind) throws Exception {
        try (World world = World.create(kind);
                Deadlock deadlock = new Deadlock(world)) {
            LocalSagaDefinition<String> saga = saga(step("a"), (context, transaction) -> {
                deadlock.swallow(transaction.connection());
                World.effect(transaction.connection(), "after");
                return context;
            });

            SagaResult<String> result = world.engine(saga).build().saga(saga).execute("0");

            assertThat(result.failure().orElseThrow().type()).isEqualTo("TX_DEAD");
            assertThat(deadlock.wasVictim()).isTrue();
            assertThat(world.effects()).isEmpty();
            assertThat(world.topics()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void aStepMustNotEndTheTransaction(Kind kind) {
        try (World world = World.create(kind)) {
            LocalSagaDefinition<String> saga = saga(step("a"), (context, transaction) -> {
                transaction.connection().commit();
                return context;
            });

            SagaResult<String> result = world.engine(saga).build().saga(saga).execute("0");

            assertThat(result.failure().orElseThrow().message()).contains("commit is not for a handler or step");
            assertThat(world.effects()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void aStepThatTakesTooLongIsRolledBack(Kind kind) {
        try (World world = World.create(kind)) {
            LocalSagaDefinition<String> saga = define().step("a", step -> step.action(step("a")))
                    .step(
                            "slow",
                            step -> step.timeout(Duration.ofMillis(100)).action((context, transaction) -> {
                                assertThat(transaction.deadline()).isPresent();
                                while (true) {
                                    try (Statement statement =
                                            transaction.connection().createStatement()) {
                                        statement.execute("select 1");
                                    }
                                }
                            }))
                    .build();

            SagaResult<String> result = world.engine(saga).build().saga(saga).execute("0");

            assertThat(result.failure().orElseThrow())
                    .isEqualTo(new SagaFailure(
                            "slow", "java.sql.SQLTimeoutException", "Step 'slow' took longer than PT0.1S"));
            assertThat(world.effects()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("A1")
    void inTheCallersTransactionTheCallerDecides(Kind kind) throws SQLException {
        try (World world = World.create(kind)) {
            AtomicInteger runs = new AtomicInteger();
            LocalSagaDefinition<String> saga = saga(step("a"), (context, transaction) -> {
                if (runs.incrementAndGet() == 1) {
                    World.effect(transaction.connection(), "b");
                    throw new IllegalStateException("not yet");
                }
                return step("b").run(context, transaction);
            });
            LocalSaga<String> instances = world.engine(saga).build().saga(saga);
            try (Connection connection = world.pool().getConnection()) {
                connection.setAutoCommit(false);
                World.effect(connection, "caller");

                assertThat(instances.execute("key", "0", connection).status()).isEqualTo(SagaStatus.ROLLED_BACK);
                SagaResult<String> result = instances.execute("key", "0", connection);
                assertThat(result.orThrow()).isEqualTo("0ab");
                assertThat(world.effects()).isEmpty();
                connection.commit();

                assertThat(world.effects()).containsExactly("a", "b", "caller");
                assertThat(world.topics()).hasSize(4);
                assertThat(instances.execute("key", "1", connection)).isEqualTo(result);
                assertThat(instances.execute("1", connection).orThrow()).isEqualTo("1ab");
                connection.rollback();
                assertThat(world.effects()).containsExactly("a", "b", "caller");
                connection.setAutoCommit(true);
                assertThatThrownBy(() -> instances.execute("2", connection))
                        .isInstanceOf(SagaException.class)
                        .hasMessageContaining("needs an open transaction");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "MYSQL"})
    @Tag("A6")
    void inTheCallersTransactionADeadlockReachesTheCaller(Kind kind) throws Exception {
        try (World world = World.create(kind);
                Deadlock deadlock = new Deadlock(world)) {
            LocalSagaDefinition<String> saga = saga(step("a"), (context, transaction) -> {
                deadlock.meet(transaction.connection());
                return context;
            });
            LocalSaga<String> instances = world.engine(saga).build().saga(saga);
            try (Connection connection = world.pool().getConnection()) {
                connection.setAutoCommit(false);

                assertThatThrownBy(() -> instances.execute("0", connection)).isInstanceOf(SagaException.class);
                connection.rollback();
            }
            assertThat(world.effects()).isEmpty();
        }
    }

    private static void crashAt(String point, Runnable work) {
        try (Faults faults = Faults.install(new Crash(point, 1))) {
            assertThatThrownBy(work::run).isInstanceOf(Crash.Death.class);
            assertThat(faults).isNotNull();
        }
    }

    private static LocalSagaBuilder<String> define() {
        return Saga.define("s", String.class).codec(TextCodec.INSTANCE).atomicOnly();
    }

    @SafeVarargs
    private static LocalSagaDefinition<String> saga(LocalStep.Action<String>... actions) {
        LocalSagaBuilder<String> saga = define();
        for (int i = 0; i < actions.length; i++) {
            LocalStep.Action<String> action = actions[i];
            String name = action instanceof Named named ? named.name() : "s" + i;
            saga.step(name, step -> step.action(action));
        }
        return saga.build();
    }

    private static Named step(String name) {
        return new Named(name);
    }

    /** Leaves an effect and two messages. */
    private record Named(String name) implements LocalStep.Action<String> {

        @Override
        public String run(String context, StepTransaction transaction) throws SQLException {
            World.effect(transaction.connection(), name);
            transaction.enqueue(message(name));
            transaction.enqueue(message(name));
            return context + name;
        }
    }

    private static OutboxMessage message(String topic) {
        return OutboxMessage.to(topic, "Done").key("k").payload("{}").build();
    }
}

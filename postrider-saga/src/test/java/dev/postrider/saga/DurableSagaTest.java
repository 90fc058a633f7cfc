package dev.postrider.saga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.OutboxException;
import dev.postrider.database.Faults;
import dev.postrider.retry.RetryPolicy;
import dev.postrider.services.Database.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A saga with local steps that runs step by step, across failures and crashes. */
@Tag("B4")
final class DurableSagaTest {

    private static final Duration LONGEST_DEADLINE = Duration.ofSeconds(30);
    private static final List<String> POINTS =
            List.of("saga.step.acted", "saga.step.journaled", "saga.step.committed", "saga.step.failed", "saga.moved");

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("D2")
    void everyStepIsDoneOnceInOrder(Kind kind) {
        try (World world = World.create(kind)) {
            LocalSagaDefinition<String> saga = Trip.define()
                    .step("a", Trip.step("a"))
                    .step("b", Trip.step("b"))
                    .pivot("c", Trip.action("c"))
                    .retriable("d", Trip.action("d"))
                    .build();
            SagaEngine engine = world.engine(saga).build();
            SagaHandle<String> handle = engine.saga(saga).start("k", "k ");
            assertThat(handle.result().status()).isEqualTo(SagaStatus.RUNNING);

            assertThat(engine.turn()).isEqualTo(1);
            assertThat(engine.turn()).isZero();

            SagaResult<String> result = handle.result();
            assertThat(result.orThrow()).isEqualTo("k abcd");
            assertThat(result.steps())
                    .extracting(step -> step.step() + " " + step.status() + " " + step.attempts())
                    .containsExactly("a DONE 1", "b DONE 1", "c DONE 1", "d DONE 1");
            assertThat(world.effects()).containsExactly("k a", "k b", "k c", "k d");
            assertThat(world.topics()).containsExactly("a", "b", "c", "d");
            assertThat(engine.saga(saga).start("k", "other ").sagaId()).isEqualTo(handle.sagaId());
            assertThat(engine.turn()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void aSagaStartedInATransactionExistsIfItCommits(Kind kind) throws SQLException {
        try (World world = World.create(kind);
                Connection connection = world.pool().getConnection()) {
            LocalSagaDefinition<String> saga =
                    Trip.define().step("a", Trip.step("a")).build();
            SagaEngine engine = world.engine(saga).build();
            connection.setAutoCommit(false);

            engine.saga(saga).start("k", "k ", connection);
            assertThat(engine.turn()).isZero();
            connection.rollback();
            assertThat(engine.turn()).isZero();
            assertThat(engine.saga(saga).find("k")).isEmpty();
            SagaHandle<String> handle = engine.saga(saga).start("k", "k ", connection);
            connection.commit();
            assertThat(engine.turn()).isEqualTo(1);

            assertThat(handle.result().status()).isEqualTo(SagaStatus.COMPLETED);
            connection.setAutoCommit(true);
            assertThatThrownBy(() -> engine.saga(saga).start("l", "l ", connection))
                    .hasMessageContaining("needs an open transaction");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("D1")
    @Tag("D2")
    void aStepThatFailsForGoodUndoesTheOthersInReverseOrder(Kind kind) {
        try (World world = World.create(kind)) {
            LocalSagaDefinition<String> saga = Trip.define()
                    .step("a", Trip.step("a"))
                    .step(
                            "look",
                            step -> step.action((context, transaction) -> context)
                                    .readOnly())
                    .step("b", Trip.step("b"))
                    .step("c", Trip.failing("c"))
                    .build();
            SagaEngine engine = world.engine(saga).build();
            SagaHandle<String> handle = engine.saga(saga).start("k", "k ");

            SagaResult<String> result = World.drive(engine::turn, handle);

            assertThat(result).isInstanceOf(SagaResult.Compensated.class);
            assertThat(result.failure()).contains(new SagaFailure("c", "java.lang.IllegalStateException", "no c"));
            assertThat(result.steps())
                    .extracting(step ->
                            step.direction().code() + " " + step.step() + " " + step.status() + " " + step.attempts())
                    .containsExactly(
                            "F a DONE 1", "F look DONE 1", "F b DONE 1", "F c FAILED 2", "C b DONE 1", "C a DONE 1");
            assertThat(world.effects()).containsExactly("k a", "k b", "k undo a", "k undo b");
            assertThat(world.topics()).containsExactly("a", "b", "undo-b", "undo-a");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void whatNoRepetitionCanMendIsNotRepeated(Kind kind) {
        try (World world = World.create(kind)) {
            LocalSagaDefinition<String> saga = Trip.define()
                    .step("a", Trip.step("a"))
                    .step("b", Trip.failing("b").andThen(step -> step.failOn(IllegalStateException.class)))
                    .build();
            SagaEngine engine = world.engine(saga).build();
            SagaHandle<String> handle = engine.saga(saga).start("k", "k ");

            engine.turn();

            assertThat(handle.result().status()).isEqualTo(SagaStatus.COMPENSATED);
            assertThat(handle.result().steps())
                    .element(1)
                    .isEqualTo(new StepReport(
                            "b", Direction.FORWARD, StepStatus.FAILED, 1, "java.lang.IllegalStateException: no b"));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("D1")
    @Tag("D2")
    @Tag("D5")
    void aCrashAnywhereLosesNothingAndDoublesNothing(Kind kind) {
        try (World world = World.create(kind)) {
            LocalSagaDefinition<String> saga = Trip.define()
                    .step("a", Trip.step("a"))
                    .step("b", Trip.step("b"))
                    .step("c", step -> {
                        Trip.step("c").accept(step);
                        step.action((context, transaction) -> {
                            World.effect(transaction.connection(), Trip.key(context) + " c");
                            if (context.startsWith("bad")) {
                                throw new IllegalStateException("no c");
                            }
                            return context + "c";
                        });
                    })
                    .build();
            int crashes = 0;
            for (String fate : new String[] {"good", "bad"}) {
                for (String point : POINTS) {
                    for (int nth = 1; ; nth++) {
                        String key = "%s-%s-%d".formatted(fate, point, nth);
                        if (!crash(world, saga, key, new Crash(point, nth))) {
                            break;
                        }
                        crashes++;
                        checkEffects(world, key);
                    }
                }
            }
            assertThat(crashes).isGreaterThan(20);
        }
    }

    private static boolean crash(World world, LocalSagaDefinition<String> saga, String key, Crash crash) {
        SagaEngine doomed = world.engine(saga).build();
        SagaHandle<String> handle = doomed.saga(saga).start(key, key + " ");
        try (Faults faults = Faults.install(crash)) {
            assertThat(faults).isNotNull();
            World.drive(doomed::turn, handle);
        } catch (Crash.Death e) {
            assertThat(crash.happened()).isTrue();
        }
        SagaEngine next = world.engine(saga).build();
        World.drive(next::turn, handle);
        return crash.happened();
    }

    private static void checkEffects(World world, String key) {
        List<String> effects = world.effects().stream()
                .filter(each -> each.startsWith(key + " "))
                .map(each -> each.substring(key.length() + 1))
                .toList();
        assertThat(effects)
                .as(key)
                .containsExactlyElementsOf(
                        key.startsWith("good") ? List.of("a", "b", "c") : List.of("a", "b", "undo a", "undo b"));
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("D3")
    void aCompensationThatKeepsFailingLeavesTheSagaStuckAndEarlierOnesWait(Kind kind) {
        try (World world = World.create(kind)) {
            LocalSagaDefinition<String> saga = Trip.define()
                    .step("a", Trip.step("a"))
                    .step(
                            "b",
                            Trip.step("b")
                                    .andThen(step -> step.compensate((context, transaction) -> {
                                        throw new IllegalStateException("cannot");
                                    })))
                    .step("c", Trip.failing("c"))
                    .build();
            SagaEngine engine = world.engine(saga).build();
            SagaHandle<String> handle = engine.saga(saga).start("k", "k ");

            SagaResult<String> result = World.drive(engine::turn, handle);

            assertThat(result).isInstanceOf(SagaResult.Stuck.class);
            assertThat(result.failure())
                    .contains(new SagaFailure(
                            "b", Reasons.COMPENSATION_FAILED, "java.lang.IllegalStateException: cannot"));
            assertThat(world.effects()).containsExactly("k a", "k b");
            assertThat(engine.turn()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("D3")
    void behindThePivotASagaIsStuckAndNothingIsUndone(Kind kind) {
        try (World world = World.create(kind)) {
            LocalSagaDefinition<String> saga = Trip.define()
                    .step("a", Trip.step("a"))
                    .pivot("p", Trip.action("p"))
                    .retriable(
                            "n",
                            Trip.action("n")
                                    .andThen(step -> step.action((context, transaction) -> {
                                        throw new IllegalStateException("unreachable");
                                    })))
                    .build();
            SagaEngine engine = world.engine(saga).build();
            SagaHandle<String> handle = engine.saga(saga).start("k", "k ");

            SagaResult<String> result = World.drive(engine::turn, handle);

            assertThat(result).isInstanceOf(SagaResult.Stuck.class);
            assertThat(result.failure().orElseThrow().step()).isEqualTo("n");
            assertThat(world.effects()).containsExactly("k a", "k p");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("D1")
    void aTransactionThatEndedUnderAStepIsAFailureOfTheStep(Kind kind) {
        try (World world = World.create(kind)) {
            AtomicInteger runs = new AtomicInteger();
            LocalSagaDefinition<String> saga = Trip.define()
                    .step(
                            "a",
                            Trip.step("a")
                                    .andThen(step -> step.action((context, transaction) -> {
                                        if (runs.incrementAndGet() == 1) {
                                            try (Statement statement =
                                                    transaction.connection().createStatement()) {
                                                statement.execute("rollback");
                                            }
                                        }
                                        World.effect(transaction.connection(), "k a");
                                        return context + "a";
                                    })))
                    .build();
            SagaEngine engine = world.engine(saga).build();
            SagaHandle<String> handle = engine.saga(saga).start("k", "k ");

            SagaResult<String> result = World.drive(engine::turn, handle);

            assertThat(result.orThrow()).isEqualTo("k a");
            assertThat(result.steps().get(0).attempts()).isEqualTo(2);
            assertThat(result.steps().get(0).error()).contains("The transaction had ended when step 'a' returned");
            assertThat(world.effects()).containsExactly("k a");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "MYSQL"})
    @Tag("D1")
    void aSwallowedDeadlockIsAFailureOfTheStep(Kind kind) throws Exception {
        try (World world = World.create(kind);
                Deadlock deadlock = new Deadlock(world)) {
            AtomicInteger runs = new AtomicInteger();
            LocalSagaDefinition<String> saga = Trip.define()
                    .step(
                            "a",
                            Trip.step("a")
                                    .andThen(step -> step.action((context, transaction) -> {
                                        World.effect(transaction.connection(), "k before");
                                        if (runs.incrementAndGet() == 1) {
                                            deadlock.swallow(transaction.connection());
                                        }
                                        World.effect(transaction.connection(), "k after");
                                        return context + "a";
                                    })))
                    .build();
            SagaEngine engine = world.engine(saga).build();
            SagaHandle<String> handle = engine.saga(saga).start("k", "k ");

            SagaResult<String> result = World.drive(engine::turn, handle);

            assertThat(deadlock.wasVictim()).isTrue();
            assertThat(result.orThrow()).isEqualTo("k a");
            assertThat(result.steps().get(0).attempts()).isEqualTo(2);
            assertThat(world.effects()).containsExactly("k after", "k before");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("D8")
    void theDeadlineUndoesWhatWasDone(Kind kind) {
        // On a slow machine the deadline may come before anything was done: then a longer one follows.
        Duration deadline = Duration.ofMillis(300);
        while (!undoneAtTheDeadline(kind, deadline)) {
            deadline = deadline.multipliedBy(2);
            assertThat(deadline).isLessThan(LONGEST_DEADLINE);
        }
    }

    private static boolean undoneAtTheDeadline(Kind kind, Duration deadline) {
        try (World world = World.create(kind)) {
            LocalSagaDefinition<String> saga = Trip.define()
                    .deadline(deadline)
                    .step("a", Trip.step("a"))
                    .step(
                            "b",
                            Trip.failing("b")
                                    .andThen(step -> step.retry(
                                            RetryPolicy.exponential(Duration.ofHours(1), Duration.ofHours(1), 5))))
                    .build();
            SagaEngine engine = world.engine(saga).build();
            SagaHandle<String> handle = engine.saga(saga).start("k", "k ");

            SagaResult<String> result = World.drive(engine::turn, handle);

            assertThat(result).isInstanceOf(SagaResult.Compensated.class);
            assertThat(result.failure().orElseThrow().type()).isEqualTo(Reasons.DEADLINE);
            assertThat(world.strings("select count(*) from saga_instance where finished_at < deadline_at"))
                    .containsExactly("0");
            assertThat(world.effects()).isIn(List.of(), List.of("k a", "k undo a"));
            return !world.effects().isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void aContextNobodyCanReadIsStuckAndNothingRuns(Kind kind) {
        try (World world = World.create(kind)) {
            LocalSagaDefinition<String> saga = Saga.define("trip", String.class)
                    .codec(new SagaCodec<>() {
                        @Override
                        public String name() {
                            return "picky";
                        }

                        @Override
                        public String encode(String context) {
                            return context;
                        }

                        @Override
                        public String decode(String text) {
                            if (text.startsWith("old")) {
                                throw new IllegalArgumentException("too old");
                            }
                            return text;
                        }
                    })
                    .step("a", Trip.step("a"))
                    .build();
            SagaEngine engine = world.engine(saga).build();
            SagaHandle<String> handle = engine.saga(saga).start("old", "old ");

            engine.turn();

            assertThat(world.status(handle.sagaId())).isEqualTo("STUCK");
            assertThat(world.strings("select fail_class from saga_instance")).containsExactly(Reasons.CODEC);
            assertThat(world.effects()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void aSagaThatKillsEveryoneWhoTakesItIsStuckInTheEnd(Kind kind) {
        try (World world = World.create(kind)) {
            LocalSagaDefinition<String> saga =
                    Trip.define().step("a", Trip.step("a")).build();
            SagaEngine engine = world.engine(saga).build();
            SagaHandle<String> handle = engine.saga(saga).start("k", "k ");
            AtomicInteger deaths = new AtomicInteger();

            try (Faults faults = Faults.install(point -> {
                if (point.equals("saga.step.acted")) {
                    deaths.incrementAndGet();
                    throw new IllegalStateException("a bug in the runner");
                }
            })) {
                assertThat(faults).isNotNull();
                SagaResult<String> result = World.drive(engine::turn, handle);

                assertThat(result.failure().orElseThrow().type()).isEqualTo(Reasons.NO_PROGRESS);
            }
            assertThat(deaths).hasValue(10);
            assertThat(world.effects()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void anErrorOfAStepIsItsFailureAndNoHarmToOthers(Kind kind) {
        try (World world = World.create(kind)) {
            LocalSagaDefinition<String> saga = Trip.define()
                    .step(
                            "a",
                            Trip.step("a")
                                    .andThen(step -> step.action((context, transaction) -> {
                                        if (context.startsWith("bad")) {
                                            throw new NoClassDefFoundError("gone");
                                        }
                                        World.effect(transaction.connection(), context + "a");
                                        return context + "a";
                                    })))
                    .build();
            SagaEngine engine = world.engine(saga).build();
            SagaHandle<String> bad = engine.saga(saga).start("bad", "bad ");
            SagaHandle<String> good = engine.saga(saga).start("good", "good ");

            assertThat(World.drive(engine::turn, good).orThrow()).isEqualTo("good a");
            assertThat(World.drive(engine::turn, bad).failure().orElseThrow().type())
                    .isEqualTo("java.lang.NoClassDefFoundError");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void aContextThatCannotBeStoredIsAFailureOfTheStep(Kind kind) {
        try (World world = World.create(kind)) {
            LocalSagaDefinition<String> saga = Saga.define("trip", String.class)
                    .codec(new SagaCodec<>() {
                        @Override
                        public String name() {
                            return "picky";
                        }

                        @Override
                        public String encode(String context) {
                            if (context.endsWith("b")) {
                                throw new IllegalArgumentException("unspeakable");
                            }
                            return context;
                        }

                        @Override
                        public String decode(String text) {
                            return text;
                        }
                    })
                    .step("a", Trip.step("a"))
                    .step("b", Trip.step("b"))
                    .build();
            SagaEngine engine = world.engine(saga).build();
            SagaHandle<String> handle = engine.saga(saga).start("k", "k ");

            SagaResult<String> result = World.drive(engine::turn, handle);

            assertThat(result).isInstanceOf(SagaResult.Compensated.class);
            assertThat(world.effects()).containsExactly("k a", "k undo a");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("D9")
    void anUnknownVersionIsNeverRunAndAChangedStructureIsRefused(Kind kind) {
        try (World world = World.create(kind)) {
            LocalSagaDefinition<String> one =
                    Trip.define().step("a", Trip.step("a")).build();
            LocalSagaDefinition<String> two =
                    Trip.define().version(2).step("b", Trip.step("b")).build();
            LocalSagaDefinition<String> changed =
                    Trip.define().step("b", Trip.step("b")).build();
            SagaEngine old = world.engine(one).build();
            SagaHandle<String> handle = old.saga(one).start("k", "k ");
            SagaEngine fresh = world.engine(two).build();

            assertThat(fresh.turn()).isZero();
            assertThat(handle.result().status()).isEqualTo(SagaStatus.RUNNING);
            assertThat(fresh.withoutWorker()).containsOnlyKeys("trip v1").containsValue(1L);
            assertThat(fresh.drained("trip", 1)).isFalse();
            assertThat(old.turn()).isEqualTo(1);
            assertThat(fresh.drained("trip", 1)).isTrue();
            assertThat(world.effects()).containsExactly("k a");
            SagaEngine mistaken = world.engine(changed).build();
            assertThatThrownBy(mistaken::start)
                    .isInstanceOf(OutboxException.class)
                    .hasMessageContaining("trip v1");
            assertThatThrownBy(() -> fresh.saga(one))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("Saga trip v1 is not registered");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("D1")
    @Tag("D10")
    void twoEnginesWithThreadsRunManySagasOnceEach(Kind kind) throws InterruptedException {
        try (World world = World.create(kind)) {
            LocalSagaDefinition<String> saga = Trip.define()
                    .step("a", Trip.step("a"))
                    .step("b", step -> {
                        Trip.step("b").accept(step);
                        step.action((context, transaction) -> {
                            World.effect(transaction.connection(), Trip.key(context) + " b");
                            if (context.startsWith("bad")) {
                                throw new IllegalStateException("no b");
                            }
                            return context + "b";
                        });
                    })
                    .build();
            List<SagaHandle<String>> handles = new ArrayList<>();
            try (SagaEngine one = world.engine(saga)
                            .claimFor(Duration.ofSeconds(30))
                            .build()
                            .start();
                    SagaEngine two = world.engine(saga)
                            .claimFor(Duration.ofSeconds(30))
                            .build()
                            .start()) {
                for (int i = 0; i < 20; i++) {
                    String key = (i % 4 == 0 ? "bad" : "good") + i;
                    handles.add((i % 2 == 0 ? one : two).saga(saga).start(key, key + " "));
                }
                for (SagaHandle<String> each : handles) {
                    assertThat(each.await(Duration.ofMinutes(1)).status())
                            .isIn(SagaStatus.COMPLETED, SagaStatus.COMPENSATED);
                }
            }

            assertThat(world.effects()).hasSize(15 * 2 + 5 * 2).doesNotHaveDuplicates();
            assertThat(world.strings("select status from saga_instance where status = 'COMPENSATED'"))
                    .hasSize(5);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void theDrawingOfASagaShowsItsTrail(Kind kind) {
        try (World world = World.create(kind)) {
            LocalSagaDefinition<String> saga = Trip.define()
                    .step("a", Trip.step("a"))
                    .step("b", Trip.failing("b"))
                    .step("c", Trip.step("c"))
                    .build();
            SagaEngine engine = world.engine(saga).build();
            SagaHandle<String> handle = engine.saga(saga).start("k", "k ");
            World.drive(engine::turn, handle);

            assertThat(handle.mermaid()).startsWith("""
                    %% trip v1
                    flowchart TD
                        s1["a<br/>local, compensatable<br/>DONE, attempt 1<br/>undo DONE, attempt 1"]
                        s2["b<br/>local, compensatable<br/>FAILED, attempt 2"]
                        s3["c<br/>local, compensatable"]
                        s1 --> s2
                        s2 --> s3
                        status{{COMPENSATED}}
                    """).endsWith("""
                        class s1 undone
                        class s2 failed
                    """);
        }
    }
}

package dev.postrider.saga;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.relay.RetryPolicy;
import dev.postrider.services.Database.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of sagas whose engine is closed while steps are under way. */
@Tag("B4")
@Tag("R1.16")
final class SagaShutdownTest {

    private static final RetryPolicy ONCE = RetryPolicy.exponential(Duration.ofMillis(1), Duration.ofMillis(2), 1);
    private static final Duration HOUR = Duration.ofHours(1);

    /** A step that blocks until its thread is interrupted, and answers at once after {@link #mend}. */
    private static final class Obstacle {

        private final CountDownLatch reached = new CountDownLatch(1);
        private volatile boolean mended;

        void pass() throws InterruptedException {
            if (!mended) {
                reached.countDown();
                new CountDownLatch(1).await();
            }
        }

        /** Hides the interrupt, as many clients of other systems do. */
        void passOrComplain() {
            try {
                pass();
            } catch (InterruptedException e) {
                throw new IllegalStateException("The call was cut off", e);
            }
        }

        void awaitReached() throws InterruptedException {
            assertThat(reached.await(1, TimeUnit.MINUTES)).isTrue();
        }

        void mend() {
            mended = true;
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void aClosedEngineCountsNoExternalCallAsFailedAndGivesItsSagasBack(Kind kind) throws InterruptedException {
        try (World world = World.create(kind)) {
            Obstacle obstacle = new Obstacle();
            DurableSagaDefinition<String> saga = Trip.define()
                    .external(
                            "x",
                            step -> step.call((context, call) -> {
                                        obstacle.passOrComplain();
                                        return context + call.attempt();
                                    })
                                    .compensate((context, call) -> {})
                                    .retry(ONCE))
                    .build();

            List<SagaHandle<String>> sagas = closeAt(world, saga, obstacle);

            assertThat(claims(world)).isEmpty();
            finish(world, saga, obstacle, sagas.size());
            assertThat(sagas)
                    .allSatisfy(each -> assertThat(each.result().orThrow()).endsWith(" 1"));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void aClosedEngineCountsNoLocalStepAsFailed(Kind kind) throws InterruptedException {
        try (World world = World.create(kind)) {
            Obstacle obstacle = new Obstacle();
            LocalSagaDefinition<String> saga = Trip.define()
                    .step(
                            "a",
                            step -> step.action((context, transaction) -> {
                                        World.effect(transaction.connection(), Trip.key(context));
                                        obstacle.pass();
                                        return context + transaction.attempt();
                                    })
                                    .compensate((context, transaction) -> {})
                                    .retry(ONCE))
                    .build();

            List<SagaHandle<String>> sagas = closeAt(world, saga, obstacle);

            assertThat(claims(world)).isEmpty();
            assertThat(world.strings("select step from saga_step")).isEmpty();
            finish(world, saga, obstacle, sagas.size());
            assertThat(sagas)
                    .allSatisfy(each -> assertThat(each.result().orThrow()).endsWith(" 1"));
            assertThat(world.effects()).hasSize(sagas.size());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void aClosedEngineCountsNoCompensationAsFailed(Kind kind) throws InterruptedException {
        try (World world = World.create(kind)) {
            Obstacle obstacle = new Obstacle();
            DurableSagaDefinition<String> saga = Trip.define()
                    .external(
                            "x",
                            step -> step.call((context, call) -> {
                                        throw new IllegalStateException("no");
                                    })
                                    .compensate((context, call) -> obstacle.pass())
                                    .retry(ONCE)
                                    .compensationRetry(ONCE))
                    .build();

            List<SagaHandle<String>> sagas = closeAt(world, saga, obstacle);

            assertThat(claims(world)).isEmpty();
            finish(world, saga, obstacle, sagas.size());
            assertThat(sagas).allMatch(each -> each.result().status() == SagaStatus.COMPENSATED);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void anInterruptedCallIsVerifiedBeforeItIsRepeated(Kind kind) throws InterruptedException {
        try (World world = World.create(kind)) {
            Obstacle obstacle = new Obstacle();
            Queue<String> verified = new ConcurrentLinkedQueue<>();
            DurableSagaDefinition<String> saga = Trip.define()
                    .external(
                            "x",
                            step -> step.call((context, call) -> {
                                        obstacle.pass();
                                        return context + "called";
                                    })
                                    .verify((context, call) -> {
                                        verified.add(call.idempotencyKey());
                                        return Optional.of(context + "found");
                                    })
                                    .compensate((context, call) -> {})
                                    .retry(ONCE))
                    .build();

            List<SagaHandle<String>> sagas = closeAt(world, saga, obstacle);
            finish(world, saga, obstacle, sagas.size());

            assertThat(verified).hasSize(1);
            assertThat(sagas)
                    .filteredOn(each -> each.result().orThrow().endsWith("found"))
                    .hasSize(1);
            assertThat(sagas)
                    .filteredOn(each -> each.result().orThrow().endsWith("called"))
                    .hasSize(9);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void aStepThatEndsInTimeIsTheLastOfAClosedEngine(Kind kind) throws InterruptedException {
        try (World world = World.create(kind)) {
            CountDownLatch reached = new CountDownLatch(1);
            CountDownLatch closing = new CountDownLatch(1);
            DurableSagaDefinition<String> saga = Trip.define()
                    .external(
                            "x",
                            step -> step.call((context, call) -> {
                                        reached.countDown();
                                        closing.await();
                                        return context + "x";
                                    })
                                    .compensate((context, call) -> {})
                                    .retry(ONCE))
                    .step("z", Trip.step("z"))
                    .build();
            SagaEngine engine = world.engine(saga).threads(1).claimFor(HOUR).build();
            SagaHandle<String> handle = engine.saga(saga).start("k", "k ");
            engine.start();
            assertThat(reached.await(1, TimeUnit.MINUTES)).isTrue();
            Thread closer = new Thread(engine::close);
            closer.start();
            // The engine has been told to stop when its closing thread waits for the step.
            World.drive(() -> {}, () -> closer.getState() == Thread.State.TIMED_WAITING);

            closing.countDown();
            closer.join();

            assertThat(world.strings("select concat(step, ' ', status) from saga_step"))
                    .containsExactly("x DONE");
            assertThat(claims(world)).isEmpty();
            SagaEngine next = world.engine(saga).build();
            assertThat(World.drive(next::turn, handle).orThrow()).isEqualTo("k xz");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void aClosedEngineRunsAgainAfterItsNextStart(Kind kind) throws InterruptedException {
        try (World world = World.create(kind)) {
            LocalSagaDefinition<String> saga =
                    Trip.define().step("a", Trip.step("a")).build();
            SagaEngine engine = world.engine(saga).claimFor(HOUR).build().start();
            engine.close();

            engine.start();

            SagaHandle<String> handle = engine.saga(saga).start("k", "k ");
            assertThat(handle.await(Duration.ofMinutes(1)).orThrow()).isEqualTo("k a");
            engine.close();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void aTurnOnAnInterruptedThreadCountsNoStepAsFailed(Kind kind) throws InterruptedException {
        try (World world = World.create(kind)) {
            Obstacle obstacle = new Obstacle();
            LocalSagaDefinition<String> saga = Trip.define()
                    .step(
                            "a",
                            step -> step.action((context, transaction) -> {
                                        obstacle.pass();
                                        return context + transaction.attempt();
                                    })
                                    .compensate((context, transaction) -> {})
                                    .retry(ONCE))
                    .build();
            SagaEngine engine = world.engine(saga).claimFor(HOUR).build();
            List<SagaHandle<String>> sagas = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                sagas.add(engine.saga(saga).start("k" + i, "k" + i + " "));
            }
            AtomicBoolean flag = new AtomicBoolean();
            Thread caller = new Thread(() -> {
                engine.turn();
                flag.set(Thread.currentThread().isInterrupted());
            });
            caller.start();
            obstacle.awaitReached();

            caller.interrupt();
            caller.join();

            assertThat(flag).isTrue();
            assertThat(claims(world)).isEmpty();
            finish(world, saga, obstacle, sagas.size());
            assertThat(sagas)
                    .allSatisfy(each -> assertThat(each.result().orThrow()).endsWith(" 1"));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void anInterruptThatAStepLeavesBehindIsNoHarmToTheNextSaga(Kind kind) throws InterruptedException {
        try (World world = World.create(kind)) {
            LocalSagaDefinition<String> saga = Trip.define()
                    .step(
                            "a",
                            step -> step.action((context, transaction) -> {
                                        if (Thread.currentThread().isInterrupted()) {
                                            throw new IllegalStateException("Interrupted by another saga");
                                        }
                                        Thread.currentThread().interrupt();
                                        return context + "a";
                                    })
                                    .compensate((context, transaction) -> {})
                                    .retry(ONCE))
                    .step("z", Trip.step("z"))
                    .build();
            SagaEngine engine = world.engine(saga)
                    .threads(1)
                    .batch(3)
                    .claimFor(HOUR)
                    .pollInterval(Duration.ofMillis(10))
                    .build();
            List<SagaHandle<String>> sagas = new ArrayList<>();
            for (int i = 0; i < 7; i++) {
                sagas.add(engine.saga(saga).start("k" + i, "k" + i + " "));
            }

            try (SagaEngine running = engine.start()) {
                assertThat(running).isNotNull();
                for (SagaHandle<String> each : sagas) {
                    assertThat(each.await(Duration.ofMinutes(1)).orThrow()).endsWith(" az");
                }
            }
        }
    }

    /** Starts ten sagas in one batch, and closes the engine while the first one is at the obstacle. */
    private static List<SagaHandle<String>> closeAt(World world, SagaDefinition<String> saga, Obstacle obstacle)
            throws InterruptedException {
        SagaEngine engine = world.engine(saga)
                .threads(1)
                .batch(10)
                .claimFor(HOUR)
                .patience(Duration.ofMillis(1))
                .build();
        List<SagaHandle<String>> sagas = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            sagas.add(start(engine, saga, "k" + i));
        }
        engine.start();
        obstacle.awaitReached();
        engine.close();
        return sagas;
    }

    private static SagaHandle<String> start(SagaEngine engine, SagaDefinition<String> saga, String key) {
        return saga instanceof LocalSagaDefinition<String> local
                ? engine.saga(local).start(key, key + " ")
                : engine.saga((DurableSagaDefinition<String>) saga).start(key, key + " ");
    }

    /** Lets another engine, with nothing in its way, run what the closed one has left. */
    private static void finish(World world, SagaDefinition<String> saga, Obstacle obstacle, int sagas) {
        obstacle.mend();
        SagaEngine next = world.engine(saga).claimFor(HOUR).build();
        World.drive(
                next::turn,
                () -> world.strings("select saga_id from saga_instance where finished_at is not null")
                                .size()
                        == sagas);
    }

    private static List<String> claims(World world) {
        return world.strings("select saga_id from saga_instance where claimed_until is not null");
    }
}

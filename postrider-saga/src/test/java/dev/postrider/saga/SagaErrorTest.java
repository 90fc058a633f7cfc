package dev.postrider.saga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postrider.services.Database.Kind;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An engine after an Error of a step, of a codec or below one of its own threads. */
@Tag("B4")
final class SagaErrorTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void claimsAreRenewedAfterAnErrorOfTheThreadThatRenewsThem(Kind kind) {
        CountDownLatch calling = new CountDownLatch(1);
        CountDownLatch answered = new CountDownLatch(1);
        AtomicBoolean broken = new AtomicBoolean();
        try (World world = World.create(kind)) {
            DurableSagaDefinition<String> saga = Trip.define()
                    .external(
                            "x",
                            step -> step.call((context, call) -> {
                                        calling.countDown();
                                        answered.await();
                                        return context + "called";
                                    })
                                    .readOnly())
                    .build();
            try (SagaEngine engine = SagaEngine.builder(breaking(world.pool(), "saga-claims", broken))
                    .register(saga)
                    .threads(1)
                    .claimFor(Duration.ofMillis(500))
                    .build()
                    .start()) {
                SagaHandle<String> handle = engine.saga(saga).start("k", "k ");
                await().atMost(PATIENCE).until(() -> calling.getCount() == 0);

                broken.set(true);
                await().atMost(PATIENCE).until(() -> !broken.get());
                Instant before = claimedUntil(world, handle.sagaId());

                await().atMost(PATIENCE)
                        .until(() -> claimedUntil(world, handle.sagaId()).isAfter(before));
                assertThat(engine.restarts()).isEqualTo(1);
                answered.countDown();
                await().atMost(PATIENCE).until(() -> handle.result().status() == SagaStatus.COMPLETED);
            } finally {
                answered.countDown();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void sagasRunAfterAnErrorOfAThreadThatRunsThem(Kind kind) {
        AtomicBoolean broken = new AtomicBoolean(true);
        try (World world = World.create(kind)) {
            LocalSagaDefinition<String> saga =
                    Trip.define().step("a", Trip.step("a")).build();
            try (SagaEngine engine = SagaEngine.builder(breaking(world.pool(), "saga-runner-1", broken))
                    .register(saga)
                    .threads(1)
                    .build()
                    .start()) {
                SagaHandle<String> handle = engine.saga(saga).start("k", "k ");

                await().atMost(PATIENCE).until(() -> handle.result().status() == SagaStatus.COMPLETED);
                assertThat(engine.restarts()).isEqualTo(1);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void sagasRunAfterAStepThatLeftItsThreadInterrupted(Kind kind) {
        AtomicInteger attempts = new AtomicInteger();
        try (World world = World.create(kind)) {
            LocalSagaDefinition<String> saga = Trip.define()
                    .step(
                            "a",
                            Trip.step("a")
                                    .andThen(step -> step.action((context, transaction) -> {
                                        if (attempts.incrementAndGet() == 1) {
                                            throw new InterruptedException("a library gave up");
                                        }
                                        return context + "a";
                                    })))
                    .build();
            try (SagaEngine engine = world.engine(saga).threads(1).build().start()) {
                engine.saga(saga).start("first", "first ");
                await().atMost(PATIENCE).until(() -> attempts.get() > 0);

                SagaHandle<String> next = engine.saga(saga).start("next", "next ");

                await().atMost(PATIENCE).until(() -> next.result().status() == SagaStatus.COMPLETED);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void stepThatRunsOutOfMemoryHasFailedAndIsUndone(Kind kind) {
        try (World world = World.create(kind)) {
            LocalSagaDefinition<String> saga = Trip.define()
                    .step("a", Trip.step("a"))
                    .step(
                            "b",
                            Trip.step("b")
                                    .andThen(step -> step.action((context, transaction) -> {
                                        throw new OutOfMemoryError("pretended");
                                    })))
                    .build();
            SagaEngine engine = world.engine(saga).build();
            SagaHandle<String> handle = engine.saga(saga).start("k", "k ");

            SagaResult<String> result = World.drive(engine::turn, handle);

            assertThat(result.status()).isEqualTo(SagaStatus.COMPENSATED);
            assertThat(result.failure()).contains(new SagaFailure("b", "java.lang.OutOfMemoryError", "pretended"));
            assertThat(world.effects()).containsExactly("k a", "k undo a");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void codecThatThrowsAnErrorLeavesTheSagaStuckWithItsName(Kind kind) {
        AtomicBoolean deep = new AtomicBoolean();
        try (World world = World.create(kind)) {
            LocalSagaDefinition<String> saga = Saga.define("trip", String.class)
                    .codec(new SagaCodec<>() {
                        @Override
                        public String name() {
                            return "recursive";
                        }

                        @Override
                        public String encode(String context) {
                            return context;
                        }

                        @Override
                        public String decode(String text) {
                            if (deep.get()) {
                                throw new StackOverflowError();
                            }
                            return text;
                        }
                    })
                    .step("a", Trip.step("a"))
                    .build();
            SagaEngine engine = world.engine(saga).build();
            SagaHandle<String> handle = engine.saga(saga).start("k", "k ");
            deep.set(true);

            engine.turn();

            assertThat(world.status(handle.sagaId())).isEqualTo("STUCK");
        }
    }

    private static Instant claimedUntil(World world, UUID saga) {
        Instant until =
                SagaAdmin.of(world.pool()).show(saga).orElseThrow().schedule().claimedUntil();
        return until == null ? Instant.MIN : until;
    }

    /** A pool that throws once when this thread asks it for a connection. */
    private static DataSource breaking(DataSource pool, String thread, AtomicBoolean broken) {
        return (DataSource) Proxy.newProxyInstance(
                SagaErrorTest.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, args) -> {
                    if (Thread.currentThread().getName().equals(thread) && broken.getAndSet(false)) {
                        throw new OutOfMemoryError("pretended");
                    }
                    try {
                        return method.invoke(pool, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}

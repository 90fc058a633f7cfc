package dev.postrider.saga;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.admin.Decision;
import dev.postrider.database.Faults;
import dev.postrider.services.Database.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Steps that call another system: at least once, with a stable key, and undone also in doubt. */
@Tag("B4")
final class ExternalStepTest {

    private static final List<String> POINTS = List.of(
            "saga.external.arming",
            "saga.external.started",
            "saga.external.called",
            "saga.step.journaled",
            "saga.step.committed",
            "saga.step.failed");

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("D5")
    void afterACrashTheOtherSystemIsAskedFirst(Kind kind) {
        try (World world = World.create(kind)) {
            Carrier carrier = new Carrier();
            DurableSagaDefinition<String> saga = Trip.define()
                    .step("a", Trip.step("a"))
                    .external(
                            "x",
                            carrier.step()
                                    .andThen(
                                            step -> step.verify((context, call) -> carrier.booked(call.idempotencyKey())
                                                    ? Optional.of(context + "found")
                                                    : Optional.empty())))
                    .build();
            int crashes = 0;
            for (String point : POINTS) {
                for (int nth = 1; ; nth++) {
                    String key = point + nth;
                    SagaEngine doomed = world.engine(saga).build();
                    SagaHandle<String> handle = doomed.saga(saga).start(key, key + " ");
                    Crash crash = new Crash(point, nth);
                    drive(doomed, handle, crash);
                    SagaEngine next = world.engine(saga).build();

                    SagaResult<String> result = World.drive(next::turn, handle);

                    assertThat(result.orThrow()).as(key).startsWith(key + " a").matches(".*(called|found)");
                    assertThat(carrier.calls(handle)).as(key).isEqualTo(1);
                    if (!crash.happened()) {
                        break;
                    }
                    crashes++;
                }
            }
            assertThat(crashes).isGreaterThan(6);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("D2")
    @Tag("D3")
    @Tag("D5")
    void aCallInDoubtIsUndoneWhateverCrashes(Kind kind) {
        try (World world = World.create(kind)) {
            Carrier carrier = new Carrier();
            DurableSagaDefinition<String> saga = Trip.define()
                    .step("a", Trip.step("a"))
                    .external(
                            "x",
                            carrier.step()
                                    .andThen(step -> step.call((context, call) -> {
                                        carrier.book(call.idempotencyKey());
                                        throw new IllegalStateException("timed out after it was booked");
                                    })))
                    .build();
            int crashes = 0;
            for (String point : POINTS) {
                for (int nth = 1; ; nth++) {
                    String key = point + nth;
                    SagaEngine doomed = world.engine(saga).build();
                    SagaHandle<String> handle = doomed.saga(saga).start(key, key + " ");
                    Crash crash = new Crash(point, nth);
                    drive(doomed, handle, crash);
                    SagaEngine next = world.engine(saga).build();

                    SagaResult<String> result = World.drive(next::turn, handle);

                    assertThat(result).as(key).isInstanceOf(SagaResult.Compensated.class);
                    assertThat(carrier.cancelled(handle)).as(key).isTrue();
                    assertThat(world.effects()).as(key).contains(key + " a", key + " undo a");
                    if (!crash.happened()) {
                        break;
                    }
                    crashes++;
                }
            }
            assertThat(crashes).isGreaterThan(10);
            assertThat(world.effects()).doesNotHaveDuplicates();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("D4")
    void whoLostItsClaimDuringTheCallWritesNothing(Kind kind) {
        try (World world = World.create(kind)) {
            AtomicInteger calls = new AtomicInteger();
            SagaEngine[] other = new SagaEngine[1];
            DurableSagaDefinition<String> saga = Trip.define()
                    .external(
                            "x",
                            step -> step.call((context, call) -> {
                                        int n = calls.incrementAndGet();
                                        if (n == 1) {
                                            // The claim ends while the call is under way, and somebody else does it
                                            // all.
                                            Awaitility.await()
                                                    .atMost(Duration.ofMinutes(1))
                                                    .until(() -> other[0].turn() == 1);
                                        }
                                        return context + n;
                                    })
                                    .compensate((context, call) -> {}))
                    .step("z", Trip.step("z"))
                    .build();
            other[0] = world.engine(saga).build();
            SagaEngine zombie = world.engine(saga).build();
            SagaHandle<String> handle = zombie.saga(saga).start("k", "k ");

            zombie.turn();

            assertThat(handle.result().orThrow()).isEqualTo("k 2z");
            assertThat(world.effects()).containsExactly("k z");
            assertThat(world.strings("select epoch from saga_instance")).containsExactly("2");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("D4")
    void aClaimIsRenewedAsLongAsTheCallLasts(Kind kind) throws InterruptedException {
        try (World world = World.create(kind)) {
            AtomicInteger calls = new AtomicInteger();
            DurableSagaDefinition<String> saga = Trip.define()
                    .external(
                            "x",
                            step -> step.call((context, call) -> {
                                        calls.incrementAndGet();
                                        String first = until(world);
                                        Awaitility.await()
                                                .atMost(Duration.ofMinutes(1))
                                                .until(() -> !until(world).equals(first));
                                        return context + "x";
                                    })
                                    .compensate((context, call) -> {}))
                    .build();
            try (SagaEngine engine =
                    world.engine(saga).claimFor(Duration.ofSeconds(5)).build().start()) {
                SagaHandle<String> handle = engine.saga(saga).start("k", "k ");

                assertThat(handle.await(Duration.ofMinutes(1)).orThrow()).isEqualTo("k x");
            }
            assertThat(calls).hasValue(1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("D3")
    void aPivotInDoubtIsStuckUntilAPersonKnows(Kind kind) {
        try (World world = World.create(kind)) {
            AtomicInteger calls = new AtomicInteger();
            DurableSagaDefinition<String> saga = Trip.define()
                    .step("a", Trip.step("a"))
                    .external(
                            "pay",
                            step -> step.pivot().retry(Trip.TWICE).call((context, call) -> {
                                if (calls.incrementAndGet() <= 2) {
                                    throw new IllegalStateException("no answer");
                                }
                                return context + "paid";
                            }))
                    .build();
            SagaEngine engine = world.engine(saga).build();
            SagaHandle<String> handle = engine.saga(saga).start("k", "k ");

            assertThat(World.drive(engine::turn, handle)).isInstanceOf(SagaResult.Stuck.class);
            assertThat(world.effects()).containsExactly("k a");
            SagaAdmin.of(world.pool()).retry(handle.sagaId(), new Decision("anna", "the bank is back"));

            assertThat(World.drive(engine::turn, handle).orThrow()).isEqualTo("k apaid");
        }
    }

    private static void drive(SagaEngine doomed, SagaHandle<String> handle, Crash crash) {
        try (Faults faults = Faults.install(crash)) {
            assertThat(faults).isNotNull();
            World.drive(doomed::turn, handle);
        } catch (Crash.Death e) {
            assertThat(crash.happened()).isTrue();
        }
    }

    private static String until(World world) {
        return world.strings("select claimed_until from saga_instance").get(0);
    }

    /** Another system that knows its calls by their keys. */
    private static final class Carrier {

        private final ConcurrentHashMap<String, Integer> calls = new ConcurrentHashMap<>();
        private final Set<String> cancelled = ConcurrentHashMap.newKeySet();

        Consumer<ExternalStep<String>> step() {
            return step -> step.call((context, call) -> {
                        book(call.idempotencyKey());
                        return context + "called";
                    })
                    .compensate((context, call) -> cancelled.add(call.idempotencyKey()))
                    .retry(Trip.TWICE)
                    .compensationRetry(Trip.TWICE);
        }

        void book(String key) {
            calls.merge(key, 1, Integer::sum);
        }

        boolean booked(String key) {
            return calls.containsKey(key);
        }

        int calls(SagaHandle<?> saga) {
            return calls.getOrDefault(saga.sagaId() + ":x:F", 0);
        }

        boolean cancelled(SagaHandle<?> saga) {
            return cancelled.contains(saga.sagaId() + ":x:F");
        }
    }
}

package dev.postrider.saga;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.admin.Decision;
import dev.postrider.database.Faults;
import dev.postrider.retry.RetryPolicy;
import dev.postrider.saga.RefusedCommits.Refusal;
import dev.postrider.services.Database.Kind;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The outcome of an external call is recorded, and a call in doubt is asked about before it is undone. */
@Tag("B4")
final class ExternalOutcomeTest {

    private static final List<Kind> KINDS = List.of(Kind.POSTGRES_18, Kind.MARIADB, Kind.MYSQL, Kind.H2);
    private static final RetryPolicy ONCE = RetryPolicy.exponential(Duration.ofMillis(1), Duration.ofMillis(2), 1);
    private static final int REFUSED = 6;

    private final List<String> heard = new CopyOnWriteArrayList<>();

    private static Stream<Arguments> refusals() {
        return KINDS.stream().flatMap(kind -> Arrays.stream(Refusal.values()).map(each -> Arguments.of(kind, each)));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    @Tag("D5")
    void callWhoseOutcomeCannotBeCommittedAtOnceIsNeitherRepeatedNorUndone(Kind kind, Refusal refusal) {
        try (World world = World.create(kind)) {
            RefusedCommits commits = new RefusedCommits(world.pool(), refusal);
            DurableSagaDefinition<String> saga = external((context, call) -> {
                heard.add("call");
                commits.refuse(REFUSED);
                return context + "called";
            });
            SagaEngine engine = engine(commits, saga);
            SagaHandle<String> handle = engine.saga(saga).start("k", "k ");

            SagaResult<String> result = World.drive(engine::turn, handle);

            assertThat(result.orThrow()).isEqualTo("k called");
            assertThat(heard).containsExactly("call");
        }
    }

    @ParameterizedTest
    @MethodSource("refusals")
    @Tag("D5")
    void compensationWhoseOutcomeCannotBeCommittedAtOnceIsNotRepeated(Kind kind, Refusal refusal) {
        try (World world = World.create(kind)) {
            RefusedCommits commits = new RefusedCommits(world.pool(), refusal);
            DurableSagaDefinition<String> saga = Trip.define()
                    .external(
                            "x",
                            step -> step.call((context, call) -> context + "called")
                                    .compensate((context, call) -> {
                                        heard.add("undo");
                                        commits.refuse(REFUSED);
                                    })
                                    .compensationRetry(ONCE))
                    .step("z", Trip.failing("z"))
                    .build();
            SagaEngine engine = engine(commits, saga);
            SagaHandle<String> handle = engine.saga(saga).start("k", "k ");

            SagaResult<String> result = World.drive(engine::turn, handle);

            assertThat(result).isInstanceOf(SagaResult.Compensated.class);
            assertThat(heard).containsExactly("undo");
        }
    }

    @ParameterizedTest
    @MethodSource("refusals")
    @Tag("D5")
    void finalFailureThatCannotBeCommittedAtOnceIsNotTriedAgain(Kind kind, Refusal refusal) {
        try (World world = World.create(kind)) {
            RefusedCommits commits = new RefusedCommits(world.pool(), refusal);
            DurableSagaDefinition<String> saga = Trip.define()
                    .external(
                            "x",
                            step -> step.call((context, call) -> {
                                        heard.add("call");
                                        commits.refuse(REFUSED);
                                        throw new IllegalStateException("declined");
                                    })
                                    .failOn(IllegalStateException.class)
                                    .compensate((context, call) -> heard.add("undo")))
                    .build();
            SagaEngine engine = engine(commits, saga);
            SagaHandle<String> handle = engine.saga(saga).start("k", "k ");

            SagaResult<String> result = World.drive(engine::turn, handle);

            assertThat(result.failure().orElseThrow().message()).isEqualTo("declined");
            assertThat(heard).containsExactly("call", "undo");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("D2")
    void contextThatCannotBeEncodedFailsTheStepThatReturnedIt(Kind kind) {
        try (World world = World.create(kind)) {
            DurableSagaDefinition<String> saga = Saga.define("s", String.class)
                    .codec(new RefusingCodec())
                    .external(
                            "x",
                            step -> step.call((context, call) -> {
                                        heard.add("call " + call.attempt());
                                        return context + RefusingCodec.REFUSED;
                                    })
                                    .compensate((context, call) -> heard.add("undo"))
                                    .retry(Trip.TWICE))
                    .build();
            SagaEngine engine = world.engine(saga).build();
            SagaHandle<String> handle = engine.saga(saga).start("k", "k ");

            SagaResult<String> result = World.drive(engine::turn, handle);

            assertThat(result).isInstanceOf(SagaResult.Compensated.class);
            assertThat(heard).containsExactly("call 1", "call 2", "undo");
            assertThat(result.failure().orElseThrow().message()).contains("Could not encode the context");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("D5")
    void crashDuringTheLastAttemptIsAskedAboutBeforeAnythingIsUndone(Kind kind) {
        for (String point : List.of("saga.external.started", "saga.external.called", "saga.step.journaled")) {
            for (boolean happened : new boolean[] {true, false}) {
                try (World world = World.create(kind)) {
                    heard.clear();
                    DurableSagaDefinition<String> saga = external(step -> step.verify((context, call) -> {
                        heard.add("verify");
                        return happened ? Optional.of(context + "found") : Optional.empty();
                    }));
                    SagaEngine engine = world.engine(saga).build();
                    SagaHandle<String> handle = engine.saga(saga).start("k", "k ");
                    crash(point, () -> World.drive(engine::turn, handle));
                    heard.remove("call");

                    SagaResult<String> result = World.drive(engine::turn, handle);

                    assertThat(result.context()).as(point).isEqualTo(happened ? "k found" : "k ");
                    assertThat(heard).as(point).isEqualTo(happened ? List.of("verify") : List.of("verify", "undo"));
                    assertThat(result.status()).isEqualTo(happened ? SagaStatus.COMPLETED : SagaStatus.COMPENSATED);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("D5")
    void callThatThrewOnItsLastAttemptIsAskedAboutToo(Kind kind) {
        try (World world = World.create(kind)) {
            DurableSagaDefinition<String> saga = external(step -> step.call((context, call) -> {
                        heard.add("call");
                        throw new IllegalStateException("timed out after it was booked");
                    })
                    .verify((context, call) -> {
                        heard.add("verify");
                        return Optional.of(context + "found");
                    }));
            SagaEngine engine = world.engine(saga).build();
            SagaHandle<String> handle = engine.saga(saga).start("k", "k ");

            SagaResult<String> result = World.drive(engine::turn, handle);

            assertThat(result.orThrow()).isEqualTo("k found");
            assertThat(heard).containsExactly("call", "verify");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("D2")
    void questionWithoutAnAnswerIsAskedAsOftenAsTheCallWasMade(Kind kind) {
        try (World world = World.create(kind)) {
            DurableSagaDefinition<String> saga = external(step -> step.retry(Trip.TWICE)
                    .call((context, call) -> {
                        heard.add("call");
                        throw new IllegalStateException("timed out");
                    })
                    .verify((context, call) -> {
                        heard.add("verify " + call.attempt());
                        throw new IllegalStateException("still away");
                    }));
            SagaEngine engine = world.engine(saga).build();
            SagaHandle<String> handle = engine.saga(saga).start("k", "k ");

            SagaResult<String> result = World.drive(engine::turn, handle);

            assertThat(result).isInstanceOf(SagaResult.Compensated.class);
            assertThat(heard).containsExactly("call", "verify 2", "verify 3", "verify 4", "undo");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("D3")
    void pivotThatAPersonRetriesIsAskedAboutBeforeItIsCalledAgain(Kind kind) {
        try (World world = World.create(kind)) {
            DurableSagaDefinition<String> saga = Trip.define()
                    .external(
                            "pay",
                            step -> step.pivot()
                                    .retry(ONCE)
                                    .call((context, call) -> {
                                        heard.add("call");
                                        throw new IllegalStateException("no answer");
                                    })
                                    .verify((context, call) -> {
                                        heard.add("verify");
                                        return heard.size() < 3 ? Optional.empty() : Optional.of(context + "paid");
                                    }))
                    .build();
            SagaEngine engine = world.engine(saga).build();
            SagaHandle<String> handle = engine.saga(saga).start("k", "k ");

            assertThat(World.drive(engine::turn, handle)).isInstanceOf(SagaResult.Stuck.class);
            SagaAdmin.of(world.pool()).retry(handle.sagaId(), new Decision("anna", "the bank is back"));

            assertThat(World.drive(engine::turn, handle).orThrow()).isEqualTo("k paid");
            assertThat(heard).containsExactly("call", "verify", "verify");
        }
    }

    private DurableSagaDefinition<String> external(ExternalStep.Call<String> call) {
        return external(step -> step.call(call));
    }

    private DurableSagaDefinition<String> external(Consumer<ExternalStep<String>> configure) {
        Consumer<ExternalStep<String>> plain = step -> step.call((context, call) -> {
                    heard.add("call");
                    return context + "called";
                })
                .compensate((context, call) -> heard.add("undo"))
                .retry(ONCE);
        return Trip.define().external("x", plain.andThen(configure)).build();
    }

    private static SagaEngine engine(RefusedCommits commits, DurableSagaDefinition<String> saga) {
        return SagaEngine.builder(commits.dataSource())
                .claimFor(Duration.ofMinutes(1))
                .register(saga)
                .build();
    }

    private static void crash(String point, Runnable work) {
        Crash crash = new Crash(point, 1);
        try (Faults faults = Faults.install(crash)) {
            assertThat(faults).isNotNull();
            work.run();
        } catch (Crash.Death e) {
            assertThat(crash.happened()).isTrue();
        }
    }
}

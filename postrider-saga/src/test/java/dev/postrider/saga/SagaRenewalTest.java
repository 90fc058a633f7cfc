package dev.postrider.saga;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.services.Database.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Claims last as long as the work under them, whatever rows the steps hold locked. */
@Tag("B4")
@Tag("D4")
final class SagaRenewalTest {

    private static final int SLOW = 5;
    private static final int RENEWALS = 4;

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void aSlowLocalStepDoesNotKeepOtherClaimsFromBeingRenewed(Kind kind) throws InterruptedException {
        try (World world = World.create(kind)) {
            CountDownLatch slowReached = new CountDownLatch(SLOW);
            CountDownLatch renewed = new CountDownLatch(1);
            AtomicInteger calls = new AtomicInteger();
            LocalSagaDefinition<String> slow = Saga.define("slow", String.class)
                    .codec(TextCodec.INSTANCE)
                    .step(
                            "s",
                            step -> step.action((context, transaction) -> {
                                        slowReached.countDown();
                                        renewed.await();
                                        return context + "s";
                                    })
                                    .compensate((context, transaction) -> {}))
                    .build();
            DurableSagaDefinition<String> caller = Trip.define()
                    .external(
                            "x",
                            step -> step.call((context, call) -> {
                                        calls.incrementAndGet();
                                        slowReached.await();
                                        awaitRenewals(world, call.sagaId());
                                        return context + "x";
                                    })
                                    .compensate((context, call) -> {}))
                    .build();
            SagaEngine engine = world.engine(slow, caller)
                    .threads(SLOW + 1)
                    .batch(1)
                    .claimFor(Duration.ofSeconds(2))
                    .build();
            List<SagaHandle<String>> slowOnes = new ArrayList<>();
            for (int i = 0; i < SLOW; i++) {
                slowOnes.add(engine.saga(slow).start("s" + i, "s" + i + " "));
            }
            SagaHandle<String> called = engine.saga(caller).start("x", "x ");

            try (SagaEngine running = engine.start()) {
                assertThat(running).isNotNull();
                assertThat(called.await(Duration.ofMinutes(2)).orThrow()).isEqualTo("x x");
                renewed.countDown();
                for (SagaHandle<String> each : slowOnes) {
                    assertThat(each.await(Duration.ofMinutes(1)).orThrow()).endsWith(" s");
                }
            }
            assertThat(calls).hasValue(1);
        }
    }

    private static void awaitRenewals(World world, UUID saga) {
        for (int i = 0; i < RENEWALS; i++) {
            String before = until(world, saga);
            Awaitility.await()
                    .atMost(Duration.ofMinutes(1))
                    .until(() -> !until(world, saga).equals(before));
        }
    }

    /** The call would otherwise be made a second time while the first one is under way. */
    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void aClaimThatLapsedDuringALocalStepIsRenewedBeforeTheNextCall(Kind kind) {
        try (World world = World.create(kind)) {
            SagaEngine[] other = new SagaEngine[1];
            List<Integer> claimedMeanwhile = new ArrayList<>();
            DurableSagaDefinition<String> saga = Trip.define()
                    .step(
                            "a",
                            step -> step.action((context, transaction) -> {
                                        try (var update = transaction
                                                .connection()
                                                .prepareStatement(
                                                        "update saga_instance set claimed_until = created_at")) {
                                            update.executeUpdate();
                                        }
                                        return context + "a";
                                    })
                                    .compensate((context, transaction) -> {}))
                    .external(
                            "x",
                            step -> step.call((context, call) -> {
                                        claimedMeanwhile.add(claimedMeanwhile.isEmpty() ? other[0].turn() : 0);
                                        return context + "x";
                                    })
                                    .compensate((context, call) -> {}))
                    .build();
            other[0] = world.engine(saga).claimFor(Duration.ofHours(1)).build();
            SagaEngine engine = world.engine(saga).claimFor(Duration.ofHours(1)).build();
            SagaHandle<String> handle = engine.saga(saga).start("k", "k ");

            engine.turn();

            assertThat(claimedMeanwhile).containsExactly(0);
            assertThat(handle.result().orThrow()).isEqualTo("k ax");
            assertThat(world.strings("select epoch from saga_instance")).containsExactly("1");
        }
    }

    private static String until(World world, UUID saga) {
        return world.strings("select claimed_until from saga_instance where saga_id = '%s'".formatted(saga))
                .get(0);
    }
}

package dev.postrider.saga;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.retry.RetryPolicy;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a saga does next, whatever its steps answer. */
@Tag("B4")
final class DeciderTest {

    private static final RetryPolicy TWICE = RetryPolicy.exponential(Duration.ofSeconds(1), Duration.ofSeconds(4), 2);

    @Test
    void aFailedStepWaitsThenTriesAgainThenTheSagaTurnsBackInReverseOrder() {
        Walk walk = new Walk(saga().step("a", undoable())
                .step("b", undoable())
                .step("c", undoable())
                .build());

        walk.done("a").done("b").failed("c");
        assertThat(walk.next()).isEqualTo(Next.await(SagaStatus.RUNNING, Duration.ofSeconds(1)));
        walk.pass(Duration.ofSeconds(1)).failed("c");

        assertThat(walk.next().failure()).isEqualTo(new SagaFailure("c", Reasons.ATTEMPTS_EXHAUSTED, "broken"));
        walk.turned().undone("b").undone("a").ends(SagaStatus.COMPENSATED);
    }

    @Test
    @Tag("D3")
    void behindThePivotASagaIsStuckInsteadOfTurningBack() {
        Walk walk = new Walk(saga().step("a", undoable())
                .pivot("p", plain())
                .retriable("n", plain())
                .build());
        walk.done("a")
                .done("p")
                .passedPivot()
                .failed("n")
                .pass(Duration.ofSeconds(1))
                .failed("n");

        walk.ends(SagaStatus.STUCK);
    }

    @Test
    @Tag("D3")
    void aPivotThatMayHaveHappenedIsNoWayBack() {
        Walk walk = new Walk(saga().step("a", undoable())
                .external(
                        "p",
                        step -> step.call((context, call) -> context).pivot().retry(TWICE))
                .deadline(Duration.ofSeconds(1))
                .build());
        walk.done("a").entry("p", Direction.FORWARD, StepStatus.STARTED, 2);

        walk.pass(Duration.ofMinutes(1)).ends(SagaStatus.STUCK);
    }

    @Test
    @Tag("D2")
    void aCallThatMayHaveHappenedIsUndoneAndAStepThatFailedIsNot() {
        Walk walk = new Walk(saga().step("a", undoable())
                .external("x", step -> step.call((context, call) -> context).compensate((context, call) -> {}))
                .build());
        walk.done("a").entry("x", Direction.FORWARD, StepStatus.STARTED, 1).turned();

        walk.undone("x").undone("a").ends(SagaStatus.COMPENSATED);
    }

    @Test
    void aCompensationThatFailsForGoodStopsTheEarlierOnesUnlessTheDefinitionGoesOn() {
        for (boolean goOn : new boolean[] {false, true}) {
            LocalSagaBuilder<String> saga =
                    saga().step("a", undoable()).step("b", undoable()).step("c", undoable());
            Walk walk = new Walk((goOn ? saga.continueOnCompensationFailure() : saga).build());
            walk.done("a").done("b").turned();
            walk.entry("b", Direction.COMPENSATION, StepStatus.FAILED, 2);

            if (goOn) {
                walk.undone("a");
            }
            walk.ends(SagaStatus.STUCK);
            assertThat(walk.next().failure()).isEqualTo(new SagaFailure("b", Reasons.COMPENSATION_FAILED, "broken"));
        }
    }

    @Test
    @Tag("D8")
    void nothingIsLateBeforeItsTime() {
        for (OnTimeout then : OnTimeout.values()) {
            Walk walk = new Walk(saga().request("r", request(then)).build());
            walk.waiting("r", 1);

            walk.pass(Duration.ofSeconds(10).minusNanos(1000));
            assertThat(walk.next()).isEqualTo(Next.await(SagaStatus.WAITING, Duration.ofNanos(1000)));
            walk.pass(Duration.ofNanos(1000));

            switch (then) {
                case RESEND -> {
                    assertThat(walk.next()).isEqualTo(Next.run(walk.step("r"), 2));
                    walk.waiting("r", 2).pass(Duration.ofSeconds(10));
                    assertThat(walk.next().kind()).isEqualTo(Next.Kind.TURN_BACK);
                    walk.turned().undone("r").ends(SagaStatus.COMPENSATED);
                }
                case COMPENSATE -> assertThat(walk.next().kind()).isEqualTo(Next.Kind.TURN_BACK);
                case WAIT_FOR_SIGNAL -> walk.ends(SagaStatus.STUCK);
            }
        }
    }

    @Test
    @Tag("D8")
    void theDeadlineTurnsTheSagaBackBeforeThePivotAndNotBehindIt() {
        LocalSagaDefinition<String> saga = saga().deadline(Duration.ofMinutes(1))
                .step("a", undoable())
                .pivot("p", plain())
                .retriable("n", plain())
                .build();

        Walk early = new Walk(saga).done("a").failed("p").pass(Duration.ofMinutes(1));
        assertThat(early.next().failure())
                .isEqualTo(new SagaFailure(null, Reasons.DEADLINE, "The saga did not end in time"));
        Walk late = new Walk(saga).done("a").done("p").passedPivot().pass(Duration.ofMinutes(1));
        assertThat(late.next()).isEqualTo(Next.run(late.step("n"), 1));
        LocalSagaDefinition<String> single =
                saga().deadline(Duration.ofMinutes(1)).step("a", undoable()).build();
        new Walk(single).done("a").pass(Duration.ofMinutes(1)).ends(SagaStatus.COMPLETED);
    }

    @Test
    void stepsOfAGroupDoNotWaitForEachOther() {
        Walk walk = new Walk(saga().durable()
                .parallel(
                        "g",
                        group -> group.request("r", request(OnTimeout.COMPENSATE))
                                .request("q", request(OnTimeout.COMPENSATE))
                                .step("a", undoable()))
                .step("z", undoable())
                .build());

        walk.waiting("r", 1).waiting("q", 1).failed("a");
        assertThat(walk.next()).isEqualTo(Next.await(SagaStatus.RUNNING, Duration.ofSeconds(1)));
        walk.done("q").done("a");
        assertThat(walk.next().status()).isEqualTo(SagaStatus.WAITING);
        walk.done("r").done("z").ends(SagaStatus.COMPLETED);
    }

    /** Thousands of sagas whose steps do whatever they like end as the invariants say. */
    @Test
    @Tag("D1")
    @Tag("D2")
    @Tag("D3")
    @Tag("D10")
    void everySagaEndsDoneOrUndoneInReverseOrderOrStuck() {
        Map<SagaStatus, Integer> ends = new EnumMap<>(SagaStatus.class);
        for (int seed = 0; seed < 3000; seed++) {
            Random random = new Random(seed);
            Walk walk = new Walk(RandomSagas.define(random));

            SagaStatus end = walk.stroll(random);

            ends.merge(end, 1, Integer::sum);
            walk.check(end, "seed " + seed);
        }

        assertThat(ends.get(SagaStatus.COMPLETED)).isGreaterThan(100);
        assertThat(ends.get(SagaStatus.COMPENSATED)).isGreaterThan(100);
        assertThat(ends.get(SagaStatus.STUCK)).isGreaterThan(100);
    }

    private static LocalSagaBuilder<String> saga() {
        return Saga.define("s", String.class).codec(TextCodec.INSTANCE);
    }

    private static Consumer<LocalStep<String>> plain() {
        return step -> step.action((context, transaction) -> context).retry(TWICE);
    }

    private static Consumer<LocalStep<String>> undoable() {
        return plain().andThen(
                        step -> step.compensate((context, transaction) -> {}).compensationRetry(TWICE));
    }

    private static Consumer<RequestStep<String>> request(OnTimeout then) {
        return step -> step.command(context -> Command.to("t", "do"))
                .onReply("yes", (context, reply) -> context)
                .compensate(context -> Command.to("t", "undo"))
                .replyWithin(Duration.ofSeconds(10), then)
                .retry(TWICE);
    }
}

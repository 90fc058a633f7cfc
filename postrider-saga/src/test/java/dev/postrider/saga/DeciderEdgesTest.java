package dev.postrider.saga;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.retry.RetryPolicy;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How long the decision waits, which attempt is next, and when a pivot stops the way back. */
@Tag("B4")
final class DeciderEdgesTest {

    private static final RetryPolicy SHORT = RetryPolicy.exponential(Duration.ofSeconds(1), Duration.ofSeconds(4), 3);
    private static final RetryPolicy LONG = RetryPolicy.exponential(Duration.ofMinutes(1), Duration.ofMinutes(1), 3);

    @Test
    void compensationThatFailedIsTheNextAttempt() {
        Walk walk = new Walk(saga().step("a", undoable()).build());
        walk.done("a").turned().entry("a", Direction.COMPENSATION, StepStatus.FAILED, 1);

        walk.pass(Duration.ofMinutes(1));

        assertThat(walk.next()).isEqualTo(Next.undo(walk.step("a"), 2));
    }

    @Test
    void compensationWaitsByItsOwnPolicy() {
        Walk walk = new Walk(saga().step("a", undoable()).step("b", undoable()).build());

        walk.done("a").failed("b");
        assertThat(walk.next()).isEqualTo(Next.await(SagaStatus.RUNNING, Duration.ofSeconds(1)));

        walk.turned().entry("a", Direction.COMPENSATION, StepStatus.FAILED, 1);
        assertThat(walk.next()).isEqualTo(Next.await(SagaStatus.COMPENSATING, Duration.ofMinutes(1)));
    }

    @Test
    void interruptedStepIsRepeatedAtOnce() {
        Walk walk = new Walk(saga().step("a", undoable()).build());

        walk.entry("a", Direction.FORWARD, StepStatus.STARTED, 1);

        assertThat(walk.next()).isEqualTo(Next.run(walk.step("a"), 2));
    }

    @Test
    void stepInterruptedAfterAFailureWaitsAsAfterAFailure() {
        Walk walk = new Walk(saga().step("a", undoable()).build());

        walk.failed("a").entry("a", Direction.FORWARD, StepStatus.STARTED, 2);

        assertThat(walk.next()).isEqualTo(Next.await(SagaStatus.RUNNING, Duration.ofSeconds(2)));
    }

    @Test
    void refusedStepIsNotTriedAgain() {
        Walk walk = new Walk(saga().step("a", undoable()).build());

        walk.failed("a").because(new SagaFailure("a", Reasons.REFUSED, "no"));

        assertThat(walk.next().kind()).isEqualTo(Next.Kind.TURN_BACK);
    }

    @Test
    void stepThatFailedForAnotherReasonIsTriedAgain() {
        Walk walk = new Walk(saga().step("a", undoable()).build());

        walk.failed("a").because(new SagaFailure("a", Reasons.REPLY_OVERDUE, "late"));

        assertThat(walk.next()).isEqualTo(Next.await(SagaStatus.RUNNING, Duration.ofSeconds(1)));
    }

    @Test
    void refusalOfAStepThatIsDoneByNowIsNoObstacle() {
        Walk walk = new Walk(saga().step("a", undoable()).step("b", undoable()).build());

        walk.done("a").because(new SagaFailure("a", Reasons.REFUSED, "no"));

        assertThat(walk.next()).isEqualTo(Next.run(walk.step("b"), 1));
    }

    @Test
    void sagaThatTurnedBackWithAnUnknownPivotIsStuck() {
        Walk walk = new Walk(withPivot());
        walk.done("a").entry("p", Direction.FORWARD, StepStatus.STARTED, 1).turned();

        Next<String> next = walk.next();

        assertThat(next.status()).isEqualTo(SagaStatus.STUCK);
        assertThat(next.failure())
                .isEqualTo(new SagaFailure("p", Reasons.PIVOT_UNKNOWN, "Nobody knows whether the pivot happened"));
    }

    @Test
    void unknownPivotWhoseCompensationIsWrittenIsNoObstacle() {
        Walk walk = new Walk(withPivot());
        walk.done("a").entry("p", Direction.FORWARD, StepStatus.STARTED, 1).turned();

        walk.entry("p", Direction.COMPENSATION, StepStatus.DONE, 1);

        walk.undone("a").ends(SagaStatus.COMPENSATED);
    }

    @Test
    void sagaTurnedBackBehindItsPivotUndoesItsSteps() {
        Walk walk = new Walk(withPivot());
        walk.done("a").done("p").passedPivot().turned();

        assertThat(walk.next()).isEqualTo(Next.undo(walk.step("a"), 1));
    }

    @Test
    void jitterOfAnEntryIsTheSameWheneverItIsAsked() {
        RetryPolicy jittered = RetryPolicy.exponentialWithJitter(Duration.ofHours(1), Duration.ofHours(1), 3);
        Walk walk = new Walk(saga().step("a", undoable().andThen(step -> step.retry(jittered)))
                .build());
        walk.failed("a");

        Duration wait = walk.next().wakeIn();

        assertThat(wait).isBetween(Duration.ofMinutes(30), Duration.ofHours(1));
        assertThat(walk.next().wakeIn()).isEqualTo(wait);
    }

    @Test
    void overdueReplyIsTheReasonForTheWayBack() {
        Walk walk = new Walk(saga().durable()
                .request(
                        "r",
                        step -> step.command(context -> Command.to("t", "do"))
                                .onReply("yes", (context, reply) -> context)
                                .compensate(context -> Command.to("t", "undo"))
                                .replyWithin(Duration.ofSeconds(10), OnTimeout.COMPENSATE))
                .build());

        walk.waiting("r", 1).pass(Duration.ofSeconds(10));

        assertThat(walk.next().failure())
                .isEqualTo(new SagaFailure("r", Reasons.REPLY_OVERDUE, "No reply came in time"));
    }

    private static SagaDefinition<String> withPivot() {
        return saga().step("a", undoable())
                .external(
                        "p",
                        step -> step.call((context, call) -> context).pivot().retry(SHORT))
                .build();
    }

    private static LocalSagaBuilder<String> saga() {
        return Saga.define("s", String.class).codec(TextCodec.INSTANCE);
    }

    private static Consumer<LocalStep<String>> undoable() {
        return step -> step.action((context, transaction) -> context)
                .retry(SHORT)
                .compensate((context, transaction) -> {})
                .compensationRetry(LONG);
    }
}

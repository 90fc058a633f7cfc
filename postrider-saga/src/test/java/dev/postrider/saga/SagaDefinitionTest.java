package dev.postrider.saga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a definition may say, and what it says about itself. */
@Tag("B4")
final class SagaDefinitionTest {

    @Test
    void aStepComesAfterTheOneDefinedBeforeItUnlessItSaysOtherwise() {
        Blueprint<String> blueprint = define().step("a", undoable())
                .parallel("checks", group -> group.step("b", undoable()).step("c", undoable()))
                .step("d", undoable())
                .step("e", undoable().andThen(step -> step.after("a")))
                .step("f", undoable().andThen(step -> step.after()))
                .build()
                .blueprint();

        assertThat(blueprint.steps())
                .extracting(step -> step.name() + step.after().stream().sorted().toList())
                .containsExactlyInAnyOrder("a[]", "b[a]", "c[a]", "d[b, c]", "e[a]", "f[]");
    }

    @Test
    void stepsAreInAnOrderThatFitsEvenIfOneWaitsForALaterOne() {
        List<Step<String>> steps = define().step("a", undoable().andThen(step -> step.after("b")))
                .step("b", undoable().andThen(step -> step.after()))
                .build()
                .blueprint()
                .steps();

        assertThat(steps).extracting(Step::name).containsExactly("b", "a");
    }

    @Test
    void whatCannotWorkIsRefusedWithTheReason() {
        refused("Saga 's' has no step", saga -> saga);
        refused("Saga 's' has two steps 'a'", saga -> saga.step("a", undoable()).step("a", undoable()));
        refused("Step 'a' needs action(..)", saga -> saga.step("a", step -> {}));
        refused("The name of a step must match", saga -> saga.step("a b", undoable()));
        refused("Group 'g' has no step", saga -> saga.parallel("g", group -> {}));
        refused(
                "Step 'a' comes after 'x', which saga 's' does not have",
                saga -> saga.step("a", undoable().andThen(step -> step.after("x"))));
        refused(
                "These steps wait for each other: [a, b]",
                saga -> saga.step("a", undoable().andThen(step -> step.after("b")))
                        .step("b", undoable()));
        refused(
                "These steps wait for each other: [a]",
                saga -> saga.step("a", undoable().andThen(step -> step.after("a"))));
        refused("version must be at least 1 but was 0", saga -> saga.version(0));
        refused("deadline must be positive but was PT0S", saga -> saga.deadline(Duration.ZERO));
        refused(
                "timeout of step 'a' must be positive but was PT-1S",
                saga -> saga.step("a", undoable().andThen(step -> step.timeout(Duration.ofSeconds(-1)))));
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        Saga.define("s", String.class).step("a", undoable()).build())
                .withMessage("Saga 's' needs codec(..), or atomicOnly() if it only ever executes in one transaction");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Saga.define("", String.class))
                .withMessageContaining("The name of a saga must match");
    }

    @Test
    void beforeThePivotEachStepCanBeUndoneOrHasNothingToUndo() {
        refused("Step 'a' needs compensate(..) or readOnly()", saga -> saga.step("a", plain()));
        refused(
                "Step 'a' needs compensate(..) or readOnly()",
                saga -> saga.step("a", plain()).pivot("p", plain()));
        refused("Step 'a' is retriable() but not behind a pivot", saga -> saga.retriable("a", plain()));
        refused(
                "Step 'a' is READ_ONLY and cannot have a compensation",
                saga -> saga.step("a", undoable().andThen(StepBuilder::readOnly)));

        assertThat(define().step("a", plain().andThen(StepBuilder::readOnly)).build())
                .isNotNull();
        assertThat(define().atomicOnly().step("a", plain()).build()).isNotNull();
    }

    @Test
    void behindThePivotEachStepIsRetriable() {
        refused(
                "Step 'b' is behind the pivot 'p' and must be retriable()",
                saga -> saga.pivot("p", plain()).step("b", plain().andThen(StepBuilder::readOnly)));
        refused(
                "Saga 's' has more than one pivot: [p, q]",
                saga -> saga.pivot("p", plain()).pivot("q", plain()));
        refused(
                "Step 'b' has no order to the pivot 'p'",
                saga -> saga.step("a", undoable())
                        .pivot("p", plain())
                        .step("b", undoable().andThen(step -> step.after("a"))));
        refused("Step 'p' is PIVOT and cannot have a compensation", saga -> saga.pivot("p", undoable()));
        refused(
                "Step 'p' cannot be RETRIABLE and PIVOT",
                saga -> saga.pivot("p", plain().andThen(StepBuilder::retriable)));

        assertThat(define().step("a", undoable())
                        .pivot("p", plain())
                        .retriable("b", plain())
                        .build())
                .isNotNull();
    }

    @Test
    void aRequestNamesItsCommandAndItsRepliesAndCannotTurnBackBehindThePivot() {
        refusedDurable("Step 'r' needs command(..)", saga -> saga.request("r", step -> {}));
        refusedDurable(
                "Step 'r' needs onReply(..)", saga -> saga.request("r", step -> step.command(SagaDefinitionTest::ask)));
        refusedDurable(
                "Step 'r' takes the reply 'yes' for a yes and for a no",
                saga -> saga.request("r", request().andThen(step -> step.failOnReply("yes"))));
        refusedDurable(
                "Step 'r' is PIVOT: without a reply it cannot COMPENSATE",
                saga -> saga.request(
                        "r",
                        request()
                                .andThen(step ->
                                        step.pivot().replyWithin(Duration.ofSeconds(1), OnTimeout.COMPENSATE))));
        refusedDurable(
                "replyWithin of step 'r' must be positive but was PT0S",
                saga -> saga.request(
                        "r", request().andThen(step -> step.replyWithin(Duration.ZERO, OnTimeout.RESEND))));
    }

    @Test
    void anExternalCallAndAReplyCannotChangeTheContextAtTheSameTime() {
        refusedDurable(
                "External step 'x' and request 'r' could change the context at the same time",
                saga -> saga.parallel(
                        "g",
                        group -> group.request("r", request().andThen(StepBuilder::readOnly))
                                .external(
                                        "x",
                                        step -> step.call((context, call) -> context)
                                                .readOnly())));
    }

    @Test
    void theHashTellsStructuresApartAndNothingElse() {
        String hash =
                define().step("a", undoable()).step("b", undoable()).build().structureHash();

        assertThat(hash)
                .hasSize(64)
                .isEqualTo(define().version(2)
                        .deadline(Duration.ofDays(1))
                        .step("a", undoable().andThen(step -> step.timeout(Duration.ofSeconds(1))))
                        .step("b", undoable())
                        .build()
                        .structureHash())
                .isEqualTo(define().step("b", undoable().andThen(step -> step.after("a")))
                        .step("a", undoable().andThen(step -> step.after()))
                        .build()
                        .structureHash());
        assertThat(List.of(
                        define().step("b", undoable())
                                .step("a", undoable())
                                .build()
                                .structureHash(),
                        define().step("a", undoable())
                                .step("c", undoable())
                                .build()
                                .structureHash(),
                        define().step("a", undoable())
                                .step("b", undoable().andThen(step -> step.after()))
                                .build()
                                .structureHash(),
                        define().step("a", undoable())
                                .pivot("b", plain())
                                .build()
                                .structureHash(),
                        define().step("a", undoable())
                                .external(
                                        "b",
                                        step -> step.call((context, call) -> context)
                                                .compensate((context, call) -> {}))
                                .build()
                                .structureHash()))
                .doesNotContain(hash)
                .doesNotHaveDuplicates();
    }

    @Test
    void theDrawingShowsStepsAndTheirOrder() {
        String drawing = define().step("end", undoable())
                .parallel("g", group -> group.step("b", undoable()).step("c", undoable()))
                .pivot("pay", plain())
                .retriable("notify", plain())
                .build()
                .mermaid();

        assertThat(drawing).isEqualTo("""
                %% s v1
                flowchart TD
                    s1["end<br/>local, compensatable"]
                    s2["b<br/>local, compensatable"]
                    s3["c<br/>local, compensatable"]
                    s4{{"pay<br/>local, pivot"}}
                    s5["notify<br/>local, retriable"]
                    s1 --> s2
                    s1 --> s3
                    s2 --> s4
                    s3 --> s4
                    s4 --> s5
                """);
    }

    private static LocalSagaBuilder<String> define() {
        return Saga.define("s", String.class).codec(TextCodec.INSTANCE);
    }

    private static Consumer<LocalStep<String>> plain() {
        return step -> step.action((context, transaction) -> context);
    }

    private static Consumer<LocalStep<String>> undoable() {
        return plain().andThen(step -> step.compensate((context, transaction) -> {}));
    }

    private static Consumer<RequestStep<String>> request() {
        return step -> step.command(SagaDefinitionTest::ask).onReply("yes", (context, reply) -> context);
    }

    private static Command ask(String context) {
        return Command.to("topic", "type");
    }

    private static void refused(String why, UnaryOperator<LocalSagaBuilder<String>> saga) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> saga.apply(define()).build())
                .withMessageContaining(why);
    }

    private static void refusedDurable(String why, UnaryOperator<DurableSagaBuilder<String>> saga) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> saga.apply(define().durable()).build())
                .withMessageContaining(why);
    }
}

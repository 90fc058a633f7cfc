package dev.postrider.saga;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The drawing of a saga that is under way. */
final class MermaidTest {

    private static final String STYLES = """
                classDef done fill:#d5f5e3,stroke:#1e8449
                classDef current fill:#fef9e7,stroke:#b7950b
                classDef failed fill:#fadbd8,stroke:#943126
                classDef undone fill:#e5e7e9,stroke:#515a5a
                classDef skipped fill:#ffffff,stroke:#515a5a,stroke-dasharray:4
            """;

    @Test
    void drawingShowsWhatBecameOfEachStep() {
        Walk walk = new Walk(saga().step("a", MermaidTest::undoable)
                .step("b", MermaidTest::undoable)
                .step("c", MermaidTest::undoable)
                .step("d", MermaidTest::undoable)
                .step("e", MermaidTest::undoable)
                .step("f", MermaidTest::undoable)
                .build());
        walk.done("a")
                .entry("b", Direction.FORWARD, StepStatus.SKIPPED, 2)
                .failed("c")
                .entry("d", Direction.FORWARD, StepStatus.STARTED, 3)
                .waiting("e", 1);

        assertThat(Mermaid.of(walk.progress())).isEqualTo("""
                %% s v1
                flowchart TD
                    s1["a<br/>local, compensatable<br/>DONE, attempt 1"]
                    s2["b<br/>local, compensatable<br/>SKIPPED, attempt 2"]
                    s3["c<br/>local, compensatable<br/>FAILED, attempt 1"]
                    s4["d<br/>local, compensatable<br/>STARTED, attempt 3"]
                    s5["e<br/>local, compensatable<br/>WAITING, attempt 1"]
                    s6["f<br/>local, compensatable"]
                    s1 --> s2
                    s2 --> s3
                    s3 --> s4
                    s4 --> s5
                    s5 --> s6
                    status{{RUNNING}}
                """ + STYLES + """
                    class s1 done
                    class s2 skipped
                    class s3 failed
                    class s4 current
                    class s5 current
                """);
    }

    @Test
    void drawingShowsWhatWasUndoneAndWhatCouldNotBe() {
        Walk walk = new Walk(saga().step("a", MermaidTest::undoable)
                .step("b", MermaidTest::undoable)
                .build());
        walk.done("a")
                .done("b")
                .turned()
                .entry("b", Direction.COMPENSATION, StepStatus.DONE, 1)
                .entry("a", Direction.COMPENSATION, StepStatus.FAILED, 4);

        assertThat(Mermaid.of(walk.progress())).isEqualTo("""
                %% s v1
                flowchart TD
                    s1["a<br/>local, compensatable<br/>DONE, attempt 1<br/>undo FAILED, attempt 4"]
                    s2["b<br/>local, compensatable<br/>DONE, attempt 1<br/>undo DONE, attempt 1"]
                    s1 --> s2
                    status{{COMPENSATING}}
                """ + STYLES + """
                    class s1 failed
                    class s2 undone
                """);
    }

    private static LocalSagaBuilder<String> saga() {
        return Saga.define("s", String.class).codec(TextCodec.INSTANCE);
    }

    private static void undoable(LocalStep<String> step) {
        step.action((context, transaction) -> context).compensate((context, transaction) -> {});
    }
}

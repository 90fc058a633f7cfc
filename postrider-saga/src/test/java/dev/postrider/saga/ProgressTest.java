package dev.postrider.saga;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What an entry that is written leaves of the one before. */
final class ProgressTest {

    private static final UUID SAGA = new UUID(1, 2);

    private final Walk walk = new Walk(Saga.define("s", String.class)
            .codec(TextCodec.INSTANCE)
            .step("a", step -> step.action((context, transaction) -> context).compensate((context, transaction) -> {}))
            .build());

    @Test
    void laterEntryOfAStepKeepsCommandAndErrorUnlessItBringsItsOwn() {
        StepEntry first = entry(StepStatus.WAITING, 1).withCommand("c1").withError("e1");
        Progress<String> waiting = walk.progress().with(first);

        assertThat(waiting.journal()).singleElement().satisfies(each -> {
            assertThat(each.commandId()).isEqualTo("c1");
            assertThat(each.error()).isEqualTo("e1");
        });
        assertThat(waiting.with(entry(StepStatus.DONE, 1)).journal())
                .singleElement()
                .satisfies(each -> {
                    assertThat(each.commandId()).isEqualTo("c1");
                    assertThat(each.error()).isEqualTo("e1");
                });
        StepEntry second = entry(StepStatus.WAITING, 2).withCommand("c2").withError("e2");
        assertThat(waiting.with(second).journal()).singleElement().satisfies(each -> {
            assertThat(each.commandId()).isEqualTo("c2");
            assertThat(each.error()).isEqualTo("e2");
            assertThat(each.attempts()).isEqualTo(2);
        });
    }

    @Test
    void onlyAnEntryThatIsFinishedHasAnEnd() {
        Progress<String> start = walk.progress();
        for (StepStatus status : StepStatus.values()) {
            JournalEntry written = start.with(entry(status, 1))
                    .entry(walk.step("a"), Direction.FORWARD)
                    .orElseThrow();

            assertThat(written.startedAt()).isEqualTo(start.row().times().readAt());
            assertThat(written.finishedAt())
                    .as("%s", status)
                    .isEqualTo(status.finished() ? start.row().times().readAt() : null);
        }
    }

    @Test
    void timeThatHasComeIsNoNegativeWait() {
        Progress<String> now = walk.progress();

        assertThat(now.until(now.row().times().readAt().minusSeconds(1))).isEqualTo(Duration.ZERO);
        assertThat(now.until(now.row().times().readAt().plusSeconds(1))).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void reasonReplacesOnlyAFailure() {
        SagaFailure decided = new SagaFailure("a", Reasons.REPLY_OVERDUE, "too late");
        SagaFailure thrown = new SagaFailure("a", Reasons.PIVOT_UNKNOWN, "thrown");
        Next<String> run = Next.run(walk.step("a"), 1);

        assertThat(Next.<String>turnBack(decided).because(thrown).failure()).isEqualTo(thrown);
        assertThat(run.because(thrown)).isEqualTo(run);
    }

    private static StepEntry entry(StepStatus status, int attempts) {
        return StepEntry.of(SAGA, "a", Direction.FORWARD, status, attempts);
    }
}

package dev.postrider.saga;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The progress of a saga without a database: entries are written and time passes as the test says. */
final class Walk {

    private final UUID id = SagaIds.next(Clock.systemUTC());
    private final Blueprint<String> blueprint;
    private final Instant start = Instant.parse("2026-01-01T00:00:00Z");
    private Instant now = start;
    private Direction direction = Direction.FORWARD;
    private boolean pivotPassed;
    private @Nullable SagaFailure failure;
    private List<JournalEntry> journal = List.of();
    private final List<String> undone = new ArrayList<>();
    private final Map<String, Integer> effects = new TreeMap<>();

    Walk(SagaDefinition<String> definition) {
        this.blueprint = definition.blueprint();
    }

    Step<String> step(String name) {
        return blueprint.step(name).orElseThrow();
    }

    Next<String> next() {
        return Decider.next(progress());
    }

    Walk done(String step) {
        return entry(step, Direction.FORWARD, StepStatus.DONE, attempts(step, Direction.FORWARD) + 1);
    }

    Walk failed(String step) {
        return entry(step, Direction.FORWARD, StepStatus.FAILED, attempts(step, Direction.FORWARD) + 1);
    }

    Walk waiting(String step, int attempt) {
        return entry(step, Direction.FORWARD, StepStatus.WAITING, attempt);
    }

    /** Writes an entry, with an error if it is one of a failure. */
    Walk entry(String step, Direction of, StepStatus status, int attempts) {
        StepEntry entry = StepEntry.of(id, step, of, status, attempts);
        journal = progress()
                .with(status == StepStatus.FAILED ? entry.withError("broken") : entry)
                .journal();
        return this;
    }

    Walk turned() {
        direction = Direction.COMPENSATION;
        return this;
    }

    Walk passedPivot() {
        pivotPassed = true;
        return this;
    }

    /** Records the failure with the saga. */
    Walk because(SagaFailure of) {
        failure = of;
        return this;
    }

    Walk pass(Duration time) {
        now = now.plus(time);
        return this;
    }

    /** Expects that this step is to be undone, and undoes it. */
    Walk undone(String step) {
        assertThat(next()).isEqualTo(Next.undo(step(step), attempts(step, Direction.COMPENSATION) + 1));
        return entry(step, Direction.COMPENSATION, StepStatus.DONE, 1);
    }

    void ends(SagaStatus status) {
        assertThat(next().kind()).isEqualTo(Next.Kind.END);
        assertThat(next().status()).isEqualTo(status);
    }

    /** Does what is next, with luck or without, until the saga ends. */
    SagaStatus stroll(Random random) {
        for (int i = 0; i < 1000; i++) {
            Next<String> next = next();
            switch (next.kind()) {
                case END -> {
                    return next.status();
                }
                case TURN_BACK -> {
                    assertThat(pivotPassed).isFalse();
                    turned();
                }
                case WAIT -> await(next, random);
                case DO -> run(next, random);
                case UNDO -> undo(next, random);
            }
        }
        throw new AssertionError("The saga does not end: " + journal);
    }

    private void await(Next<String> next, Random random) {
        List<JournalEntry> waiting = journal.stream()
                .filter(each -> each.status() == StepStatus.WAITING && each.direction() == direction)
                .toList();
        if (!waiting.isEmpty() && random.nextInt(10) < 7) {
            JournalEntry entry = waiting.get(random.nextInt(waiting.size()));
            settle(entry.step(), entry.direction(), StepStatus.DONE, entry.attempts());
            return;
        }
        Duration wake = Objects.requireNonNull(next.wakeIn());
        assertThat(wake).isPositive();
        pass(wake);
    }

    private void run(Next<String> next, Random random) {
        Step<String> step = next.required();
        assertThat(step.after()).allMatch(each -> progress().isDone(each));
        boolean lucky = random.nextInt(10) < 7;
        StepStatus status = switch (step.kind()) {
            case LOCAL -> lucky ? StepStatus.DONE : StepStatus.FAILED;
            case REQUEST -> StepStatus.WAITING;
            case EXTERNAL -> lucky ? StepStatus.DONE : StepStatus.STARTED;
        };
        settle(step.name(), Direction.FORWARD, status, next.attempt());
        if (status == StepStatus.DONE && step.role() == StepRole.PIVOT) {
            passedPivot();
        }
    }

    private void undo(Next<String> next, Random random) {
        Step<String> step = next.required();
        boolean lucky = random.nextInt(10) < 7;
        StepStatus status = step.kind() == StepKind.REQUEST
                ? StepStatus.WAITING
                : lucky ? StepStatus.DONE : step.kind() == StepKind.LOCAL ? StepStatus.FAILED : StepStatus.STARTED;
        settle(step.name(), Direction.COMPENSATION, status, next.attempt());
    }

    private void settle(String step, Direction of, StepStatus status, int attempts) {
        entry(step, of, status, attempts);
        if (status == StepStatus.DONE) {
            effects.merge(step + of.code(), 1, Integer::sum);
            if (of == Direction.COMPENSATION) {
                undone.add(step);
            }
        }
    }

    /** Checks D1, D2 and D3 for a saga that ended. */
    void check(SagaStatus end, String what) {
        assertThat(effects.values()).as(what).allMatch(each -> each == 1);
        List<String> mayHaveHappened = journal.stream()
                .filter(each -> each.direction() == Direction.FORWARD && each.status() != StepStatus.FAILED)
                .sorted(Comparator.comparingInt(JournalEntry::seq).reversed())
                .map(JournalEntry::step)
                .filter(each -> step(each).isCompensatable())
                .toList();
        if (end == SagaStatus.COMPLETED) {
            assertThat(undone).as(what).isEmpty();
            assertThat(blueprint.steps()).as(what).allMatch(each -> progress().isDone(each.name()));
        } else if (end == SagaStatus.COMPENSATED) {
            // Who goes on after a failed compensation may hear later that it happened after all.
            assertThat(undone).as(what).containsExactlyInAnyOrderElementsOf(mayHaveHappened);
            assertThat(blueprint.goOn() || undone.equals(mayHaveHappened))
                    .as(what)
                    .isTrue();
        } else {
            assertThat(mayHaveHappened).as(what).containsAll(Set.copyOf(undone));
        }
        if (pivotPassed) {
            assertThat(undone).as(what).isEmpty();
        }
    }

    private int attempts(String step, Direction of) {
        return progress().entry(step(step), of).map(JournalEntry::attempts).orElse(0);
    }

    Progress<String> progress() {
        Duration deadline = blueprint.deadline();
        SagaStatus status = direction == Direction.FORWARD ? SagaStatus.RUNNING : SagaStatus.COMPENSATING;
        return new Progress<>(
                blueprint,
                new SagaRow(
                        SagaHead.of(id, blueprint.id(), null, SagaMode.DURABLE, "text"),
                        new SagaRow.State(status, direction, "", 0, pivotPassed, failure),
                        new SagaRow.Claim("test", null, 1, 1),
                        new SagaRow.Times(
                                now, start, start, null, deadline == null ? null : start.plus(deadline), null)),
                journal);
    }
}

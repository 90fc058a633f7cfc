package dev.postrider.saga;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How far a saga has come: all that a decision depends on. */
record Progress<C>(Blueprint<C> blueprint, SagaRow row, List<JournalEntry> journal) {

    Progress {
        journal = List.copyOf(journal);
    }

    Optional<JournalEntry> entry(Step<C> step, Direction direction) {
        return journal.stream()
                .filter(each -> each.direction() == direction && each.step().equals(step.name()))
                .findFirst();
    }

    boolean isDone(String step) {
        return journal.stream()
                .anyMatch(each -> each.direction() == Direction.FORWARD
                        && each.step().equals(step)
                        && each.status().finished());
    }

    Direction direction() {
        return row.state().direction();
    }

    /** Returns how long it is until {@code time}, by the database's clock; zero if it has come. */
    Duration until(Instant time) {
        Duration left = Duration.between(row.times().readAt(), time);
        return left.isNegative() ? Duration.ZERO : left;
    }

    /** Whether there is still a way back: the pivot is not passed, and nobody waits to hear whether it is. */
    boolean mayTurnBack() {
        return !row.state().pivotPassed()
                && blueprint.steps().stream()
                        .filter(step -> step.role() == StepRole.PIVOT)
                        .flatMap(step -> entry(step, Direction.FORWARD).stream())
                        .noneMatch(each -> each.status() == StepStatus.STARTED || each.status() == StepStatus.WAITING);
    }

    /** Returns the progress after this entry was written, now. */
    Progress<C> with(StepEntry written) {
        List<JournalEntry> entries = new ArrayList<>(journal);
        @Nullable JournalEntry old = null;
        int place = entries.size();
        for (int i = 0; i < entries.size(); i++) {
            if (entries.get(i).step().equals(written.step()) && entries.get(i).direction() == written.direction()) {
                old = entries.get(i);
                place = i;
            }
        }
        JournalEntry entry = entry(written, old);
        if (old == null) {
            entries.add(entry);
        } else {
            entries.set(place, entry);
        }
        return new Progress<>(blueprint, row, entries);
    }

    /** Returns the progress of a saga that has passed its pivot now. */
    Progress<C> passingPivot() {
        SagaRow.State state = row.state();
        SagaRow.State passed = new SagaRow.State(
                state.status(), state.direction(), state.context(), state.revision(), true, state.failure());
        return new Progress<>(blueprint, new SagaRow(row.head(), passed, row.claim(), row.times()), journal);
    }

    private JournalEntry entry(StepEntry written, @Nullable JournalEntry old) {
        Instant now = row.times().readAt();
        int last = journal.stream().mapToInt(JournalEntry::seq).max().orElse(0);
        return new JournalEntry(
                written.step(),
                written.direction(),
                written.status(),
                old == null ? last + 1 : old.seq(),
                written.attempts(),
                written.commandId() != null || old == null ? written.commandId() : old.commandId(),
                written.error() != null || old == null ? written.error() : old.error(),
                now,
                written.status().finished() ? now : null);
    }
}

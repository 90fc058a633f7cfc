package dev.postrider.saga;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What became of a step in one direction.
 *
 * @param step the step
 * @param direction whether it was done or undone
 * @param status what became of it
 * @param seq its place in the journal: a step that was begun later has a larger number, and both directions count
 * @param attempts how often it was tried, the last time included
 * @param commandId the id of the command whose reply is awaited or came; null if there was none
 * @param error what went wrong last; null if nothing did
 * @param startedAt when it was last tried, by the database's clock
 * @param finishedAt when it was done or skipped; null if it is not
 */
public record JournalEntry(
        String step,
        Direction direction,
        StepStatus status,
        int seq,
        int attempts,
        @Nullable String commandId,
        @Nullable String error,
        Instant startedAt,
        @Nullable Instant finishedAt) {

    /** Refuses an entry that does not say what became of which step. */
    public JournalEntry {
        Objects.requireNonNull(step, "step");
        Objects.requireNonNull(direction, "direction");
        Objects.requireNonNull(status, "status");
        Objects.requireNonNull(startedAt, "startedAt");
    }
}

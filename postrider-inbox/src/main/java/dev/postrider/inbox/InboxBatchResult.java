package dev.postrider.inbox;

import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What became of the messages of a batch.
 *
 * @param entries one for each message, in the order in which they were given
 */
public record InboxBatchResult(List<Entry> entries) {

    /** What became of a message. */
    public enum Outcome {
        /** It was handled. */
        PROCESSED,
        /** It was handled before; nothing was done. */
        DUPLICATE,
        /** It is parked. */
        PARKED,
        /** It failed; do not acknowledge. */
        FAILED,
        /** An earlier message of its key failed, so that it was not tried; do not acknowledge. */
        HELD_BACK
    }

    /**
     * One message.
     *
     * @param failure why it failed, with {@link Outcome#FAILED} only
     */
    public record Entry(
            ReceivedMessage message,
            Outcome outcome,
            @Nullable InboxException failure) {

        /** Tells whether the message may be acknowledged. */
        public boolean acknowledged() {
            return outcome != Outcome.FAILED && outcome != Outcome.HELD_BACK;
        }
    }

    /** Keeps a copy of the entries. */
    public InboxBatchResult {
        entries = List.copyOf(entries);
    }

    /** Returns the place of the first message that must come again; empty if all may be acknowledged. */
    public OptionalInt firstUnacknowledged() {
        return IntStream.range(0, entries.size())
                .filter(i -> !entries.get(i).acknowledged())
                .findFirst();
    }
}

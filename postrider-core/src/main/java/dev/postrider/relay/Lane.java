package dev.postrider.relay;

import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.SeqRange;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The fetched messages of one key in one topic, in order. A lane with a holder sends nothing more: once the store knows
 * that the holder holds its key, every other message of the lane is put behind it. Guarded by {@link RelayState}.
 */
final class Lane {

    /** Order is kept inside one topic: a closed topic must not hold up the others. */
    record Key(String namespace, String topic, String key) {

        static Key of(ClaimedMessage claimed) {
            return new Key(
                    claimed.message().namespace(),
                    claimed.message().topic(),
                    claimed.message().key().orElseThrow());
        }

        // Asked for with every message: what the compiler generates for a record is slow until it is warm.
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Key that
                    && key.equals(that.key)
                    && topic.equals(that.topic)
                    && namespace.equals(that.namespace);
        }

        @Override
        public int hashCode() {
            return (key.hashCode() * 31 + topic.hashCode()) * 31 + namespace.hashCode();
        }
    }

    final Key key;
    final Deque<Flight> waiting = new ArrayDeque<>();
    boolean sending;
    int unsettled;

    // The message that failed or whose trial is being ended, and whether the store knows that it holds the key.
    @Nullable Long holder;

    boolean holderKnown;

    // How many messages of this lane are being put behind a message that is not in it, and behind which.
    int behind;

    @Nullable Long behindOf;

    // Messages that hold the key, or are being put behind another, and whose outcomes cannot be written for now. Later
    // rows are not kept in memory meanwhile.
    final TreeSet<Long> stalled = new TreeSet<>();
    private long missedAfter = Long.MAX_VALUE;
    private long missedTo;

    // A trial of this lane ended without an outcome, and the store does not know yet: its message is read again first.
    boolean trialEnding;

    Lane(Key key) {
        this.key = key;
    }

    /** Returns whether this message is the holder. */
    boolean isHeldBy(long seq) {
        return holder != null && holder == seq;
    }

    /** Returns whether this message has to wait for a later time to be fetched. */
    boolean isStalledFor(long seq) {
        return !stalled.isEmpty() && stalled.first() < seq;
    }

    /** A row of this lane is left out; it is read again once the lane is no longer stalled. */
    void miss(long seq) {
        missedAfter = Math.min(missedAfter, seq - 1);
        missedTo = Math.max(missedTo, seq);
    }

    /** Returns the range of the rows that were left out, and forgets it. */
    Optional<SeqRange> takeMissed() {
        if (missedAfter >= missedTo) {
            return Optional.empty();
        }
        SeqRange missed = new SeqRange(missedAfter, missedTo);
        missedAfter = Long.MAX_VALUE;
        missedTo = 0;
        return Optional.of(missed);
    }
}

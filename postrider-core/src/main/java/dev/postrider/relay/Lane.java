package dev.postrider.relay;

import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.Settlement;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The claimed messages of one key in one topic, in order. A blocked lane sends nothing more: every message in it goes
 * back to the store, and the lane ends when the store knows. Guarded by {@link RelayState}.
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
    Settlement.@Nullable Outcome blocked;

    Lane(Key key) {
        this.key = key;
    }
}

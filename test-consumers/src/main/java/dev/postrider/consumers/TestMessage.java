package dev.postrider.consumers;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A message of a producer that is not Postrider. Immutable.
 *
 * @param lane the part of the topic where the broker keeps an order, if the broker has parts
 * @param id as the broker usually carries it; null for a message without one
 */
public record TestMessage(
        int lane, @Nullable String key, @Nullable String id, String payload, Map<String, String> headers) {

    /** Copies the headers. */
    public TestMessage {
        headers = Map.copyOf(headers);
    }

    /** Returns a message whose id is its payload as well. */
    public static TestMessage of(int lane, String key, String id) {
        return new TestMessage(lane, key, id, id, Map.of());
    }

    /** Returns a message with neither key nor id. */
    public static TestMessage nameless(String payload) {
        return new TestMessage(0, null, null, payload, Map.of());
    }

    /** Returns messages m0, m1, ... over the lanes in turn, each with a key of its own. */
    public static List<TestMessage> numbered(int count, int lanes) {
        return IntStream.range(0, count)
                .mapToObj(i -> of(i % lanes, "key-" + i, "m" + i))
                .toList();
    }

    /** Returns the payloads of {@link #numbered}. */
    public static List<String> names(int count) {
        return IntStream.range(0, count).mapToObj(i -> "m" + i).toList();
    }

    /** Returns the message with one more header. */
    public TestMessage with(String name, String value) {
        Map<String, String> more = new HashMap<>(headers);
        more.put(name, value);
        return new TestMessage(lane, key, id, payload, more);
    }
}

package dev.postrider.testkit;

import dev.postrider.OutboxException;
import dev.postrider.admin.Decided;
import dev.postrider.admin.PausedTopic;
import dev.postrider.admin.RelayAdmin;
import dev.postrider.spi.RelayMode;
import dev.postrider.spi.TopicName;
import dev.postrider.spi.Wanted;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What operators want of relays and topics. Guarded by the store's lock. */
final class Control {

    private final Map<TopicName, Decided> topics = new TreeMap<>();
    private final Map<String, Order> ofRelays = new HashMap<>();
    private @Nullable Order ofAll;

    /** What somebody wants of relays. */
    private record Order(RelayMode mode, Decided decided) {}

    /** Returns what the audit trail calls a change to this mode. */
    static String action(RelayMode mode) {
        return (mode == RelayMode.RUN ? "RESUME" : mode.name()) + "_RELAY";
    }

    RelayMode mode(String relay) {
        Order order = ofRelays.getOrDefault(relay, ofAll);
        return order == null ? RelayMode.RUN : order.mode();
    }

    @Nullable Decided decided(String relay) {
        Order order = ofRelays.getOrDefault(relay, ofAll);
        return order == null ? null : order.decided();
    }

    Wanted wantedOf(String relay) {
        return new Wanted(mode(relay), topics.keySet());
    }

    boolean setMode(String relay, RelayMode mode, Decided decided) {
        if (mode(relay) == mode) {
            return false;
        }
        ofRelays.remove(relay);
        if (mode(relay) != mode) {
            ofRelays.put(relay, new Order(mode, decided));
        }
        return true;
    }

    /** Returns whether that is another will than before. */
    boolean setModeOfAll(RelayMode mode, Decided decided) {
        boolean news = !ofRelays.isEmpty() || (ofAll == null ? RelayMode.RUN : ofAll.mode()) != mode;
        ofRelays.clear();
        if (news) {
            ofAll = mode == RelayMode.RUN ? null : new Order(mode, decided);
        }
        return news;
    }

    boolean pause(TopicName topic, Decided decided) {
        if (topics.containsKey(topic)) {
            return false;
        }
        if (topics.size() >= RelayAdmin.MOST_PAUSED_TOPICS) {
            throw new OutboxException(
                    "%d topics are paused, and more cannot be: resume one first".formatted(topics.size()));
        }
        topics.put(topic, decided);
        return true;
    }

    boolean resume(TopicName topic) {
        return topics.remove(topic) != null;
    }

    List<PausedTopic> pausedTopics() {
        return topics.entrySet().stream()
                .map(each -> new PausedTopic(each.getKey(), each.getValue()))
                .toList();
    }

    void forget(String relay) {
        ofRelays.remove(relay);
    }
}

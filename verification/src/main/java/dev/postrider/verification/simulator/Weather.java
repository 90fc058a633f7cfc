package dev.postrider.verification.simulator;

import java.util.HashMap;
import java.util.Map;

/** How likely things go wrong just now; the nemesis makes it worse, healing makes it fine. Chances are in permille. */
final class Weather {

    int storeFails;
    int brokerFails;
    int brokerSilent;
    int publishThrows;
    private int usual;
    private long storeDownUntil;
    private long deadRefusedUntil;
    private final Map<String, Long> topicsDown = new HashMap<>();
    private final Map<Long, Long> locked = new HashMap<>();

    Weather(int usual) {
        this.usual = usual;
        calm();
    }

    void calm() {
        storeFails = usual;
        brokerFails = usual;
        brokerSilent = usual;
        publishThrows = usual / 2;
    }

    void heal() {
        usual = 0;
        calm();
        storeDownUntil = 0;
        deadRefusedUntil = 0;
        topicsDown.clear();
        locked.clear();
    }

    /** Until then another session holds the lock of this row. */
    void lock(long seq, long until) {
        locked.put(seq, until);
    }

    boolean isLocked(long seq, long now) {
        return locked.getOrDefault(seq, 0L) > now;
    }

    /** Whether rare mishaps happen at all. */
    boolean isRough() {
        return usual > 0;
    }

    void storeDown(long until) {
        storeDownUntil = until;
    }

    boolean isStoreDown(long now) {
        return storeDownUntil > now;
    }

    /** Until then the store takes everything but dead messages. */
    void refuseDead(long until) {
        deadRefusedUntil = until;
    }

    boolean isDeadRefused(long now) {
        return deadRefusedUntil > now;
    }

    void topicDown(String topic, long until) {
        topicsDown.put(topic, until);
    }

    boolean isTopicDown(String topic, long now) {
        return topicsDown.getOrDefault(topic, 0L) > now;
    }
}

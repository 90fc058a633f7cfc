package dev.postrider.testkit;

import dev.postrider.OutboxException;
import dev.postrider.admin.Decided;
import dev.postrider.admin.Decision;
import dev.postrider.admin.KnownRelay;
import dev.postrider.admin.PausedTopic;
import dev.postrider.admin.RelayAdmin;
import dev.postrider.admin.ShardOwner;
import dev.postrider.spi.RelayMode;
import dev.postrider.spi.TopicName;
import dev.postrider.spi.Wanted;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What operators see of relays and want of them. Thread-safe by the store's lock. */
final class Control implements RelayAdmin {

    private final Object lock;
    private final InstantSource clock;
    private final Wishes wishes;
    private final ShardOwners ownership;
    private final Operating operating;

    Control(Object lock, InstantSource clock, Wishes wishes, ShardOwners ownership, Operating operating) {
        this.lock = lock;
        this.clock = clock;
        this.wishes = wishes;
        this.ownership = ownership;
        this.operating = operating;
    }

    @Override
    public List<KnownRelay> relays(int limit) {
        synchronized (lock) {
            return ownership.known(limit, clock.instant());
        }
    }

    @Override
    public List<ShardOwner> shards() {
        synchronized (lock) {
            return ownership.shards(clock.instant());
        }
    }

    @Override
    public boolean setMode(String relay, RelayMode mode, Decision decision) {
        synchronized (lock) {
            Decided decided = new Decided(decision, clock.instant());
            return ownership.isAlive(relay, decided.at())
                    && wishes.setMode(relay, mode, decided)
                    && noted(action(mode), "relay " + relay, decided);
        }
    }

    @Override
    public int setModeOfAll(RelayMode mode, Decision decision) {
        synchronized (lock) {
            Decided decided = new Decided(decision, clock.instant());
            int changed = (int) ownership.known(Integer.MAX_VALUE, decided.at()).stream()
                    .filter(relay -> relay.alive() && relay.mode() != mode)
                    .count();
            if (wishes.setModeOfAll(mode, decided)) {
                noted(action(mode), "all relays", decided);
            }
            return changed;
        }
    }

    @Override
    public boolean pauseTopic(TopicName topic, Decision decision) {
        synchronized (lock) {
            Decided decided = new Decided(decision, clock.instant());
            return wishes.pause(topic, decided) && noted("PAUSE_TOPIC", "topic " + topic, decided);
        }
    }

    @Override
    public boolean resumeTopic(TopicName topic, Decision decision) {
        synchronized (lock) {
            Decided decided = new Decided(decision, clock.instant());
            return wishes.resume(topic) && noted("RESUME_TOPIC", "topic " + topic, decided);
        }
    }

    @Override
    public List<PausedTopic> pausedTopics() {
        synchronized (lock) {
            return wishes.pausedTopics();
        }
    }

    private static String action(RelayMode mode) {
        return (mode == RelayMode.RUN ? "RESUME" : mode.name()) + "_RELAY";
    }

    private boolean noted(String action, String detail, Decided decided) {
        operating.note(action, null, detail, decided);
        return true;
    }

    /** What operators want. Guarded by the store's lock. */
    static final class Wishes {

        private final Map<TopicName, Decided> topics = new TreeMap<>();
        private final Map<String, RelayMode> modes = new HashMap<>();
        private final Map<String, Decided> decisions = new HashMap<>();
        private RelayMode modeOfAll = RelayMode.RUN;
        private @Nullable Decided decidedOfAll;

        RelayMode mode(String relay) {
            return modes.getOrDefault(relay, modeOfAll);
        }

        @Nullable Decided decided(String relay) {
            return modes.containsKey(relay) ? Objects.requireNonNull(decisions.get(relay)) : decidedOfAll;
        }

        Wanted wantedOf(String relay) {
            return new Wanted(mode(relay), topics.keySet());
        }

        void forget(String relay) {
            modes.remove(relay);
            decisions.remove(relay);
        }

        private boolean setMode(String relay, RelayMode mode, Decided decided) {
            if (mode(relay) == mode) {
                return false;
            }
            forget(relay);
            if (modeOfAll != mode) {
                modes.put(relay, mode);
                decisions.put(relay, decided);
            }
            return true;
        }

        private boolean setModeOfAll(RelayMode mode, Decided decided) {
            boolean news = !modes.isEmpty() || modeOfAll != mode;
            modes.clear();
            decisions.clear();
            if (news) {
                modeOfAll = mode;
                decidedOfAll = mode == RelayMode.RUN ? null : decided;
            }
            return news;
        }

        private boolean pause(TopicName topic, Decided decided) {
            if (topics.containsKey(topic)) {
                return false;
            }
            if (topics.size() >= MOST_PAUSED_TOPICS) {
                throw new OutboxException(
                        "%d topics are paused, and more cannot be: resume one first".formatted(topics.size()));
            }
            topics.put(topic, decided);
            return true;
        }

        private boolean resume(TopicName topic) {
            return topics.remove(topic) != null;
        }

        private List<PausedTopic> pausedTopics() {
            return topics.entrySet().stream()
                    .map(each -> new PausedTopic(each.getKey(), each.getValue()))
                    .toList();
        }
    }
}

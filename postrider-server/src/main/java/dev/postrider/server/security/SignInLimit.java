package dev.postrider.server.security;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Counts failed sign-ins. Few are allowed for a name from one address, and more for a name or an address alone, so that
 * a stranger's failures hardly lock out a user. The memory is bounded: the entry that was used longest ago goes first.
 * Thread-safe.
 */
final class SignInLimit {

    static final int MOST_FAILURES = 10;
    static final int MOST_OF_ONE_SIDE = 100;
    static final int MOST_ENTRIES = 10_000;

    private static final Duration WINDOW = Duration.ofMinutes(1);

    private final Clock clock;

    @SuppressWarnings("serial")
    private final Map<String, FailedSignIns> failures = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, FailedSignIns> eldest) {
            return size() > MOST_ENTRIES;
        }
    };

    SignInLimit(Clock clock) {
        this.clock = clock;
    }

    /** Returns whether another attempt may be made from this address under this name. */
    synchronized boolean allows(String address, String name) {
        return count(pair(address, name)) < MOST_FAILURES
                && count("a:" + address) < MOST_OF_ONE_SIDE
                && count("n:" + name) < MOST_OF_ONE_SIDE;
    }

    /** Counts a failed attempt. */
    synchronized void failed(String address, String name) {
        add(pair(address, name));
        add("a:" + address);
        add("n:" + name);
    }

    private static String pair(String address, String name) {
        return "p:" + address + " " + name;
    }

    /** Returns how many entries are kept. */
    synchronized int size() {
        return failures.size();
    }

    private int count(String key) {
        FailedSignIns known = failures.get(key);
        return known == null || isOver(known) ? 0 : known.count();
    }

    private void add(String key) {
        FailedSignIns known = failures.get(key);
        failures.put(
                key,
                known == null || isOver(known)
                        ? new FailedSignIns(clock.instant(), 1)
                        : new FailedSignIns(known.since(), known.count() + 1));
    }

    private boolean isOver(FailedSignIns known) {
        return known.since().plus(WINDOW).isBefore(clock.instant());
    }

    private record FailedSignIns(Instant since, int count) {}
}

package dev.postrider.e2e;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What has arrived so far, in one order for all relays. Thread-safe. */
final class SinkLog {

    static final String END = " .";

    private final List<Arrival> arrivals = new ArrayList<>();
    private final Set<String> messages = new HashSet<>();

    /** Appends one message and stamps it, unless it is half a line of a relay that was killed. */
    synchronized void append(String relay, String line) {
        if (!line.endsWith(END)) {
            return;
        }
        String[] part = line.split(" ", -1);
        Arrival arrival = new Arrival(
                System.nanoTime(),
                relay,
                Long.parseLong(part[0]),
                Long.parseLong(part[1]),
                Integer.parseInt(part[2]),
                part[3],
                Integer.parseInt(part[4]));
        arrivals.add(arrival);
        messages.add(arrival.message());
    }

    synchronized List<Arrival> arrivals() {
        return List.copyOf(arrivals);
    }

    synchronized int size() {
        return arrivals.size();
    }

    /** Returns how many different messages have arrived. */
    synchronized int distinct() {
        return messages.size();
    }

    /** Returns what came in after the first {@code count} arrivals. */
    synchronized List<Arrival> after(int count) {
        return List.copyOf(arrivals.subList(count, arrivals.size()));
    }
}

package dev.postrider.server.dev;

import dev.postrider.all.Postrider;
import dev.postrider.relay.Relay;
import dev.postrider.relay.RelayListener;
import dev.postrider.retry.RetryPolicy;
import dev.postrider.spi.MessagePublisher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The relays of {@code dev}. Each has its own connections, so one can be killed beside the others. Thread-safe. */
final class DevRelays implements AutoCloseable {

    /** The most relays at a time. */
    static final int MOST = 4;

    private static final Logger log = LoggerFactory.getLogger(DevRelays.class);

    // A relay has five loops; each borrows a connection for one turn.
    private static final int CONNECTIONS = 5;
    private static final RetryPolicy RETRY =
            RetryPolicy.exponentialWithJitter(Duration.ofSeconds(1), Duration.ofSeconds(30), 10);
    private static final Duration STOP = Duration.ofSeconds(5);

    private final DevDatabase database;
    private final MessagePublisher publisher;
    private final List<RelayListener> listeners;
    private final List<LiveRelay> running = new ArrayList<>();
    private int started;

    private record LiveRelay(Relay relay, DevRelayPool pool) {}

    DevRelays(DevDatabase database, MessagePublisher publisher, List<RelayListener> listeners) {
        this.database = database;
        this.publisher = publisher;
        this.listeners = List.copyOf(listeners);
    }

    /** Starts one more relay and returns its name; empty if there are {@value #MOST}. */
    synchronized Optional<String> start() {
        if (running.size() >= MOST) {
            return Optional.empty();
        }
        started++;
        String name = "relay-" + started;
        DevRelayPool pool = database.relayPool(name, CONNECTIONS);
        var builder = Postrider.on(pool)
                .publisher(publisher)
                .build()
                .relay()
                .name(name)
                .retry(RETRY)
                .stopTimeout(STOP);
        listeners.forEach(builder::listener);
        Relay relay = builder.build().start();
        running.add(new LiveRelay(relay, pool));
        return Optional.of(relay.name());
    }

    /**
     * Cuts a relay off from the database and lets go of it, as if its process had died: its shards stay its own until
     * others find it silent, and what it had in flight is delivered again.
     *
     * @return whether there was such a relay
     */
    synchronized boolean kill(String name) {
        for (Iterator<LiveRelay> each = running.iterator(); each.hasNext(); ) {
            LiveRelay next = each.next();
            if (next.relay().name().equals(name)) {
                each.remove();
                next.pool().cut();
                bury(next);
                return true;
            }
        }
        return false;
    }

    // Its threads notice that the database is gone and end; nothing waits for them.
    private static void bury(LiveRelay killed) {
        Thread thread = new Thread(
                () -> {
                    killed.relay().close();
                    killed.pool().close();
                    log.info("Relay {} was killed", killed.relay().name());
                },
                "dev-kill-" + killed.relay().name());
        thread.setDaemon(true);
        thread.start();
    }

    synchronized List<Relay> all() {
        return running.stream().map(LiveRelay::relay).toList();
    }

    /** Looks for new messages at once. */
    void wake() {
        all().forEach(Relay::wake);
    }

    /** Stops all relays; each settles what is in flight and hands over. */
    @Override
    public synchronized void close() {
        running.forEach(each -> each.relay().close());
        running.forEach(each -> each.pool().close());
        running.clear();
    }
}

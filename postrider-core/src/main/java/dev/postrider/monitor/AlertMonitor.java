package dev.postrider.monitor;

import dev.postrider.admin.OutboxStats;
import dev.postrider.alert.Alert;
import dev.postrider.relay.RelayHealth;
import dev.postrider.relay.RelayListener;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.TopicName;
import dev.postrider.thread.SupervisedThread;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends an alert when a rule about an outbox or its relay is broken, and when that is over. As a listener of the relay
 * it learns of integrity failures and recovered claims at once. All other conditions are checked on a schedule between
 * {@link #start} and {@link #close}. Senders work on threads of their own. Thread-safe.
 *
 * <pre>{@code
 * AlertMonitor monitor = AlertMonitor.builder(admin::stats).sender(new LogAlertSender()).build();
 * Relay relay = Relay.builder(store, publisher).listener(monitor).build();
 * monitor.watch(relay::health).start();
 * }</pre>
 */
public final class AlertMonitor implements RelayListener, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(AlertMonitor.class);
    private static final Duration SHORTEST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LAST_WORDS = Duration.ofSeconds(2);

    private final String outbox;
    private final Supplier<OutboxStats> stats;
    private final Duration interval;
    private final RuleBook rules;
    private final List<AlertOutlet> outlets;
    private final BlockingQueue<Boolean> wakeUp = new ArrayBlockingQueue<>(1);
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final SupervisedThread thread;
    private volatile @Nullable Supplier<RelayHealth> relay;
    private boolean started;
    private boolean blind;

    /**
     * Counts of alerts, once for each sender, and of restarted threads.
     *
     * @param sent taken by the sender
     * @param failed not taken, after all attempts
     * @param dropped not even tried, because too many were waiting
     * @param restarts how often a thread of the monitor ended by an error and was started again
     */
    public record Counts(long sent, long failed, long dropped, long restarts) {}

    AlertMonitor(AlertMonitorBuilder builder) {
        this.outbox = builder.outbox;
        this.stats = builder.stats;
        this.interval = builder.interval;
        this.rules = new RuleBook(builder);
        this.thread = new SupervisedThread("outbox-alert-monitor-" + outbox, this::run);
        this.outlets = builder.senders.stream()
                .map(sender -> new AlertOutlet(sender, builder.retryPause))
                .toList();
    }

    /** Starts configuring a monitor; what it counts, usually {@code admin::stats}, is the only required part. */
    public static AlertMonitorBuilder builder(Supplier<OutboxStats> stats) {
        return new AlertMonitorBuilder(stats);
    }

    /** Watches the health of a relay, usually {@code relay::health}, for topics that cannot be reached. */
    public AlertMonitor watch(Supplier<RelayHealth> source) {
        relay = Objects.requireNonNull(source, "source");
        return this;
    }

    /** Starts to check and to send. */
    public synchronized AlertMonitor start() {
        if (started || stopped.getCount() == 0) {
            throw new IllegalStateException("The monitor of outbox '%s' was started before".formatted(outbox));
        }
        started = true;
        outlets.forEach(AlertOutlet::start);
        thread.start();
        return this;
    }

    /** Returns the counts since the start. */
    public Counts counts() {
        return outlets.stream()
                .map(AlertOutlet::counts)
                .reduce(
                        new Counts(0, 0, 0, thread.restarts()),
                        (a, b) -> new Counts(
                                a.sent + b.sent, a.failed + b.failed, a.dropped + b.dropped, a.restarts + b.restarts));
    }

    /** Stops checking, and gives the senders a bounded time for their queued alerts. */
    @Override
    public void close() {
        stopped.countDown();
        wakeUp.offer(true);
        outlets.forEach(outlet -> outlet.close(LAST_WORDS));
    }

    @Override
    public void settled(List<Settlement> outcomes) {
        if (rules.settled(outcomes)) {
            wakeUp.offer(true);
        }
    }

    @Override
    public void integrityFailed(ClaimedMessage defective) {
        send(rules.integrityFailed(defective));
    }

    @Override
    public void claimsRecovered(int messages) {
        send(rules.claimsRecovered(messages));
    }

    private void run() throws InterruptedException {
        // The first look is at once, also after an error in the middle of one.
        wakeUp.offer(true);
        // However many messages die, there is a pause between two looks.
        while (!stopped.await(SHORTEST_PAUSE.toNanos(), TimeUnit.NANOSECONDS)) {
            wakeUp.poll(interval.toNanos(), TimeUnit.NANOSECONDS);
            check();
        }
    }

    /** Checks all conditions once. */
    void check() {
        send(rules.read(new Readings(readStats(), readTopics())));
    }

    private @Nullable OutboxStats readStats() {
        try {
            OutboxStats seen = stats.get();
            blind = false;
            return seen;
        } catch (RuntimeException e) {
            if (!blind) {
                log.warn("The monitor of outbox '{}' cannot read it and goes on trying", outbox, e);
            }
            blind = true;
            return null;
        }
    }

    private @Nullable List<TopicName> readTopics() {
        Supplier<RelayHealth> source = relay;
        try {
            return source == null ? null : source.get().closedTopics();
        } catch (RuntimeException e) {
            // An unknown health ends no alert, and must not end the monitor.
            log.warn("The monitor of outbox '{}' cannot tell how its relay is", outbox, e);
            return null;
        }
    }

    // Called by the relay's threads too: nothing here waits.
    private void send(List<Alert> alerts) {
        alerts.forEach(alert -> outlets.forEach(outlet -> outlet.offer(alert)));
    }
}

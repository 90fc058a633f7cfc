package dev.postrider.console.live;

import dev.postrider.admin.ClosedTopic;
import dev.postrider.admin.OutboxStats;
import dev.postrider.console.ConsoleSource;
import dev.postrider.console.route.CappedCount;
import dev.postrider.console.route.ProblemCode;
import dev.postrider.console.route.Problems;
import dev.postrider.relay.Relay;
import dev.postrider.spi.TopicName;
import dev.postrider.thread.SupervisedThread;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Looks at one source again and again and keeps what it saw. Viewers are served from the last look, so a thousand of
 * them cost the database what one costs. Looks are a second apart while somebody watches, else five. Thread-safe.
 */
public final class Sampler implements AutoCloseable {

    private static final Duration WATCHED = Duration.ofSeconds(1);
    private static final Duration UNWATCHED = Duration.ofSeconds(5);
    private static final long FORGOTTEN_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(900);
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final double MILLIS = 1_000;
    private static final int MOST_BLOCKED = 1_000;

    private final ConsoleSource source;
    private final SupervisedThread thread;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Map<String, History> histories = Map.of(
            "15m", new History(5_000, 180),
            "1h", new History(20_000, 180),
            "24h", new History(300_000, 288));

    private final RateWindow enqueued = new RateWindow();
    private final RateWindow delivered = new RateWindow();
    private final RateWindow failed = new RateWindow();
    private final RateWindow ageing = new RateWindow();
    private final RelayTotals totals = new RelayTotals();
    private final RelayChanges changes = new RelayChanges();
    private final Map<TopicName, TopicWindow> topicWindows = new HashMap<>();
    private @Nullable SourceReader reader;
    private @Nullable Instant troubleSince;
    private @Nullable Instant noRelaySince;
    private volatile @Nullable Sample last;
    private volatile long askedNanos = System.nanoTime();

    /**
     * How fast the relays of this process send to a topic.
     *
     * @param outPerSecond messages delivered in a second; null before the second look
     * @param failedPerSecond attempts that failed in a second; null before the second look
     */
    public record TopicSpeed(
            @Nullable Double outPerSecond, @Nullable Double failedPerSecond) {}

    private record TopicWindow(RateWindow out, RateWindow failed) {

        TopicWindow() {
            this(new RateWindow(), new RateWindow());
        }
    }

    /** Looks at nothing yet. */
    public Sampler(ConsoleSource source) {
        this.source = source;
        this.thread = new SupervisedThread("console-sampler-" + source.name(), this::loop);
    }

    /** Begins to look. */
    public void start() {
        thread.start();
    }

    private void loop() throws InterruptedException {
        long wait = 0;
        while (!stopped.await(wait, TimeUnit.MILLISECONDS)) {
            look();
            boolean watched = System.nanoTime() - askedNanos < FORGOTTEN_NANOS;
            wait = (watched ? WATCHED : UNWATCHED).toMillis();
        }
    }

    /** Returns the last sample. Without a thread, or before its first look, looks now. */
    Sample sample() {
        askedNanos = System.nanoTime();
        Sample known = last;
        if (known != null && (thread.isAlive() || System.nanoTime() - known.nanos() < FRESH_NANOS)) {
            return known;
        }
        return look();
    }

    /** Returns the counts of the last look; null while the source cannot be read. */
    public @Nullable OutboxStats latestStats() {
        Sample sample = latest();
        return sample.trouble() == null ? sample.stats() : null;
    }

    /** Returns the topics that relays could not reach at the last look. */
    public List<ClosedTopic> closedTopics() {
        return latest().situation().closed();
    }

    // Alerts are no viewer: they do not make the looks more frequent.
    private Sample latest() {
        Sample known = last;
        return known == null ? look() : known;
    }

    /** Looks once. */
    synchronized Sample look() {
        long nanos = System.nanoTime();
        Instant now = Instant.now();
        Sample before = last;
        Sample next;
        try {
            if (reader == null) {
                reader = new SourceReader(source);
            }
            next = seen(reader.read(nanos), nanos, now);
            troubleSince = null;
        } catch (RuntimeException e) {
            boolean schema = Problems.of(e).code() == ProblemCode.SCHEMA_MISSING;
            troubleSince = troubleSince == null ? now : troubleSince;
            next = Sample.unread(
                    before,
                    schema ? Situation.Trouble.SCHEMA : Situation.Trouble.UNREACHABLE,
                    troubleSince,
                    nanos,
                    now);
        }
        last = next;
        addTopics(nanos);
        DelayBuckets delays = new DelayBuckets();
        source.figures().drainDelays(delays);
        for (History history : histories.values()) {
            history.add(now.toEpochMilli(), next.measured(), delays);
        }
        return next;
    }

    private void addTopics(long nanos) {
        source.figures().topics().forEach((topic, counts) -> {
            TopicWindow window = topicWindows.computeIfAbsent(topic, name -> new TopicWindow());
            window.out().add(nanos, counts.out());
            window.failed().add(nanos, counts.failed());
        });
    }

    /** Returns how fast topics are sent to; empty where no relay runs in this process. */
    public synchronized Map<TopicName, TopicSpeed> topicSpeeds() {
        Map<TopicName, TopicSpeed> speeds = new HashMap<>();
        topicWindows.forEach((topic, window) -> speeds.put(
                topic, new TopicSpeed(window.out().perSecond(), window.failed().perSecond())));
        return speeds;
    }

    private Sample seen(SourceReader.Reading reading, long nanos, Instant now) {
        OutboxStats stats = reading.stats();
        Set<String> here = source.relays().stream().map(Relay::name).collect(Collectors.toSet());
        SettledCounts total = totals.add(reading.relays(), source.figures(), here);
        enqueued.add(nanos, reading.lastSeq());
        delivered.add(nanos, total.out());
        failed.add(nanos, total.failed());
        // Ages fall in jumps; a window of ages that only grow tells that it does not get better.
        long oldest = stats.oldestPending().toMillis();
        Double falling = falling(nanos, oldest);
        noRelaySince = stats.relays() > 0 ? null : noRelaySince == null ? now : noRelaySince;
        Situation situation = new Situation(
                now, null, null, stats, reading.relays(), noRelaySince, reading.closed(), reading.paused(), falling);
        Measurement measured = new Measurement(enqueued.perSecond(), delivered.perSecond(), failed.perSecond(), oldest);
        return new Sample(nanos, situation, measured, reading, changes.add(reading.relays(), now));
    }

    private @Nullable Double falling(long nanos, long oldestMillis) {
        // The window takes totals that grow, so it is given the time that has become younger.
        ageing.add(nanos, TimeUnit.NANOSECONDS.toMillis(nanos) - oldestMillis);
        Double younger = ageing.perSecond();
        return younger == null ? null : (Double) (younger - MILLIS);
    }

    StatisticsView statistics(String window) {
        sample();
        long now = System.currentTimeMillis();
        History history = Objects.requireNonNull(histories.get(window));
        List<StatisticsView.TopicRate> topics = source.figures().topics().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(each -> new StatisticsView.TopicRate(
                        each.getKey().namespace(),
                        each.getKey().topic(),
                        each.getValue().out(),
                        each.getValue().failed()))
                .toList();
        synchronized (this) {
            return new StatisticsView(
                    history.stepMillis(), Instant.ofEpochMilli(history.fromMillis(now)), history.series(now), topics);
        }
    }

    OverviewView overview() {
        Sample sample = sample();
        return new OverviewView(
                sample.situation().now(),
                VerdictTable.of(sample.situation()),
                cards(sample),
                sample.reading() == null ? List.of() : sample.reading().groups(),
                sample.reading() == null ? List.of() : sample.reading().actions(),
                sample.changes());
    }

    private static OverviewView.@Nullable OverviewCards cards(Sample sample) {
        OutboxStats stats = sample.stats();
        if (stats == null) {
            return null;
        }
        return new OverviewView.OverviewCards(
                sample.measured().inPerSecond(),
                sample.measured().outPerSecond(),
                stats.oldestPending().toMillis(),
                CappedCount.of(stats.pending(), stats.cap()),
                CappedCount.of(stats.waiting(), stats.cap()),
                CappedCount.of(stats.dead(), stats.cap()),
                CappedCount.of(stats.blockedKeys(), MOST_BLOCKED),
                stats.relays(),
                stats.unownedShards());
    }

    /** Returns the sentence about the source. */
    public SourceVerdict verdict() {
        return VerdictTable.of(sample().situation());
    }

    /** Ends the thread. */
    @Override
    public void close() {
        stopped.countDown();
        thread.end(PATIENCE);
    }
}

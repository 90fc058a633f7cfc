package dev.postrider.safety;

import dev.postrider.KeyRing;
import dev.postrider.alert.AlertSender;
import dev.postrider.thread.SupervisedThread;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Catches dead messages that the database does not record: it saves them in a backup file from which they can be
 * restored, and if that fails too it sends an alert. A relay passes messages to it and never waits; one daemon thread,
 * started with the first message, does the work. May be shared by relays. Thread-safe.
 */
public final class SafetyNet implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(SafetyNet.class);
    private static final int MOST_AT_ONCE = 100;
    private static final Duration LAST_WORK = Duration.ofSeconds(10);

    private final List<Level> levels;
    private final BlockingQueue<DeadMessage> queue;
    private final Clock clock = Clock.systemUTC();
    private final Tally tally = new Tally();
    private final boolean mayKeepSecrets;
    private int pending;
    private final SupervisedThread thread = new SupervisedThread("outbox-safety-net", this::work);
    private boolean closed;

    private SafetyNet(Builder builder) {
        this.queue = new ArrayBlockingQueue<>(builder.queueSize);
        this.mayKeepSecrets = builder.directory == null || builder.keys != null || builder.decryptedAllowed;
        List<Level> configured = new ArrayList<>();
        if (builder.directory != null) {
            configured.add(new FileLevel(builder.logs(builder.directory), builder.keys, tally));
        }
        if (builder.sender != null) {
            configured.add(builder.alertFirst ? 0 : configured.size(), new AlertLevel(builder.sender, tally));
        }
        this.levels = List.copyOf(configured);
    }

    /** Starts configuring a net; it needs a backup directory or an alert sender. */
    public static Builder builder() {
        return new Builder();
    }

    /** Returns the counts of dead messages so far. */
    public SafetyNetCounts counts() {
        return tally.counts();
    }

    /** Returns how often the thread ended by an error and was started again. */
    public long restarts() {
        return thread.restarts();
    }

    /** Whether messages whose payload the database holds encrypted may be handed over. For relays. */
    public boolean mayKeepSecrets() {
        return mayKeepSecrets;
    }

    /** The time a message is given up at, where the database cannot tell. For relays. */
    public Instant now() {
        return clock.instant();
    }

    /** The database recorded dead messages. For relays. */
    public void recorded(long messages) {
        tally.database.addAndGet(messages);
    }

    /**
     * Takes a dead message that the database refused. Never waits; without room it goes to the log only. For relays.
     */
    public synchronized void save(DeadMessage dead) {
        if (closed || !queue.offer(dead)) {
            lost(dead, closed ? "the safety net is closed" : "the safety net is overrun");
            return;
        }
        pending++;
        thread.start();
    }

    /**
     * Waits until all messages taken so far are saved, alerted or logged as lost.
     *
     * @return false if the time is over first
     */
    public synchronized boolean awaitQuiet(Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        try {
            for (long left = timeout.toNanos(); pending > 0 && left > 0; left = deadline - System.nanoTime()) {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return pending == 0;
    }

    /** Takes no more messages, and gives the taken ones a bounded time. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        if (!awaitQuiet(LAST_WORK)) {
            log.error(
                    "The safety net was closed with {} dead messages in it; their rows are in the database",
                    queue.size());
        }
        thread.interrupt();
        thread.end(LAST_WORK);
    }

    private void work() throws InterruptedException {
        List<DeadMessage> taken = new ArrayList<>();
        try {
            while (true) {
                taken.add(queue.take());
                queue.drainTo(taken, MOST_AT_ONCE - 1);
                catchAll(taken);
                done(taken);
            }
        } catch (InterruptedException e) {
            ended(taken);
            throw e;
        } finally {
            lose(taken);
        }
    }

    // At the end each message that is still in the queue is counted as lost and logged.
    private synchronized void ended(List<DeadMessage> taken) {
        if (closed) {
            queue.drainTo(taken);
            levels.forEach(Level::close);
        }
    }

    // Messages in hand after an Error or at the end.
    private void lose(List<DeadMessage> taken) {
        taken.forEach(each -> lost(each, "the thread of the safety net ended"));
        done(taken);
    }

    private synchronized void done(List<DeadMessage> taken) {
        pending -= taken.size();
        taken.clear();
        notifyAll();
    }

    private void catchAll(List<DeadMessage> dead) {
        List<DeadMessage> left = List.copyOf(dead);
        for (Level level : levels) {
            if (!left.isEmpty()) {
                left = save(level, left);
            }
        }
        left.forEach(each -> lost(each, "no level of the safety net could take it"));
    }

    private List<DeadMessage> save(Level level, List<DeadMessage> dead) {
        try {
            return level.save(dead);
        } catch (RuntimeException | Error e) {
            tally.failed.addAndGet(dead.size());
            log.error("A level of the safety net failed", e);
            return dead;
        }
    }

    private void lost(DeadMessage dead, String why) {
        tally.lost.incrementAndGet();
        log.error(
                "Dead message {} is in no backup: {}. Its row is in the database, PENDING",
                DeadMessageText.of(dead),
                why);
    }

    /** Collects the parts of a {@link SafetyNet}. Not thread-safe. */
    public static final class Builder {

        private static final long MEBIBYTE = 1024L * 1024;

        private @Nullable Path directory;
        private @Nullable AlertSender sender;

        private @Nullable KeyRing keys;

        private boolean alertFirst;
        private boolean decryptedAllowed;
        private int queueSize = 10_000;
        private long maxFileBytes = 64 * MEBIBYTE;
        private long maxTotalBytes = 1024 * MEBIBYTE;

        private Builder() {}

        /** Sets where backup files are written; best on another disk than the database's. Default: none are. */
        public Builder backup(Path value) {
            this.directory = Objects.requireNonNull(value, "backup");
            return this;
        }

        /** Sets the sender of alerts for messages without a backup. Default: none. */
        public Builder alert(AlertSender value) {
            this.sender = Objects.requireNonNull(value, "alert");
            return this;
        }

        /** Sends the alert first, and saves in the file only what it could not be sent for. Default: the file first. */
        public Builder alertFirst() {
            this.alertFirst = true;
            return this;
        }

        /**
         * Encrypts every record of the backup with the current key of the ring; its keys have exactly 32 bytes.
         * Default: the files hold payloads as they were enqueued.
         */
        public Builder encryptWith(KeyRing ring) {
            for (String id : ring.ids()) {
                int length = ring.key(id).orElseThrow().getEncoded().length;
                if (length != KeyRing.SECRET_BYTES) {
                    throw new IllegalArgumentException("Key '%s' must have %d bytes to encrypt with but has %d"
                            .formatted(id, KeyRing.SECRET_BYTES, length));
                }
            }
            this.keys = ring;
            return this;
        }

        /**
         * Lets the files hold in the clear what the database holds encrypted. Default: a relay whose store decrypts
         * refuses a net that does not encrypt.
         */
        public Builder backupDecryptedPayloads() {
            this.decryptedAllowed = true;
            return this;
        }

        /** How many messages may wait for the net's thread. Default 10,000. */
        public Builder queueSize(int messages) {
            this.queueSize = (int) atLeast("queueSize", 1, messages);
            return this;
        }

        /** How large a backup file becomes before the next one is begun. Default 64 MiB, at least 1 KiB. */
        public Builder maxFileBytes(long bytes) {
            this.maxFileBytes = atLeast("maxFileBytes", 1024, bytes);
            return this;
        }

        /**
         * How much all backup files in the directory may hold. Nothing is ever deleted: at the limit the file level
         * fails and the next one is used. Default 1 GiB, at least 1 KiB.
         */
        public Builder maxTotalBytes(long bytes) {
            this.maxTotalBytes = atLeast("maxTotalBytes", 1024, bytes);
            return this;
        }

        /**
         * Builds the net; nothing is started yet. It makes the backup directory and writes a file into it, which is
         * then removed.
         *
         * @throws IllegalArgumentException if there is neither a backup nor an alert, or the backup directory cannot be
         *     written
         */
        public SafetyNet build() {
            if (directory == null && sender == null) {
                throw new IllegalArgumentException("A safety net needs a backup directory, an alert sender, or both");
            }
            if (directory != null) {
                new BackupDirectory(directory).requireWritable();
            }
            return new SafetyNet(this);
        }

        private Function<String, BackupLog> logs(Path where) {
            long fileBytes = maxFileBytes;
            long totalBytes = maxTotalBytes;
            return relay -> new BackupLog(where, relay, fileBytes, totalBytes);
        }

        private static long atLeast(String option, long least, long value) {
            if (value < least) {
                throw new IllegalArgumentException("%s must be at least %d but was %d".formatted(option, least, value));
            }
            return value;
        }
    }
}

package dev.postrider.benchmarks.contenders;

import com.gruelbox.transactionoutbox.Dialect;
import com.gruelbox.transactionoutbox.Instantiator;
import com.gruelbox.transactionoutbox.Persistor;
import com.gruelbox.transactionoutbox.TransactionManager;
import com.gruelbox.transactionoutbox.TransactionOutbox;
import com.gruelbox.transactionoutbox.TransactionOutboxEntry;
import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.benchmarks.contest.arena.Arena;
import dev.postrider.benchmarks.contest.arena.Cargo;
import dev.postrider.benchmarks.contest.arena.Contender;
import dev.postrider.benchmarks.contest.arena.Sink;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * gruelbox transaction-outbox: messages go from the commit straight to a thread of the same process, and whatever did
 * not make it is flushed when it is due again.
 */
final class Gruelbox implements Contender {

    private static final Logger log = LoggerFactory.getLogger(Gruelbox.class);
    private static final int THREADS = 16;
    private static final int QUEUE = 4_096;
    private static final Duration ATTEMPT_FREQUENCY = Duration.ofMinutes(2);
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Arena arena;
    private final HikariDataSource pool;
    private final TransactionManager transactions;
    private final TransactionOutbox outbox;
    private volatile @Nullable ExecutorService executor;
    private @Nullable Thread flusher;

    Gruelbox(Arena arena) {
        this.arena = arena;
        this.pool = arena.pool(THREADS + 8);
        this.transactions = TransactionManager.fromDataSource(pool);
        this.outbox = TransactionOutbox.builder()
                .transactionManager(transactions)
                .persistor(Persistor.forDialect(Dialect.POSTGRESQL_9))
                .instantiator(Instantiator.using(type -> new Courier(arena.sink())))
                .submitter(this::submit)
                .clockProvider(this::clock)
                .attemptFrequency(ATTEMPT_FREQUENCY)
                .flushBatchSize(1_000)
                .serializeMdc(false)
                .initializeImmediately(false)
                .build();
    }

    @Override
    public Map<String, String> settings() {
        return Map.of(
                "version", "4.2.268 (2022), the newest that could be resolved; ordered topics came later",
                "threads", "16",
                "pool", "24",
                "flush", "1000 rows, in a loop",
                "hand-over", "in the process, after the commit",
                "rows", "deleted");
    }

    @Override
    public void install() {
        outbox.initialize();
    }

    @Override
    public void transaction(Work work) throws Exception {
        transactions.inTransactionThrows(transaction -> work.in(new Joined(transaction.connection())));
    }

    @Override
    public void start() {
        executor = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                0,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(QUEUE),
                new ThreadPoolExecutor.CallerRunsPolicy());
        flusher = new Thread(this::flush, "gruelbox-flush");
        flusher.start();
    }

    @Override
    public void stop() throws InterruptedException {
        ExecutorService delivering = executor;
        if (delivering != null && flusher != null) {
            executor = null;
            LockSupport.unpark(flusher);
            flusher.join();
            delivering.shutdown();
            if (!delivering.awaitTermination(1, TimeUnit.MINUTES)) {
                throw new IllegalStateException("Could not stop delivering");
            }
        }
    }

    @Override
    public boolean settled() throws SQLException {
        return arena.query("select count(*) from (select 1 from txno_outbox where not processed limit 1) waiting")
                .equals("0");
    }

    @Override
    public void close() {
        pool.close();
    }

    private void submit(TransactionOutboxEntry entry, Consumer<TransactionOutboxEntry> delivery) {
        ExecutorService delivering = executor;
        if (delivering != null) {
            delivering.execute(() -> delivery.accept(entry));
        }
    }

    // A row that nobody takes over after the commit is due only after the attempt frequency. While nothing is
    // delivered it is written as long ago, so that a drain need not wait for that, nor change every row before.
    private Clock clock() {
        Clock now = Clock.systemUTC();
        return executor == null ? Clock.offset(now, ATTEMPT_FREQUENCY.multipliedBy(-2)) : now;
    }

    private void flush() {
        while (executor != null) {
            try {
                if (!outbox.flush()) {
                    LockSupport.parkNanos(IDLE_NANOS);
                }
            } catch (RuntimeException e) {
                log.warn("Could not flush", e);
                LockSupport.parkNanos(IDLE_NANOS);
            }
        }
    }

    /** What a message is to this peer: a call. */
    interface Delivery {

        void deliver(String key, String payload) throws Exception;
    }

    private record Courier(Sink sink) implements Delivery {

        @Override
        public void deliver(String key, String payload) throws Exception {
            sink.take(key, Cargo.bytes(payload));
        }
    }

    private final class Joined implements Transaction {

        private final Connection connection;

        private Joined(Connection connection) {
            this.connection = connection;
        }

        @Override
        public void order(int number) throws SQLException {
            Arena.order(connection, number);
        }

        @Override
        public void enqueue(int number, String key, String payload) throws Exception {
            outbox.schedule(Delivery.class).deliver(key, payload);
        }
    }
}

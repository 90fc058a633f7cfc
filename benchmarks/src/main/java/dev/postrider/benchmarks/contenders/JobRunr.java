package dev.postrider.benchmarks.contenders;

import static org.jobrunr.server.BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration;

import dev.postrider.benchmarks.contest.arena.Arena;
import dev.postrider.benchmarks.contest.arena.Cargo;
import dev.postrider.benchmarks.contest.arena.Sink;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jobrunr.configuration.JobRunrConfiguration;
import org.jobrunr.scheduling.JobScheduler;
import org.jobrunr.server.BackgroundJobServer;
import org.jobrunr.storage.StorageProvider;
import org.jobrunr.storage.sql.common.SqlStorageProviderFactory;
import org.jspecify.annotations.Nullable;

/**
 * JobRunr: every message is a job. Without its paid edition a job is not part of the caller's transaction; it is
 * enqueued when that has been committed, and a crash in between loses it.
 */
final class JobRunr extends PlainTransactions {

    private static final int WORKERS = 16;
    private static final Duration POLL = Duration.ofSeconds(5);
    private static final ThreadLocal<List<Message>> MESSAGES = ThreadLocal.withInitial(ArrayList::new);

    private @Nullable StorageProvider storage;
    private @Nullable JobScheduler scheduler;
    private @Nullable BackgroundJobServer server;

    JobRunr(Arena arena) {
        super(arena, WORKERS + 8);
    }

    @Override
    public Map<String, String> settings() {
        return Map.of(
                "version", "8.7.0, free edition",
                "workers", "16",
                "pool", "24",
                "polling", "5 s, the shortest it allows",
                "enqueue", "after the commit of the transaction, not in it",
                "rows", "kept");
    }

    @Override
    public void install() {
        storage = SqlStorageProviderFactory.using(pool);
        scheduler = configuration(storage).initialize().getJobScheduler();
    }

    @Override
    protected void enqueue(Connection connection, int number, String key, String payload) {
        MESSAGES.get().add(new Message(key, payload));
    }

    @Override
    protected void committed() {
        List<Message> committed = MESSAGES.get();
        MESSAGES.remove();
        if (scheduler == null || committed.isEmpty()) {
            return;
        }
        if (committed.size() == 1) {
            String key = committed.get(0).key();
            String payload = committed.get(0).payload();
            scheduler.<Courier>enqueue(courier -> courier.deliver(key, payload));
        } else {
            scheduler.<Courier, Message>enqueue(
                    committed.stream(), (courier, message) -> courier.deliver(message.key(), message.payload()));
        }
    }

    @Override
    public void start() {
        if (storage != null) {
            configuration(storage)
                    .useBackgroundJobServer(usingStandardBackgroundJobServerConfiguration()
                            .andWorkerCount(WORKERS)
                            .andPollInterval(POLL))
                    .initialize();
            server = org.jobrunr.configuration.JobRunr.getBackgroundJobServer();
        }
    }

    private JobRunrConfiguration configuration(StorageProvider provider) {
        return org.jobrunr.configuration.JobRunr.configure()
                .useJobActivator(this::activate)
                .useStorageProvider(provider);
    }

    private <T> T activate(Class<T> type) {
        return type.cast(new Courier(arena.sink()));
    }

    @Override
    public void stop() {
        if (server != null) {
            server.stop();
            server = null;
        }
    }

    @Override
    public boolean settled() throws SQLException {
        return arena.query("select count(*) from (select 1 from jobrunr_jobs"
                        + " where state in ('ENQUEUED', 'PROCESSING') limit 1) waiting")
                .equals("0");
    }

    /** What a job calls. */
    public static final class Courier {

        private final Sink sink;

        Courier(Sink sink) {
            this.sink = sink;
        }

        public void deliver(String key, String payload) throws Exception {
            sink.take(key, Cargo.bytes(payload));
        }
    }

    /** What the committed transaction wants to have delivered. */
    public record Message(String key, String payload) {}
}

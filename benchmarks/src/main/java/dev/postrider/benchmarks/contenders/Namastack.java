package dev.postrider.benchmarks.contenders;

import dev.postrider.benchmarks.contest.arena.Arena;
import dev.postrider.benchmarks.contest.arena.Cargo;
import dev.postrider.benchmarks.contest.arena.Sink;
import io.namastack.outbox.Outbox;
import io.namastack.outbox.OutboxRecord;
import io.namastack.outbox.annotation.OutboxHandler;
import io.namastack.outbox.handler.OutboxRecordMetadata;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Namastack Outbox with the settings of its guide to performance: order per key, delivered records deleted. */
final class Namastack extends SpringTransactions {

    private static final int THREADS = 30;
    private static final String SCHEDULING = "io.namastack.outbox.config.OutboxCoreSchedulingAutoConfiguration";

    // The queue of the executor has no bound, so that only the core size counts.
    private static final Map<String, String> TUNING = Map.of(
            "namastack.outbox.polling.trigger", "fixed",
            "namastack.outbox.polling.fixed.interval", "25ms",
            "namastack.outbox.polling.batch-size", "800",
            "namastack.outbox.processing.executor-core-pool-size", Integer.toString(THREADS),
            "namastack.outbox.processing.executor-max-pool-size", Integer.toString(THREADS),
            "namastack.outbox.processing.delete-completed-records", "true",
            "namastack.outbox.multicaster.enabled", "false");

    Namastack(Arena arena) {
        super(arena, Application.class, THREADS + PRODUCERS);
    }

    @Override
    public Map<String, String> settings() {
        Map<String, String> settings = new TreeMap<>();
        TUNING.forEach((name, value) -> settings.put(name.substring("namastack.outbox.".length()), value));
        settings.put("version", Jar.of(OutboxRecord.class));
        settings.put("boot", SpringBootVersion.getVersion());
        settings.put("pool", Integer.toString(THREADS + PRODUCERS));
        settings.put("threads", "platform");
        return settings;
    }

    @Override
    protected Map<String, String> properties(boolean delivering) {
        return TUNING;
    }

    // Without its scheduling it writes records and leaves them alone.
    @Override
    protected List<String> excluded(boolean delivering) {
        List<String> excluded = new ArrayList<>(Modulith.AUTO_CONFIGURATIONS);
        if (!delivering) {
            excluded.add(SCHEDULING);
        }
        return excluded;
    }

    @Override
    protected Enqueue enqueue(ConfigurableApplicationContext context) {
        Outbox outbox = context.getBean(Outbox.class);
        return (key, payload) -> outbox.schedule(new OrderPlaced(payload), key);
    }

    @Override
    public boolean settled() throws SQLException {
        return empty("outbox_record");
    }

    record OrderPlaced(String payload) {}

    /** The application around the outbox. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        Handler handler(Sink sink) {
            return new Handler(sink);
        }
    }

    /** The application's handler of the message. */
    static final class Handler {

        private final Sink sink;

        Handler(Sink sink) {
            this.sink = sink;
        }

        @OutboxHandler
        public void handle(OrderPlaced event, OutboxRecordMetadata metadata) throws Exception {
            sink.take(metadata.getKey(), Cargo.bytes(event.payload()));
        }
    }
}

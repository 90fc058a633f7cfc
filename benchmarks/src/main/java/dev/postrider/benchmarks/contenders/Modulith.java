package dev.postrider.benchmarks.contenders;

import dev.postrider.benchmarks.contest.arena.Arena;
import dev.postrider.benchmarks.contest.arena.Cargo;
import dev.postrider.benchmarks.contest.arena.Sink;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.TaskExecutor;
import org.springframework.modulith.events.IncompleteEventPublications;
import org.springframework.scheduling.annotation.Async;
import org.springframework.transaction.event.TransactionalEventListener;
import tools.jackson.databind.json.JsonMapper;

/**
 * The event publication registry of Spring Modulith: a row for each event and listener, and the listener called after
 * the commit. It tries nothing again by itself; what is left over is submitted again once, at the start.
 */
final class Modulith extends SpringTransactions {

    /** What the others must leave out. */
    static final List<String> AUTO_CONFIGURATIONS = List.of(
            "org.springframework.modulith.core.config.ApplicationModuleInitializerRuntimeVerification",
            "org.springframework.modulith.events.config.EventExternalizationAutoConfiguration",
            "org.springframework.modulith.events.config.EventPublicationAutoConfiguration",
            "org.springframework.modulith.events.jackson.JacksonEventSerializationConfiguration",
            "org.springframework.modulith.events.jackson2.Jackson2EventSerializationConfiguration",
            "org.springframework.modulith.events.jdbc.JdbcEventPublicationAutoConfiguration",
            "org.springframework.modulith.moments.autoconfigure.MomentsAutoConfiguration",
            "org.springframework.modulith.moments.autoconfigure.MomentsJacksonAutoConfiguration");

    private static final int THREADS = 30;
    private static final String IDLE = "contest.idle";

    // The queue of the executor has no bound, so that only the core size counts.
    private static final Map<String, String> TUNING = Map.of(
            "spring.modulith.events.completion-mode",
            "delete",
            "spring.task.execution.pool.core-size",
            Integer.toString(THREADS));

    private volatile boolean resubmitting;
    private @Nullable Thread resubmission;

    Modulith(Arena arena) {
        super(arena, Application.class, THREADS + PRODUCERS);
    }

    @Override
    public Map<String, String> settings() {
        Map<String, String> settings = new TreeMap<>(TUNING);
        settings.put("version", Jar.of(IncompleteEventPublications.class));
        settings.put("boot", SpringBootVersion.getVersion());
        settings.put("pool", Integer.toString(THREADS + PRODUCERS));
        settings.put("threads", "platform");
        settings.put("listener", "async without a transaction of its own");
        settings.put("drain", "incomplete publications resubmitted by one thread");
        return settings;
    }

    @Override
    protected Map<String, String> properties(boolean delivering) {
        Map<String, String> properties = new TreeMap<>(TUNING);
        properties.put("spring.modulith.events.jdbc.schema-initialization.enabled", "true");
        properties.put("namastack.outbox.enabled", "false");
        properties.put(IDLE, Boolean.toString(!delivering));
        return properties;
    }

    @Override
    protected List<String> excluded(boolean delivering) {
        return List.of();
    }

    @Override
    protected Enqueue enqueue(ConfigurableApplicationContext context) {
        return (key, payload) -> context.publishEvent(new OrderPlaced(key, payload));
    }

    @Override
    protected void delivering(ConfigurableApplicationContext context) {
        IncompleteEventPublications publications = context.getBean(IncompleteEventPublications.class);
        resubmitting = true;
        resubmission = new Thread(
                () -> publications.resubmitIncompletePublications(publication -> resubmitting), "resubmission");
        resubmission.start();
    }

    @Override
    public void stop() throws Exception {
        resubmitting = false;
        if (resubmission != null) {
            resubmission.join();
        }
        super.stop();
    }

    @Override
    public boolean settled() throws SQLException {
        return empty("EVENT_PUBLICATION");
    }

    record OrderPlaced(String key, String payload) {}

    /** The application around the registry. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        Listener listener(Sink sink) {
            return new Listener(sink);
        }

        /** What the Jackson starter gives an application; without it a new mapper is built for every event. */
        @Bean
        JsonMapper jsonMapper() {
            return JsonMapper.builder().build();
        }

        /** Forgets every call, as a crash between commit and delivery does. */
        @Bean
        @ConditionalOnProperty(IDLE)
        TaskExecutor applicationTaskExecutor() {
            return task -> {};
        }
    }

    /** The application's listener: an application module listener without the transaction it does not need. */
    static class Listener {

        private final Sink sink;

        Listener(Sink sink) {
            this.sink = sink;
        }

        @Async
        @TransactionalEventListener
        public void on(OrderPlaced event) throws Exception {
            sink.take(event.key(), Cargo.bytes(event.payload()));
        }
    }
}

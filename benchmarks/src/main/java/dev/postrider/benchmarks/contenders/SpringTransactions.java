package dev.postrider.benchmarks.contenders;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.benchmarks.contest.arena.Arena;
import dev.postrider.benchmarks.contest.arena.Contender;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Business transactions of a Spring Boot application, for contenders that are part of one. Starting and stopping is a
 * restart of the application, on the same pool.
 */
abstract class SpringTransactions implements Contender {

    /** How many connections the producers get on top of those the delivering threads need. */
    protected static final int PRODUCERS = 10;

    private static final String LOGGING = "org.springframework.boot.logging.LoggingSystem";

    protected final Arena arena;
    private final Class<?> configuration;
    private final HikariDataSource pool;
    private @Nullable Application application;
    private boolean delivering;

    SpringTransactions(Arena arena, Class<?> configuration, int poolSize) {
        // Boot would look for the logging library it is usually delivered with.
        System.setProperty(LOGGING, "none");
        this.arena = arena;
        this.configuration = configuration;
        this.pool = arena.pool(poolSize);
    }

    /** The properties of an application that delivers, or of one that only enqueues. */
    protected abstract Map<String, String> properties(boolean delivering);

    /** The auto-configurations on the class path that this application must not have. */
    protected abstract List<String> excluded(boolean delivering);

    /** Returns the way to enqueue in a transaction of the application. */
    protected abstract Enqueue enqueue(ConfigurableApplicationContext context);

    /** Called when an application that delivers is up. */
    protected void delivering(ConfigurableApplicationContext context) {}

    @Override
    public void install() throws Exception {
        run(false);
    }

    @Override
    public void start() throws Exception {
        ConfigurableApplicationContext context = run(true);
        delivering(context);
    }

    @Override
    public void stop() throws Exception {
        if (delivering) {
            run(false);
        }
    }

    @Override
    public final void transaction(Work work) {
        Application current = application;
        if (current == null) {
            throw new IllegalStateException("install comes first");
        }
        current.transactions.executeWithoutResult(status -> {
            try {
                work.in(current);
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException("The transaction failed", e);
            }
        });
    }

    @Override
    public void close() {
        end();
        pool.close();
    }

    /** Whether a table has no row. */
    protected final boolean empty(String table) throws SQLException {
        return arena.query("select count(*) from (select 1 from %s limit 1) r".formatted(table))
                .equals("0");
    }

    private ConfigurableApplicationContext run(boolean deliver) {
        end();
        Map<String, Object> properties = new HashMap<>(properties(deliver));
        properties.put("spring.autoconfigure.exclude", String.join(",", excluded(deliver)));
        SpringApplication boot = new SpringApplication(configuration);
        boot.setWebApplicationType(WebApplicationType.NONE);
        boot.setBannerMode(Banner.Mode.OFF);
        boot.setRegisterShutdownHook(false);
        boot.setDefaultProperties(properties);
        boot.addInitializers(context -> {
            context.getBeanFactory().registerSingleton("dataSource", pool);
            context.getBeanFactory().registerSingleton("sink", arena.sink());
        });
        ConfigurableApplicationContext context = boot.run();
        application = new Application(
                context,
                new TransactionTemplate(context.getBean(PlatformTransactionManager.class)),
                context.getBean(JdbcTemplate.class),
                enqueue(context));
        delivering = deliver;
        return context;
    }

    private void end() {
        if (application != null) {
            application.context.close();
            application = null;
        }
    }

    /** Writes a message in the transaction of the calling thread. */
    @FunctionalInterface
    protected interface Enqueue {

        void message(String key, String payload);
    }

    private record Application(
            ConfigurableApplicationContext context,
            TransactionTemplate transactions,
            JdbcTemplate jdbc,
            Enqueue enqueue)
            implements Transaction {

        @Override
        public void order(int number) {
            jdbc.update(Arena.ORDER, Arena.customer(number), Arena.amount(number), "note");
        }

        @Override
        public void enqueue(int number, String key, String payload) {
            enqueue.message(key, payload);
        }
    }
}

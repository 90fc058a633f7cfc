package dev.postrider.saga;

import dev.postrider.OutboxException;
import dev.postrider.database.FrameworkTransaction;
import dev.postrider.database.TableNames;
import dev.postrider.inbox.ReceivedHandler;
import dev.postrider.jdbc.JdbcOutbox;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Runs sagas. Those that execute in one transaction run on the caller's thread; those that were started run on threads
 * of the engine between {@link #start} and {@link #close}, on this process or on any other with the same tables and
 * definitions. Thread-safe.
 */
public final class SagaEngine implements AutoCloseable {

    private final EngineParts parts;
    private final Map<SagaVersion, Blueprint<?>> blueprints;
    private final SagaRunner runner;
    private boolean registered;

    private SagaEngine(Builder builder) {
        this.parts = new EngineParts(
                new SagaStore(builder.dataSource, builder.names, builder.framework),
                builder.outbox,
                new QuietListener(builder.listener));
        this.blueprints = Map.copyOf(builder.blueprints);
        this.runner = new SagaRunner(
                parts,
                blueprints,
                new RunnerSettings(
                        builder.name,
                        builder.threads,
                        builder.batch,
                        builder.claimFor,
                        builder.pollInterval,
                        builder.patience));
    }

    /** Starts configuring an engine; it runs the sagas whose definitions are registered. */
    public static Builder builder(DataSource dataSource) {
        return new Builder(dataSource);
    }

    /** Returns the instances of a saga with local steps only. */
    public <C> LocalSaga<C> saga(LocalSagaDefinition<C> definition) {
        return new LocalSaga<>(parts, known(definition.blueprint()), durable(definition.blueprint()));
    }

    /** Returns the instances of a saga that runs step by step. */
    public <C> DurableSaga<C> saga(DurableSagaDefinition<C> definition) {
        return durable(known(definition.blueprint()));
    }

    /**
     * Starts running sagas that are due.
     *
     * @throws OutboxException if a version is stored with another structure
     */
    public SagaEngine start() {
        register();
        runner.start();
        return this;
    }

    /** Runs what is due now on the calling thread, and returns how many sagas that were; for tests. */
    public int turn() {
        register();
        return runner.turn();
    }

    /**
     * Brings a reply to the step that waits for it, in the transaction that is open on {@code connection}: best that of
     * an inbox, which handles each message once.
     *
     * @return false if nobody waits for it (any more); that is noted, and the message is dealt with
     */
    public boolean onReply(Connection connection, Reply reply) {
        register();
        try {
            return new Replies(parts, blueprints).accept(connection, reply);
        } catch (SQLException e) {
            throw new SagaException(
                    "Could not bring the reply to command %s to its saga".formatted(reply.commandId()), e);
        }
    }

    /**
     * Returns what a consumer does about messages that are replies, inside an inbox; see {@link #onReply}.
     *
     * @throws IllegalArgumentException when it gets a message that is no reply
     */
    public ReceivedHandler replies() {
        return (message, transaction) -> onReply(
                transaction.connection(), Reply.of(message.type().orElse(""), message.headers(), message.payload()));
    }

    /** Tells whether no saga of this version is left to run, so that it need not be registered any more. */
    public boolean drained(String saga, int version) {
        return !parts.store().unfinished().containsKey(new SagaVersion(saga, version));
    }

    /**
     * Returns the versions that have unfinished sagas but no worker here, such as {@code place-order v2}, and how many.
     */
    public Map<String, Long> withoutWorker() {
        Map<String, Long> without = new LinkedHashMap<>();
        parts.store().unfinished().forEach((version, sagas) -> {
            if (!blueprints.containsKey(version)) {
                without.put(version.toString(), sagas);
            }
        });
        return without;
    }

    /** Returns how often a thread of the engine ended by an error and was started again; for alerts. */
    public long restarts() {
        return runner.restarts();
    }

    /**
     * Lets the steps that are under way come to their end, and stops. A step that takes longer than 10 seconds is
     * interrupted, which does not count as an attempt. Sagas go on elsewhere or after the next start.
     */
    @Override
    public void close() {
        runner.close();
    }

    private synchronized void register() {
        if (!registered) {
            blueprints.forEach((version, blueprint) ->
                    parts.store().register(version, StructureHash.of(blueprint), StructureHash.graph(blueprint)));
            registered = true;
        }
    }

    private <C> Blueprint<C> known(Blueprint<C> blueprint) {
        if (!blueprints.containsKey(blueprint.id())) {
            throw new IllegalArgumentException(
                    "Saga %s is not registered with this engine: call register(definition) on its builder"
                            .formatted(blueprint.id()));
        }
        register();
        return blueprint;
    }

    private <C> DurableSaga<C> durable(Blueprint<C> blueprint) {
        return new DurableSaga<>(parts, blueprint, runner::wake);
    }

    /** Collects the parts of a {@link SagaEngine}. Not thread-safe. */
    public static final class Builder {

        private final DataSource dataSource;
        private final Map<SagaVersion, Blueprint<?>> blueprints = new LinkedHashMap<>();
        private TableNames names = SagaSchema.DEFAULT_NAMES;
        private JdbcOutbox outbox = JdbcOutbox.create();
        private FrameworkTransaction.@Nullable Source framework;
        private SagaListener listener = new SagaListener() {};
        private String name = "engine-" + UUID.randomUUID();
        private int threads = 2;
        private int batch = 10;
        private Duration claimFor = Duration.ofSeconds(30);
        private Duration pollInterval = Duration.ofMillis(250);
        private Duration patience = Duration.ofSeconds(10);

        private Builder(DataSource dataSource) {
            this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
        }

        /** Sets how messages are enqueued. Default {@link JdbcOutbox#create()}. */
        public Builder outbox(JdbcOutbox value) {
            this.outbox = Objects.requireNonNull(value, "outbox");
            return this;
        }

        /**
         * Sets the framework in whose transactions local steps run, so that repositories of the application join them.
         * Default: none, the engine's own transactions.
         */
        public Builder transactions(FrameworkTransaction.Source value) {
            this.framework = Objects.requireNonNull(value, "transactions");
            return this;
        }

        /** Sets what the tables are called. Default: names that begin with {@code saga_}. */
        public Builder tables(TableNames value) {
            this.names = Objects.requireNonNull(value, "tables");
            return this;
        }

        /** Adds a definition; an older version stays registered as long as there are sagas of it. */
        public Builder register(SagaDefinition<?> definition) {
            Blueprint<?> blueprint = definition.blueprint();
            if (blueprints.putIfAbsent(blueprint.id(), blueprint) != null) {
                throw new IllegalArgumentException("Saga %s is registered already".formatted(blueprint.id()));
            }
            return this;
        }

        /** Sets who hears what happens. Default: nobody. */
        public Builder listener(SagaListener value) {
            this.listener = Objects.requireNonNull(value, "listener");
            return this;
        }

        /** Sets the name in claims. Default: a random one. */
        public Builder name(String value) {
            this.name = SagaNames.check("engine", value);
            return this;
        }

        /** Sets how many threads run sagas. Default 2. */
        public Builder threads(int value) {
            this.threads = positive("threads", value);
            return this;
        }

        /** Sets how many sagas a thread claims at once. Default 10. */
        public Builder batch(int value) {
            this.batch = positive("batch", value);
            return this;
        }

        /** Sets how long after a crash another engine goes on; claims are renewed long before. Default 30 seconds. */
        public Builder claimFor(Duration value) {
            this.claimFor = positive("claimFor", value);
            return this;
        }

        /** Sets how long an idle thread waits before it looks again. Default 250 milliseconds. */
        public Builder pollInterval(Duration value) {
            this.pollInterval = positive("pollInterval", value);
            return this;
        }

        /** Sets how long closing waits for steps that are under way before it interrupts them. */
        Builder patience(Duration value) {
            this.patience = positive("patience", value);
            return this;
        }

        /** Builds the engine; nothing is sent to the database yet. */
        public SagaEngine build() {
            return new SagaEngine(this);
        }

        private static int positive(String what, int value) {
            if (value < 1) {
                throw new IllegalArgumentException("%s must be at least 1 but was %d".formatted(what, value));
            }
            return value;
        }

        private static Duration positive(String what, Duration value) {
            if (value.isNegative() || value.isZero()) {
                throw new IllegalArgumentException("%s must be positive but was %s".formatted(what, value));
            }
            return value;
        }
    }
}

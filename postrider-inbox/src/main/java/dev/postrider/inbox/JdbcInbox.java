package dev.postrider.inbox;

import dev.postrider.database.FrameworkTransaction;
import dev.postrider.database.TableNames;
import dev.postrider.jdbc.JdbcOutbox;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The inbox in a relational database. Its own transactions are READ COMMITTED whatever the pool hands out. Thread-safe.
 *
 * <p>The first statement of a transaction inserts the mark, so that a second delivery of the same message waits for the
 * first one's outcome. The last one, before the commit, checks that this transaction made the mark: a handler that
 * overlooked an error that ended the transaction is not taken for a success.
 */
public final class JdbcInbox implements Inbox {

    private static final Duration CLOCKS_APART = Duration.ofHours(1);

    private final InboxContext context;
    private final OwnTransaction own;
    private final CallersTransaction callers;
    private final ReleasedRun released;

    private JdbcInbox(Builder builder) {
        TableNames names = builder.names;
        this.context = new InboxContext(
                InboxContext.transactions(builder.dataSource, names, builder.framework),
                builder.settings(),
                builder.outbox,
                builder.listener);
        this.own = new OwnTransaction(context);
        this.released = new ReleasedRun(context);
        this.callers = new CallersTransaction(context, dialect -> InboxContext.text(names, dialect));
    }

    /** Returns an inbox with default settings. */
    public static JdbcInbox of(DataSource dataSource) {
        return builder(dataSource).build();
    }

    /** Starts configuring an inbox; the data source is the only required part. */
    public static Builder builder(DataSource dataSource) {
        return new Builder(dataSource);
    }

    @Override
    public <R> InboxResult<R> process(String messageId, String consumer, InboxHandler<R> handler) {
        return own.process(Incoming.of(messageId, consumer), handler);
    }

    @Override
    public <R> InboxResult<R> process(
            String messageId, String consumer, Connection connection, InboxHandler<R> handler) {
        return callers.process(Incoming.of(messageId, consumer), connection, handler);
    }

    @Override
    public <R> InboxResult<R> process(ReceivedMessage message, String consumer, InboxHandler<R> handler) {
        return own.process(Incoming.of(message, consumer), handler);
    }

    @Override
    public InboxBatchResult processBatch(String consumer, List<ReceivedMessage> messages, InboxBatchHandler handler) {
        return new BatchRun(context, consumer, handler).run(messages);
    }

    @Override
    public int processReleased(String consumer, int limit, ReceivedHandler handler) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit must be at least 1 but was " + limit);
        }
        MessageNames.require("consumer", consumer);
        return released.run(consumer, limit, handler);
    }

    /**
     * Removes marks that are older than the retention time, with an hour more for producers whose clocks are ahead.
     * Call it now and then on one or more nodes.
     *
     * @param limit how many rows at most, in one short transaction
     * @return how many were removed; if it is the limit, there may be more
     */
    public int purge(int limit) {
        return new InboxPurge(context.transactions())
                .run(context.settings().retention().plus(CLOCKS_APART), limit);
    }

    /** Collects the parts of a {@link JdbcInbox}; everything but the data source has a default. Not thread-safe. */
    public static final class Builder {

        private static final Duration MAX_LOCK_WAIT = Duration.ofHours(1);

        private final DataSource dataSource;
        private TableNames names = InboxSchema.NAMES;
        private @Nullable JdbcOutbox outbox;
        private FrameworkTransaction.@Nullable Source framework;
        private InboxListener listener = new InboxListener() {};
        private boolean fastPath;
        private Duration lockWait = Duration.ofSeconds(10);
        private int repeats = 3;
        private Duration retention = Duration.ofDays(14);
        private Horizon horizon = Horizon.PARK;
        private int parkAfter = 5;
        private InboxOrdering ordering = InboxOrdering.PER_KEY;
        private Dedupe dedupe = Dedupe.MESSAGE_ID;

        private Builder(DataSource dataSource) {
            this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
        }

        /** Sets what the tables are called. Default: {@code inbox_message} and its companions. */
        public Builder tables(TableNames value) {
            this.names = Objects.requireNonNull(value, "tables");
            return this;
        }

        /** Sets the outbox for {@link InboxTransaction#enqueue}. Default: none. */
        public Builder outbox(JdbcOutbox value) {
            this.outbox = Objects.requireNonNull(value, "outbox");
            return this;
        }

        /**
         * Sets the framework in whose transactions handlers run, so that repositories of the application join them. The
         * inbox still uses its own connections to count failures and to park. Default: none, its own transactions.
         */
        public Builder transactions(FrameworkTransaction.Source value) {
            this.framework = Objects.requireNonNull(value, "transactions");
            return this;
        }

        /** Sets who hears what happens. Default: nobody. */
        public Builder listener(InboxListener value) {
            this.listener = Objects.requireNonNull(value, "listener");
            return this;
        }

        /**
         * Looks for the mark before a transaction is begun. That makes a duplicate cheaper and a new message dearer; it
         * never decides. Default false.
         */
        public Builder fastPath(boolean value) {
            this.fastPath = value;
            return this;
        }

        /** Sets how long the same message in other hands, or any other lock, is waited for. Default 10 s. */
        public Builder lockWait(Duration value) {
            if (value.compareTo(Duration.ofMillis(1)) < 0 || value.compareTo(MAX_LOCK_WAIT) > 0) {
                throw new IllegalArgumentException("lockWait must be from 1 ms to 1 h but was " + value);
            }
            this.lockWait = value;
            return this;
        }

        /** Sets how often a transaction that lost a conflict is repeated before that counts as a failure. Default 3. */
        public Builder txRetries(int value) {
            if (value < 0) {
                throw new IllegalArgumentException("txRetries must not be negative but was " + value);
            }
            this.repeats = value;
            return this;
        }

        /** Sets how long marks are kept; longer than the longest time a message may be on its way. Default 14 days. */
        public Builder retention(Duration value) {
            if (value.isNegative() || value.isZero()) {
                throw new IllegalArgumentException("retention must be positive but was " + value);
            }
            this.retention = value;
            return this;
        }

        /** Sets what happens to a message that is older than marks are kept. Default {@link Horizon#PARK}. */
        public Builder horizon(Horizon value) {
            this.horizon = Objects.requireNonNull(value, "horizon");
            return this;
        }

        /** Sets after how many failures a received message is parked. Default 5. */
        public Builder parkAfter(int value) {
            if (value < 1) {
                throw new IllegalArgumentException("parkAfter must be at least 1 but was " + value);
            }
            this.parkAfter = value;
            return this;
        }

        /** Sets whether a parked message holds its key. Default {@link InboxOrdering#PER_KEY}. */
        public Builder ordering(InboxOrdering value) {
            this.ordering = Objects.requireNonNull(value, "ordering");
            return this;
        }

        /** Sets how a duplicate is recognised. Default {@link Dedupe#MESSAGE_ID}. */
        public Builder dedupe(Dedupe value) {
            this.dedupe = Objects.requireNonNull(value, "dedupe");
            return this;
        }

        /**
         * Builds the inbox; nothing is sent to the database yet.
         *
         * @throws IllegalArgumentException if sequences are to be used without {@link InboxOrdering#PER_KEY}: a message
         *     that overtakes a parked one would make it look like a duplicate
         */
        public JdbcInbox build() {
            if (dedupe == Dedupe.SEQUENCE && ordering != InboxOrdering.PER_KEY) {
                throw new IllegalArgumentException("dedupe SEQUENCE needs ordering PER_KEY but it was " + ordering);
            }
            return new JdbcInbox(this);
        }

        private InboxSettings settings() {
            return new InboxSettings(fastPath, lockWait, repeats, retention, horizon, parkAfter, ordering, dedupe);
        }
    }
}

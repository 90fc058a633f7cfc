package dev.postrider.jdbc;

import dev.postrider.EnqueueListener;
import dev.postrider.HeaderSource;
import dev.postrider.KeyRing;
import dev.postrider.MessageLimits;
import dev.postrider.Outbox;
import dev.postrider.OutboxException;
import dev.postrider.OutboxMessage;
import dev.postrider.Receipt;
import dev.postrider.TenantPolicy;
import dev.postrider.database.Dialect;
import dev.postrider.database.SqlText;
import dev.postrider.database.TableNames;
import dev.postrider.jdbc.row.RowKeys;
import dev.postrider.jdbc.row.Seal;
import dev.postrider.spi.PayloadCodec;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Enqueues messages in the transaction of a JDBC connection. It uses that connection only, and commits only when told
 * to. The methods without a connection ask the {@link TransactionSource} for that of the calling thread.
 *
 * <p>An error of the database during an enqueue ends the transaction on every database: it cannot commit without the
 * message. PostgreSQL sees to that itself. On MariaDB and MySQL the transaction is rolled back, and the connection
 * takes no write until the caller's own commit or rollback. On H2 the connection is closed.
 *
 * <p>Whoever loses a race for a dedupe key learns that the message is already enqueued. The exception is PostgreSQL at
 * REPEATABLE READ or SERIALIZABLE: there it is a serialization failure, as for every other row.
 *
 * <p>Thread-safe; a connection still belongs to one thread at a time.
 */
public final class JdbcOutbox implements Outbox {

    static final String COLUMNS = """
            insert into {message} (id, namespace, topic, message_key, shard, type, version, tenant, dedupe_key,
                                   content_type, headers, max_attempts, due_at, {sealed})
            """.replace("{sealed}", Seal.COLUMNS);

    private final TableNames names;
    private final MessageLimits limits;
    private final TenantPolicy tenantPolicy;
    private final RowKeys keys;
    private final EnqueueListener listener;
    private final HeaderSource headers;
    private final TransactionSource transactions;
    private final @Nullable PayloadCodec codec;
    private final Map<Dialect, SqlText> texts = new ConcurrentHashMap<>();

    private JdbcOutbox(Builder builder) {
        this.names = builder.names;
        this.limits = builder.limits;
        this.tenantPolicy = builder.tenantPolicy;
        this.keys = builder.keys;
        this.listener = builder.listener;
        this.headers = builder.headers;
        this.transactions = builder.transactions;
        this.codec = builder.codec;
    }

    /** Returns an outbox with default table names, limits and tenant policy. */
    public static JdbcOutbox create() {
        return builder().build();
    }

    /** Starts configuring an outbox. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Enqueues the message in the transaction of the calling thread.
     *
     * @throws IllegalArgumentException if the message breaks a limit or the tenant policy; nothing is inserted
     * @throws OutboxException if the {@link TransactionSource} finds no transaction or the database refuses the row
     */
    @Override
    public Receipt enqueue(OutboxMessage message) {
        return enqueueAll(List.of(message)).get(0);
    }

    @Override
    public Receipt enqueue(String topic, @Nullable String key, Object payload) {
        return enqueue(message(topic, key, payload));
    }

    @Override
    public List<Receipt> enqueueAll(List<OutboxMessage> messages) {
        Connection connection = transactions.connection();
        try {
            return enqueueAll(connection, messages);
        } finally {
            transactions.release(connection);
        }
    }

    /** Returns the outbox of the transaction that is open on {@code connection}. */
    public Outbox on(Connection connection) {
        return new Outbox() {
            @Override
            public Receipt enqueue(OutboxMessage message) {
                return JdbcOutbox.this.enqueue(connection, message);
            }

            @Override
            public Receipt enqueue(String topic, @Nullable String key, Object payload) {
                return enqueue(message(topic, key, payload));
            }

            @Override
            public List<Receipt> enqueueAll(List<OutboxMessage> messages) {
                return JdbcOutbox.this.enqueueAll(connection, messages);
            }
        };
    }

    /**
     * Enqueues the message in the transaction that is open on {@code connection}.
     *
     * @throws IllegalArgumentException if the message breaks a limit or the tenant policy; nothing is inserted
     * @throws OutboxException if there is no open transaction or the database refuses the row
     */
    public Receipt enqueue(Connection connection, OutboxMessage message) {
        return enqueueAll(connection, List.of(message)).get(0);
    }

    /** Enqueues all messages in order in the transaction that is open on {@code connection}; all are checked first. */
    public List<Receipt> enqueueAll(Connection connection, List<OutboxMessage> messages) {
        List<OutboxMessage> complete = checked(messages);
        return complete.isEmpty() ? List.of() : write(connection, complete, inserts -> inserts.insert(complete));
    }

    /**
     * Enqueues the message and commits the transaction that is open on {@code connection}. On PostgreSQL the message
     * travels with the commit and costs no round trip of its own; elsewhere this is {@link #enqueue} and a commit.
     *
     * @throws IllegalArgumentException if the message breaks a limit or the tenant policy; nothing is committed
     * @throws OutboxException if there is no open transaction or the database refuses; nothing is committed, unless the
     *     connection broke during the commit: then, as with every commit, nobody knows
     */
    public Receipt enqueueAndCommit(Connection connection, OutboxMessage message) {
        return enqueueAndCommit(connection, List.of(message)).get(0);
    }

    /** Enqueues all messages in order and commits, as {@link #enqueueAndCommit(Connection, OutboxMessage)} does. */
    public List<Receipt> enqueueAndCommit(Connection connection, List<OutboxMessage> messages) {
        List<OutboxMessage> complete = checked(messages);
        return write(connection, complete, inserts -> inserts.insertAndCommit(complete));
    }

    private OutboxMessage message(String topic, @Nullable String key, Object payload) {
        if (codec == null) {
            throw new OutboxException("This outbox has no codec for %s: build it with codec(...), or enqueue an"
                            .formatted(payload.getClass().getName())
                    + " OutboxMessage");
        }
        return codec.message(topic, payload).key(key).build();
    }

    private List<OutboxMessage> checked(List<OutboxMessage> messages) {
        List<OutboxMessage> complete = headers == HeaderSource.NONE
                ? messages
                : messages.stream()
                        .map(message -> message.withMissingHeaders(headers.headers(message)))
                        .toList();
        for (OutboxMessage message : complete) {
            limits.check(message);
            tenantPolicy.check(message);
        }
        return complete;
    }

    private List<Receipt> write(Connection connection, List<OutboxMessage> messages, Write write) {
        SqlText sql;
        try {
            requireTransaction(connection);
            sql = text(connection);
        } catch (SQLException e) {
            throw new OutboxException("Could not enqueue " + describe(messages), e);
        }
        List<Receipt> receipts;
        try {
            receipts = write.with(new Inserts(connection, sql, new Seal(keys)));
        } catch (SQLException e) {
            throw ended(connection, sql, messages, e);
        }
        tell(messages, receipts);
        return receipts;
    }

    private void tell(List<OutboxMessage> messages, List<Receipt> receipts) {
        for (int i = 0; i < receipts.size(); i++) {
            if (receipts.get(i).inserted()) {
                listener.enqueued(messages.get(i));
            }
        }
    }

    private static void requireTransaction(Connection connection) throws SQLException {
        if (connection.getAutoCommit()) {
            throw new OutboxException("enqueue needs an open transaction: call setAutoCommit(false) on the connection,"
                    + " or let the framework begin one, so that message and business data commit together");
        }
    }

    // The driver answers from memory, so that one outbox may serve connections to different databases.
    private SqlText text(Connection connection) throws SQLException {
        return texts.computeIfAbsent(Dialect.of(connection), dialect -> OutboxDialect.text(names, dialect));
    }

    // MariaDB, MySQL and H2 keep the transaction open after an error, after a lock wait timeout even with half of the
    // work done. A caller who overlooks the exception must not be able to commit.
    private static OutboxException ended(
            Connection connection, SqlText sql, List<OutboxMessage> messages, SQLException error) {
        String what = "Could not enqueue " + describe(messages);
        if (!sql.dialect().endsTransactionOnError()) {
            what += sql.dialect().refuseWrites(connection, error)
                    ? "; the transaction is rolled back, and until the next commit or rollback the connection takes no"
                            + " write, so that nothing commits without it"
                    : "; the transaction is rolled back and its connection closed, so that nothing commits without it";
        }
        return OutboxSchema.FILES.explained(what, error, sql.names());
    }

    private static String describe(List<OutboxMessage> messages) {
        return messages.size() == 1 ? messages.get(0).toString() : messages.size() + " messages";
    }

    @FunctionalInterface
    private interface Write {

        List<Receipt> with(Inserts inserts) throws SQLException;
    }

    /** Collects the parts of a {@link JdbcOutbox}; everything has a default. Not thread-safe. */
    public static final class Builder {

        private TableNames names = TableNames.defaults();
        private MessageLimits limits = MessageLimits.defaults();
        private TenantPolicy tenantPolicy = TenantPolicy.DEDUPE_KEY_BEGINS_WITH_TENANT;
        private RowKeys keys = RowKeys.NONE;
        private EnqueueListener listener = message -> {};
        private HeaderSource headers = HeaderSource.NONE;
        private TransactionSource transactions = TransactionSource.NONE;
        private @Nullable PayloadCodec codec;

        private Builder() {}

        /** Sets what the tables are called. Default {@link TableNames#defaults()}. */
        public Builder tables(TableNames value) {
            this.names = Objects.requireNonNull(value, "tables");
            return this;
        }

        /** Sets how large a message may be. Default {@link MessageLimits#defaults()}. */
        public Builder limits(MessageLimits value) {
            this.limits = Objects.requireNonNull(value, "limits");
            return this;
        }

        /** Sets how tenant and dedupe key must fit. Default {@link TenantPolicy#DEDUPE_KEY_BEGINS_WITH_TENANT}. */
        public Builder tenantPolicy(TenantPolicy value) {
            this.tenantPolicy = Objects.requireNonNull(value, "tenantPolicy");
            return this;
        }

        /**
         * Signs every row with the current key of the ring, so that a relay with the same keys notices any change of
         * it. Default: no signature.
         */
        public Builder signWith(KeyRing ring) {
            this.keys = keys.withSigning(Objects.requireNonNull(ring, "ring"));
            return this;
        }

        /**
         * Encrypts every payload with the current key of the ring; its keys have exactly 32 bytes. Key, type and
         * headers stay readable. Default: no encryption.
         */
        public Builder encryptWith(KeyRing ring) {
            this.keys = keys.withEncryption(Objects.requireNonNull(ring, "ring"));
            return this;
        }

        /** Sets who hears of every message that was enqueued, usually metrics. Default: nobody. */
        public Builder listener(EnqueueListener value) {
            this.listener = Objects.requireNonNull(value, "listener");
            return this;
        }

        /** Sets what gives every message headers that it does not have, usually tracing. Default: nothing. */
        public Builder headers(HeaderSource value) {
            this.headers = Objects.requireNonNull(value, "headers");
            return this;
        }

        /** Sets where {@link JdbcOutbox#enqueue(OutboxMessage)} finds the open transaction. Default: nowhere. */
        public Builder transactions(TransactionSource value) {
            this.transactions = Objects.requireNonNull(value, "transactions");
            return this;
        }

        /** Sets what turns an object into a payload. Default: only {@link OutboxMessage}s can be enqueued. */
        public Builder codec(PayloadCodec value) {
            this.codec = Objects.requireNonNull(value, "codec");
            return this;
        }

        /** Builds the outbox. */
        public JdbcOutbox build() {
            return new JdbcOutbox(this);
        }
    }
}

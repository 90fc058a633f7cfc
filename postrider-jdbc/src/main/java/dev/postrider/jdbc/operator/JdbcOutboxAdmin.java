package dev.postrider.jdbc.operator;

import dev.postrider.KeyRing;
import dev.postrider.MessageStatus;
import dev.postrider.admin.Attempt;
import dev.postrider.admin.BlockedKey;
import dev.postrider.admin.ClosedTopic;
import dev.postrider.admin.Decision;
import dev.postrider.admin.OutboxAdmin;
import dev.postrider.admin.OutboxStats;
import dev.postrider.admin.StoredMessage;
import dev.postrider.admin.TopicStats;
import dev.postrider.database.TableNames;
import dev.postrider.database.Transactions;
import dev.postrider.jdbc.OutboxDialect;
import dev.postrider.jdbc.row.RowKeys;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;

/** What a person may do to the messages in the outbox tables. Thread-safe. */
public final class JdbcOutboxAdmin implements OutboxAdmin {

    private static final int TIMEOUT_SECONDS = 10;
    private static final int CHUNK = 500;

    private final Transactions transactions;
    private final RowKeys keys;

    private JdbcOutboxAdmin(Builder builder) {
        this.transactions = OutboxDialect.transactions(builder.dataSource, builder.names, TIMEOUT_SECONDS);
        this.keys = builder.keys;
    }

    /** Returns the admin of the tables with the default names. */
    public static JdbcOutboxAdmin of(DataSource dataSource) {
        return builder(dataSource).build();
    }

    /** Returns the admin of the tables with these names. */
    public static JdbcOutboxAdmin of(DataSource dataSource, TableNames names) {
        return builder(dataSource).tables(names).build();
    }

    /** Starts configuring an admin; the data source is the only required part. */
    public static Builder builder(DataSource dataSource) {
        return new Builder(dataSource);
    }

    @Override
    public Optional<StoredMessage> find(UUID id) {
        return transactions.autoCommitted("find message " + id, session -> new Inspection(session, keys).find(id));
    }

    @Override
    public List<Attempt> attempts(UUID id) {
        return transactions.autoCommitted("list attempts on message " + id, session -> AttemptHistory.of(session, id));
    }

    @Override
    public List<StoredMessage> list(MessageStatus status, long after, int limit) {
        return transactions.autoCommitted(
                "list messages", session -> new Inspection(session, keys).list(status, after, limit));
    }

    @Override
    public List<BlockedKey> blockedKeys(int limit) {
        return transactions.autoCommitted(
                "list blocked keys", session -> new Inspection(session, keys).blockedKeys(limit));
    }

    @Override
    public List<ClosedTopic> closedTopics() {
        return transactions.autoCommitted("list closed topics", ClosedTopicList::of);
    }

    @Override
    public int requeue(Collection<UUID> ids, Decision decision) {
        return each("requeue messages", ids, Intervention.REQUEUE, decision);
    }

    @Override
    public int discard(Collection<UUID> ids, Decision decision) {
        return each("discard messages", ids, Intervention.DISCARD, decision);
    }

    @Override
    public int replay(Collection<UUID> ids, Decision decision) {
        return each("replay messages", ids, Intervention.REPLAY, decision);
    }

    @Override
    public int purge(Duration age, int limit, Decision decision) {
        Objects.requireNonNull(decision, "decision");
        PurgeTrail trail = new PurgeTrail("DELIVERED messages older than " + age, Duration.ZERO, System::nanoTime);
        return new Purge(transactions, age, false, 0, decision, trail).run(limit);
    }

    @Override
    public OutboxStats stats() {
        return transactions.autoCommitted("count messages", session -> new Inspection(session, keys).stats());
    }

    @Override
    public TopicStats topicStats() {
        return transactions.transacted("count messages by topic", session -> {
            session.fixPlan();
            return new TopicCounts(session, TopicCounts.LOOK).run();
        });
    }

    /**
     * Leaves an entry in the audit trail about a decision that changes no message.
     *
     * @param action what was decided, in up to 20 capital letters and underscores
     * @param detail what it is about; never a payload
     */
    public void note(String action, String detail, Decision decision) {
        Objects.requireNonNull(decision, "decision");
        if (!action.matches("[A-Z_]{1,20}")) {
            throw new IllegalArgumentException("'%s' is no action of the audit trail".formatted(action));
        }
        transactions.transacted("note " + action, session -> {
            AuditTrail.addForMany(session, action, decision, detail);
            return action;
        });
    }

    /**
     * Returns the highest sequence of a message in the outbox; 0 if it is empty. Its growth tells the rate of enqueues.
     */
    public long lastSeq() {
        return transactions.autoCommitted("find the last message", session -> new Inspection(session, keys).lastSeq());
    }

    // In chunks, so that many ids neither lock many rows for long nor exceed a database's number of parameters.
    private int each(String what, Collection<UUID> ids, Intervention action, Decision decision) {
        Objects.requireNonNull(decision, "decision");
        List<UUID> distinct = new ArrayList<>(new LinkedHashSet<>(ids));
        int changed = 0;
        for (int i = 0; i < distinct.size(); i += CHUNK) {
            List<UUID> chunk = distinct.subList(i, Math.min(i + CHUNK, distinct.size()));
            changed += transactions
                    .transacted(
                            what,
                            session -> action.apply(
                                    session,
                                    chunk.stream().map(session.dialect()::id).toList(),
                                    decision,
                                    null))
                    .size();
        }
        return changed;
    }

    /** Collects the parts of a {@link JdbcOutboxAdmin}. Not thread-safe. */
    public static final class Builder {

        private final DataSource dataSource;
        private TableNames names = TableNames.defaults();
        private RowKeys keys = RowKeys.NONE;

        private Builder(DataSource dataSource) {
            this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
        }

        /** Sets what the tables are called. Default {@link TableNames#defaults()}. */
        public Builder tables(TableNames value) {
            this.names = Objects.requireNonNull(value, "tables");
            return this;
        }

        /** Shows a signature that is missing or does not fit as a defect. Default: signatures are ignored. */
        public Builder verifyWith(KeyRing ring) {
            this.keys = keys.withSigning(Objects.requireNonNull(ring, "ring"));
            return this;
        }

        /** Shows no defect for a row without a signature. Default: it is a defect with {@link #verifyWith}. */
        public Builder acceptUnsigned() {
            this.keys = keys.acceptingUnsigned();
            return this;
        }

        /** Shows payloads decrypted. Default: an encrypted payload is shown as it is stored, with a defect. */
        public Builder decryptWith(KeyRing ring) {
            this.keys = keys.withEncryption(Objects.requireNonNull(ring, "ring"));
            return this;
        }

        /** Builds the admin; nothing is sent to the database yet. */
        public JdbcOutboxAdmin build() {
            return new JdbcOutboxAdmin(this);
        }
    }
}

package dev.postrider.jdbc;

import dev.postrider.KeyRing;
import dev.postrider.database.SqlWork;
import dev.postrider.database.TableNames;
import dev.postrider.database.Transactions;
import dev.postrider.jdbc.row.RowKeys;
import dev.postrider.spi.Acquired;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.ClosedGate;
import dev.postrider.spi.DuePosition;
import dev.postrider.spi.FetchRequest;
import dev.postrider.spi.FetchedDue;
import dev.postrider.spi.FetchedPage;
import dev.postrider.spi.Membership;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.OwnedShard;
import dev.postrider.spi.RelayReport;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Settled;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.TopicFilter;
import dev.postrider.spi.Unblocked;
import dev.postrider.spi.Writer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The outbox tables as a relay sees them, on PostgreSQL, MariaDB, MySQL or H2. Give it a pool of its own: a relay that
 * waits for the application's connections would lose its shards. Thread-safe.
 */
public final class JdbcOutboxStore implements OutboxStore {

    private final Transactions transactions;
    private final ShardTable shardTable;
    private final boolean deleteDelivered;
    private final RowKeys keys;

    private JdbcOutboxStore(Builder builder) {
        this.transactions =
                OutboxDialect.transactions(builder.dataSource, builder.names, builder.statementTimeoutSeconds);
        this.shardTable = new ShardTable(transactions);
        this.deleteDelivered = builder.deleteDelivered;
        this.keys = builder.keys;
    }

    /** Starts configuring a store; the data source is the only required part. */
    public static Builder builder(DataSource dataSource) {
        return new Builder(dataSource);
    }

    @Override
    public FetchedPage fetch(FetchRequest request, SeqRange range, int rows) {
        return fetches().fetch(request, range, rows);
    }

    @Override
    public FetchedDue fetchDue(FetchRequest request, @Nullable DuePosition after) {
        return fetches().fetchDue(request, after);
    }

    @Override
    public List<Long> appeared(Set<Integer> shards, TopicFilter topics, List<SeqRange> holes) {
        return holes.isEmpty() || shards.isEmpty() ? List.of() : fetches().appeared(shards, topics, holes);
    }

    @Override
    public Optional<Set<Writer>> writers() {
        return fetches().writers();
    }

    @Override
    public List<ClaimedMessage> claimUnsharded(
            String owner, int limit, Duration claimFor, int maxAttempts, @Nullable String namespace) {
        long token = UUID.randomUUID().getMostSignificantBits();
        return dialect()
                .manualClaims(transactions, keys)
                .claim(new UnshardedRequest(owner, limit, claimFor, maxAttempts, namespace, token));
    }

    @Override
    public Settled settle(List<Settlement> outcomes) {
        return outcomes.isEmpty() ? new Settled(0, List.of()) : outcomes().settle(outcomes);
    }

    @Override
    public void saveGates(String relay, List<ClosedGate> closed) {
        transactions.transacted("save closed topics", session -> GateTable.save(session, relay, closed));
    }

    @Override
    public boolean decrypts() {
        return keys.encryption() != null;
    }

    @Override
    public boolean beginTrial(ClaimedMessage claimed) {
        return outcomes().beginTrial(claimed);
    }

    @Override
    public Unblocked unblock(Set<Integer> shards, long after) {
        if (shards.isEmpty()) {
            return new Unblocked(0, 0);
        }
        SqlWork<Unblocked> work = session -> dialect().heldKeys().unblock(session, shards, after);
        return dialect().sendsTogether()
                ? transactions.autoCommitted("unblock keys", work)
                : transactions.transacted("unblock keys", work);
    }

    @Override
    public Membership renew(RelayReport report, Duration ownFor) {
        return shardTable.renew(report, ownFor);
    }

    @Override
    public Acquired acquire(String relay, Set<Integer> shards) {
        return shardTable.acquire(relay, shards);
    }

    @Override
    public void release(String relay, List<OwnedShard> shards) {
        shardTable.release(relay, shards);
    }

    @Override
    public void leave(String relay) {
        shardTable.leave(relay);
    }

    @Override
    public void saveLowWater(String relay, long seq) {
        shardTable.saveLowWater(relay, seq);
    }

    private Fetches fetches() {
        return dialect().fetches(transactions, keys);
    }

    private Outcomes outcomes() {
        return dialect().outcomes(transactions, deleteDelivered);
    }

    private OutboxDialect dialect() {
        return OutboxDialect.of(transactions.dialect());
    }

    /** Collects the parts of a {@link JdbcOutboxStore}. Not thread-safe. */
    public static final class Builder {

        private final DataSource dataSource;
        private TableNames names = TableNames.defaults();
        private boolean deleteDelivered;
        private int statementTimeoutSeconds = 10;
        private RowKeys keys = RowKeys.NONE;

        private Builder(DataSource dataSource) {
            this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
        }

        /** Sets what the tables are called. Default {@link TableNames#defaults()}. */
        public Builder tables(TableNames value) {
            this.names = Objects.requireNonNull(value, "tables");
            return this;
        }

        /** Removes a message as soon as it is delivered instead of keeping it for a purge. Default false. */
        public Builder deleteDelivered(boolean enabled) {
            this.deleteDelivered = enabled;
            return this;
        }

        /**
         * How long one statement may take, in whole seconds. A connection that does not answer for 2 s more is given
         * up. Default 10 s; H2 has no limit.
         */
        public Builder statementTimeout(Duration timeout) {
            if (timeout.toSeconds() < 1) {
                throw new IllegalArgumentException("statementTimeout must be at least 1 s but was " + timeout);
            }
            this.statementTimeoutSeconds = Math.toIntExact(timeout.toSeconds());
            return this;
        }

        /**
         * Verifies the signature of every row that is claimed with any key of the ring; a row whose signature is
         * missing, does not fit or has an unknown key is not published. Default: signatures are ignored.
         */
        public Builder verifyWith(KeyRing ring) {
            this.keys = keys.withSigning(Objects.requireNonNull(ring, "ring"));
            return this;
        }

        /**
         * Lets rows without a signature pass, until every producer signs. Whoever can write the table can take a
         * signature away, so this is for the roll-out only. Default: they do not pass {@link #verifyWith}.
         */
        public Builder acceptUnsigned() {
            this.keys = keys.acceptingUnsigned();
            return this;
        }

        /** Decrypts payloads with any key of the ring. Default: an encrypted row is not published. */
        public Builder decryptWith(KeyRing ring) {
            this.keys = keys.withEncryption(Objects.requireNonNull(ring, "ring"));
            return this;
        }

        /** Builds the store; nothing is sent to the database yet. */
        public JdbcOutboxStore build() {
            return new JdbcOutboxStore(this);
        }
    }
}

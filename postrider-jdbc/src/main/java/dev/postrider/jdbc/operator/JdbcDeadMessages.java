package dev.postrider.jdbc.operator;

import dev.postrider.KeyRing;
import dev.postrider.MessageLimits;
import dev.postrider.admin.ArchivedMessage;
import dev.postrider.admin.AuditEntry;
import dev.postrider.admin.AuditFilter;
import dev.postrider.admin.DeadGroup;
import dev.postrider.admin.DeadMessages;
import dev.postrider.admin.Decision;
import dev.postrider.admin.MessageEdit;
import dev.postrider.admin.MessageFilter;
import dev.postrider.admin.Neighbours;
import dev.postrider.admin.Page;
import dev.postrider.admin.Slice;
import dev.postrider.admin.StoredMessage;
import dev.postrider.database.SqlWork;
import dev.postrider.database.TableNames;
import dev.postrider.database.Transactions;
import dev.postrider.jdbc.OutboxDialect;
import dev.postrider.jdbc.row.RowKeys;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;

/** The desk of the outbox tables. Thread-safe. */
public final class JdbcDeadMessages implements DeadMessages {

    private static final int TIMEOUT_SECONDS = 10;

    private final Transactions transactions;
    private final RowKeys reading;
    private final Replacement replacement;
    private final int step;
    private final int groupCap;

    private JdbcDeadMessages(Builder builder) {
        this.transactions = OutboxDialect.transactions(builder.dataSource, builder.names, TIMEOUT_SECONDS);
        this.reading = builder.reading;
        this.replacement = new Replacement(builder.reading, builder.writing, builder.limits);
        this.step = builder.step;
        this.groupCap = builder.groupCap;
    }

    /** Returns the desk of the tables with the default names. */
    public static JdbcDeadMessages of(DataSource dataSource) {
        return builder(dataSource).build();
    }

    /** Starts configuring a desk; the data source is the only required part. */
    public static Builder builder(DataSource dataSource) {
        return new Builder(dataSource);
    }

    @Override
    public Slice<StoredMessage> search(MessageFilter filter, Page page) {
        return asked("search messages", session -> new MessageSearch(session, reading, filter, page, step).run());
    }

    @Override
    public List<DeadGroup> groups(MessageFilter filter, int limit) {
        if (limit < 1 || limit > Page.MAX_LIMIT) {
            throw new IllegalArgumentException(
                    "limit must be from 1 to %d but was %d".formatted(Page.MAX_LIMIT, limit));
        }
        return asked("group dead messages", session -> new DeathGroups(session, groupCap).run(filter, limit));
    }

    @Override
    public Optional<Neighbours> neighbours(UUID id, int each) {
        return asked(
                "find the neighbours of message " + id,
                session -> new NeighbourSearch(session, reading, step).run(id, each));
    }

    @Override
    public UUID edit(UUID id, MessageEdit edit, Decision decision) {
        Objects.requireNonNull(edit, "edit");
        Objects.requireNonNull(decision, "decision");
        return transactions.transacted("edit message " + id, session -> replacement.run(session, id, edit, decision));
    }

    @Override
    public List<ArchivedMessage> archived(UUID id) {
        return transactions.autoCommitted(
                "find archived message " + id, session -> new Archive(session, reading).find(id));
    }

    @Override
    public void restore(UUID id, Decision decision) {
        Objects.requireNonNull(decision, "decision");
        transactions.transacted("restore message " + id, session -> {
            new Archive(session, reading).restore(id, decision);
            return id;
        });
    }

    @Override
    public Slice<AuditEntry> audit(AuditFilter filter, Page page) {
        return asked("read the audit trail", session -> new AuditTrail(session).page(filter, page, step));
    }

    private <T> T asked(String what, SqlWork<T> question) {
        return transactions.transacted(what, session -> {
            session.fixPlan();
            return question.run(session);
        });
    }

    /** Collects the parts of a {@link JdbcDeadMessages}. Not thread-safe. */
    public static final class Builder {

        private final DataSource dataSource;
        private TableNames names = TableNames.defaults();
        private MessageLimits limits = MessageLimits.defaults();
        private RowKeys reading = RowKeys.NONE;
        private RowKeys writing = RowKeys.NONE;
        private int step = MessageSearch.STEP;
        private int groupCap = DeathGroups.CAP;

        private Builder(DataSource dataSource) {
            this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
        }

        /** Sets what the tables are called. Default {@link TableNames#defaults()}. */
        public Builder tables(TableNames value) {
            this.names = Objects.requireNonNull(value, "tables");
            return this;
        }

        /** Sets how large an edited message may be. Default {@link MessageLimits#defaults()}. */
        public Builder limits(MessageLimits value) {
            this.limits = Objects.requireNonNull(value, "limits");
            return this;
        }

        /**
         * Shows a signature that is missing or does not fit as a defect; such a message cannot be edited. Default:
         * signatures are ignored.
         */
        public Builder verifyWith(KeyRing ring) {
            this.reading = reading.withSigning(Objects.requireNonNull(ring, "ring"));
            return this;
        }

        /** Shows no defect for a row without a signature. Default: it is a defect with {@link #verifyWith}. */
        public Builder acceptUnsigned() {
            this.reading = reading.acceptingUnsigned();
            return this;
        }

        /** Shows payloads decrypted. Default: an encrypted payload is shown as it is stored, with a defect. */
        public Builder decryptWith(KeyRing ring) {
            this.reading = reading.withEncryption(Objects.requireNonNull(ring, "ring"));
            return this;
        }

        /**
         * Signs edited messages whose original is signed; needs {@link #verifyWith}. Default: no signature, and a
         * signed message cannot be edited.
         */
        public Builder signWith(KeyRing ring) {
            this.writing = writing.withSigning(Objects.requireNonNull(ring, "ring"));
            return this;
        }

        /** Encrypts edited messages. Default: no encryption, and an encrypted message cannot be edited. */
        public Builder encryptWith(KeyRing ring) {
            this.writing = writing.withEncryption(Objects.requireNonNull(ring, "ring"));
            return this;
        }

        /** Sets how many rows a page looks at, for tests. */
        Builder step(int rows) {
            this.step = rows;
            return this;
        }

        /** Sets how many deaths are grouped, for tests. */
        Builder groupCap(int deaths) {
            this.groupCap = deaths;
            return this;
        }

        /**
         * Builds the desk; nothing is sent to the database yet.
         *
         * @throws IllegalArgumentException if there is {@link #signWith} without {@link #verifyWith}: an edit would
         *     sign what somebody else has put into the row
         */
        public JdbcDeadMessages build() {
            if (writing.signing() != null && reading.signing() == null) {
                throw new IllegalArgumentException("signWith needs verifyWith: without it an edit would sign a row that"
                        + " somebody else has changed");
            }
            return new JdbcDeadMessages(this);
        }
    }
}

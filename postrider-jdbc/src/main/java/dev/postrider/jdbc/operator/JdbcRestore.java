package dev.postrider.jdbc.operator;

import dev.postrider.KeyRing;
import dev.postrider.MessageStatus;
import dev.postrider.OutboxException;
import dev.postrider.admin.Decision;
import dev.postrider.database.Session;
import dev.postrider.database.SqlErrors;
import dev.postrider.database.TableNames;
import dev.postrider.database.Transactions;
import dev.postrider.jdbc.JdbcOutbox;
import dev.postrider.jdbc.OutboxDialect;
import dev.postrider.jdbc.row.RowFields;
import dev.postrider.jdbc.row.RowKeys;
import dev.postrider.jdbc.row.Seal;
import dev.postrider.jdbc.row.StatusCode;
import dev.postrider.safety.BackupFiles;
import dev.postrider.safety.DeadMessage;
import dev.postrider.spi.ErrorText;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Brings dead messages back from the backup files of a safety net. A message is inserted as DEAD if the database knows
 * nothing of it; it may be run any number of times. Thread-safe.
 */
public final class JdbcRestore {

    private static final int TIMEOUT_SECONDS = 10;
    private static final int MAX_ERROR = 2_000;

    private static final String FIND = """
            select m.status
              from {message} m
             where m.id = ?
            """;

    private static final String FIND_ARCHIVED = """
            select a.ended
              from {archive} a
             where a.id = ?
            """;

    private static final String INSERT = """
            insert into {message} (id, namespace, topic, message_key, shard, type, version, tenant, dedupe_key,
                                   content_type, headers, max_attempts, status, attempts, died_at, last_error, {sealed})
            values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 3, ?, {at}, ?, ?, ?, ?, ?, ?)
            """.replace("{sealed}", Seal.COLUMNS);

    private static final String ACTION = "RESTORE_BACKUP";

    private static final String SEQ = "select m.seq from {message} m where m.id = ?";

    private final Transactions transactions;
    private final RowKeys keys;

    private JdbcRestore(Builder builder) {
        this.transactions = OutboxDialect.transactions(builder.dataSource, builder.names, TIMEOUT_SECONDS);
        this.keys = builder.keys;
    }

    /**
     * What a restore did.
     *
     * @param restored how many messages were inserted as DEAD
     * @param alreadyThere how many are DEAD in the database, or left it by a decision that is in the archive
     * @param leftAlone how many have a row that is not DEAD, or whose dedupe key belongs to another message
     * @param file what the file held, and how much of it could not be read
     */
    public record Report(long restored, long alreadyThere, long leftAlone, BackupFiles.Report file) {}

    private enum Fate {
        RESTORED,
        ALREADY_THERE,
        LEFT_ALONE
    }

    /** Returns a restore into the tables with the default names. */
    public static JdbcRestore of(DataSource dataSource) {
        return builder(dataSource).build();
    }

    /** Starts configuring a restore; the data source is the only required part. */
    public static Builder builder(DataSource dataSource) {
        return new Builder(dataSource);
    }

    /**
     * Restores every intact message of a file. Each is committed on its own, with an entry in the audit trail; after an
     * error run it again.
     *
     * @throws OutboxException if the database refuses a message
     */
    public Report restore(BackupFiles reader, Path file, Decision decision) {
        Objects.requireNonNull(decision, "decision");
        Map<Fate, Long> fates = new EnumMap<>(Fate.class);
        BackupFiles.Report read = reader.read(file, dead -> fates.merge(restore(dead, decision), 1L, Long::sum));
        return new Report(
                fates.getOrDefault(Fate.RESTORED, 0L),
                fates.getOrDefault(Fate.ALREADY_THERE, 0L),
                fates.getOrDefault(Fate.LEFT_ALONE, 0L),
                read);
    }

    private Fate restore(DeadMessage dead, Decision decision) {
        String what = "restore message " + dead.message().id();
        try {
            return transactions.transacted(what, session -> restore(session, dead, decision));
        } catch (OutboxException e) {
            if (e.getCause() instanceof SQLException cause && SqlErrors.duplicate(cause)) {
                // Somebody else restored it meanwhile, or another message has its dedupe key.
                return transactions.autoCommitted(what, session -> knownFate(session, dead, Fate.LEFT_ALONE));
            }
            throw e;
        }
    }

    private Fate restore(Session session, DeadMessage dead, Decision decision) throws SQLException {
        Fate known = knownFate(session, dead, Fate.RESTORED);
        if (known == Fate.RESTORED) {
            insert(session, dead);
            AuditTrail.add(session, ACTION, decision, null, List.of(seq(session, dead)));
        }
        return known;
    }

    private static Fate knownFate(Session session, DeadMessage dead, Fate unknown) throws SQLException {
        Object id = session.dialect().id(dead.message().id());
        Optional<MessageStatus> status = session.first(FIND, row -> StatusCode.status(row.getInt(1)), id);
        if (status.isPresent()) {
            return status.get() == MessageStatus.DEAD ? Fate.ALREADY_THERE : Fate.LEFT_ALONE;
        }
        return session.any(FIND_ARCHIVED, id) ? Fate.ALREADY_THERE : unknown;
    }

    private void insert(Session session, DeadMessage dead) throws SQLException {
        try (PreparedStatement insert = session.prepare(INSERT)) {
            RowFields.bind(insert, session.dialect(), dead.message());
            insert.setInt(13, dead.attempts());
            insert.setLong(14, ChronoUnit.MICROS.between(Instant.EPOCH, dead.at()));
            insert.setString(15, ErrorText.clean(dead.reason(), MAX_ERROR));
            // A row that did not fit its seal must not come back with one that fits.
            if (dead.defect() == null) {
                new Seal(keys).bind(insert, 16, dead.message());
            } else {
                Seal.bindDefective(insert, 16, dead.message());
            }
            insert.executeUpdate();
        }
    }

    private static long seq(Session session, DeadMessage dead) throws SQLException {
        return session.first(
                        SEQ,
                        row -> row.getLong(1),
                        session.dialect().id(dead.message().id()))
                .orElseThrow();
    }

    /** Collects the parts of a {@link JdbcRestore}. Not thread-safe. */
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

        /** Signs every restored row, as {@link JdbcOutbox.Builder#signWith} does. Default: no signature. */
        public Builder signWith(KeyRing ring) {
            this.keys = keys.withSigning(Objects.requireNonNull(ring, "ring"));
            return this;
        }

        /** Encrypts every restored payload, as {@link JdbcOutbox.Builder#encryptWith} does. Default: no encryption. */
        public Builder encryptWith(KeyRing ring) {
            this.keys = keys.withEncryption(Objects.requireNonNull(ring, "ring"));
            return this;
        }

        /** Builds the restore; nothing is sent to the database yet. */
        public JdbcRestore build() {
            return new JdbcRestore(this);
        }
    }
}

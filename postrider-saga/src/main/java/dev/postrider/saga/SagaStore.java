package dev.postrider.saga;

import dev.postrider.OutboxException;
import dev.postrider.admin.Decision;
import dev.postrider.database.FrameworkTransaction;
import dev.postrider.database.OpenTransaction;
import dev.postrider.database.TableNames;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The tables of the sagas. Whatever takes a connection works in the transaction that is open on it, at READ COMMITTED,
 * and leaves commit and rollback to the caller; everything else uses transactions of its own. Every time is the
 * database's. Whoever needs more than one row of a saga locks the saga first: {@link #fence}, {@link #lock} or
 * {@link #awaited}. Thread-safe.
 */
final class SagaStore {

    private static final int MAX_RENEWED = 500;
    private static final Pattern COMMAND_ID = Pattern.compile("[!-~]{1,100}");

    private static final String UNFINISHED = """
            select i.definition, i.def_version, count(*) as sagas
              from {instance} i
             where i.finished_at is null
             group by i.definition, i.def_version
             order by i.definition, i.def_version
            """;

    private final SagaTables tables;

    SagaStore(DataSource dataSource, TableNames names) {
        this(dataSource, names, null);
    }

    SagaStore(DataSource dataSource, TableNames names, FrameworkTransaction.@Nullable Source framework) {
        this.tables = new SagaTables(dataSource, names, framework);
    }

    /**
     * Begins the transaction of a step: READ COMMITTED, and without a limit for the time between or in statements.
     *
     * @param lockWait how long a lock is waited for; null for as long as the connection does anyhow
     */
    OpenTransaction begin(@Nullable Duration lockWait) throws SQLException {
        return tables.begin(lockWait);
    }

    /**
     * Stores a definition, or finds it stored.
     *
     * @throws OutboxException if this version is stored with another hash: its sagas would meet steps they do not know
     */
    void register(SagaVersion definition, String structureHash, String graph) {
        tables.transacted("register saga " + definition, session -> {
            new Definitions(session).register(definition, structureHash, graph);
            return definition;
        });
    }

    /**
     * Inserts a saga, due at once if it is durable and running; an atomic one is never due.
     *
     * @return false if there is a saga with the id or the business key; whoever inserts the same key at the same time
     *     waits for the other's outcome first. The transaction is usable either way
     */
    boolean insert(Connection connection, NewSaga saga) throws SQLException {
        return new SagaRows(tables.on(connection)).insert(saga);
    }

    /** Returns the saga, or empty. */
    Optional<SagaRow> find(UUID id) {
        return tables.autoCommitted("find saga " + id, session -> new SagaRows(session).find(id));
    }

    /** Returns the saga of a definition, in whatever version, with this business key, or empty. */
    Optional<SagaRow> findByKey(String definition, String businessKey) {
        return tables.autoCommitted(
                "find saga " + definition + " by its key",
                session -> new SagaRows(session).findByKey(definition, businessKey));
    }

    /**
     * Returns the saga of a definition, in whatever version, with this business key, as {@link #insert} found it: also
     * what the transaction has inserted itself, and what was committed after its snapshot.
     */
    Optional<SagaRow> findByKey(Connection connection, String definition, String businessKey) throws SQLException {
        SagaRows rows = new SagaRows(tables.on(connection));
        Optional<SagaRow> seen = rows.findByKey(definition, businessKey);
        return seen.isPresent() ? seen : rows.findByKeyLocked(definition, businessKey);
    }

    /** Returns the journal in order of {@link JournalEntry#seq}. */
    List<JournalEntry> journal(UUID id) {
        return tables.autoCommitted("read the journal of saga " + id, session -> new SagaJournal(session).of(id));
    }

    /**
     * Claims due sagas of these definitions that nobody has a claim on, the longest due first. Each gets the next
     * epoch, which fences whoever had it before.
     */
    List<ClaimedSaga> claim(Collection<SagaVersion> definitions, int limit, Duration claimFor, String by) {
        if (definitions.isEmpty()) {
            return List.of();
        }
        return tables.transacted(
                "claim sagas", session -> new SagaClaims(session).due(definitions, limit, claimFor, by));
    }

    /**
     * Makes claims last for {@code claimFor} from now, without waiting for a lock: rows that are locked are left out,
     * and nobody can claim them meanwhile.
     *
     * @return the claims that are lost: another epoch has the saga, or it is released
     */
    List<ClaimedSaga> renew(Collection<ClaimedSaga> claims, Duration claimFor) {
        List<ClaimedSaga> all = List.copyOf(claims);
        List<ClaimedSaga> lost = new ArrayList<>();
        for (int from = 0; from < all.size(); from += MAX_RENEWED) {
            List<ClaimedSaga> some = all.subList(from, Math.min(all.size(), from + MAX_RENEWED));
            lost.addAll(tables.autoCommitted(
                    "renew the claims on %d sagas".formatted(some.size()),
                    session -> new SagaClaims(session).renew(some, claimFor)));
        }
        return lost;
    }

    /** Ends the claim and changes nothing else. False: another epoch has it, or it is released. */
    boolean release(UUID id, long epoch) {
        return tables.autoCommitted(
                "release the claim on saga " + id, session -> new SagaClaims(session).release(id, epoch));
    }

    /**
     * Locks the saga until the transaction ends, and renews its claim; the first statement of a step. Decide from what
     * this returns and from the journal read afterwards: a reply may have come since the claim.
     *
     * @return empty if another epoch has it, and whoever asks has to stop
     */
    Optional<SagaRow> fence(Connection connection, UUID id, long epoch, Duration claimFor) throws SQLException {
        return new SagaRows(tables.on(connection)).fence(id, epoch, claimFor);
    }

    /** Locks the saga until the transaction ends, whoever has a claim on it. */
    Optional<SagaRow> lock(Connection connection, UUID id) throws SQLException {
        return new SagaRows(tables.on(connection)).lock(id);
    }

    /** Returns the journal in order of {@link JournalEntry#seq}. */
    List<JournalEntry> journal(Connection connection, UUID id) throws SQLException {
        return new SagaJournal(tables.on(connection)).of(id);
    }

    /** Writes down what a reply made of a step. The next runner that commits for this saga tells the listener. */
    void writeReply(Connection connection, StepEntry entry) throws SQLException {
        new SagaJournal(tables.on(connection)).write(entry, false);
    }

    /** Returns what replies have changed since the last transaction that asked; to be told after the commit. */
    List<StepReport> takeUnreported(Connection connection, UUID id) throws SQLException {
        return new SagaJournal(tables.on(connection)).takeUnreported(id);
    }

    /** Writes down what became of a step; its first entry gets the saga's next {@link JournalEntry#seq}. */
    void write(Connection connection, StepEntry entry) throws SQLException {
        new SagaJournal(tables.on(connection)).write(entry);
    }

    /**
     * Advances a saga that was locked in this transaction, and forgets how often it was claimed. The last statement of
     * a step: it proves that the transaction is the one that began with the lock, and still the epoch's.
     *
     * @return false if no row was changed; the caller must roll back
     */
    boolean advance(Connection connection, SagaRow locked, SagaUpdate change) throws SQLException {
        long epoch = locked.claim().epoch();
        return new SagaRows(tables.on(connection))
                .advance(locked.id(), epoch, locked.state().revision(), change);
    }

    /** Advances a saga that was inserted in this transaction, as {@link #advance} does. */
    boolean advanceInserted(Connection connection, UUID id, SagaUpdate change) throws SQLException {
        return new SagaRows(tables.on(connection)).advance(id, 0, 0, change);
    }

    /**
     * Fences, writes and advances in a transaction of its own, for what went wrong after that of the step was rolled
     * back. False: another epoch has it, nothing was written.
     */
    boolean record(UUID id, long epoch, StepEntry entry, SagaUpdate change) {
        return tables.transacted("record step %s of saga %s".formatted(entry.step(), id), session -> {
            SagaRows rows = new SagaRows(session);
            Optional<SagaRow> saga = rows.fence(id, epoch);
            if (saga.isEmpty()) {
                return false;
            }
            new SagaJournal(session).write(entry);
            return rows.advance(id, epoch, saga.get().state().revision(), change);
        });
    }

    /**
     * Locks the saga whose step waits for the reply to this command. Empty: no step waits for it (any more), or the
     * saga has turned back since. One that is STUCK should stay so.
     */
    Optional<AwaitedReply> awaited(Connection connection, String commandId) throws SQLException {
        // Others write headers: what cannot be an id of ours is not asked for.
        if (!COMMAND_ID.matcher(commandId).matches()) {
            return Optional.empty();
        }
        SagaJournal journal = new SagaJournal(tables.on(connection));
        Optional<UUID> id = journal.sagaAwaiting(commandId);
        Optional<SagaRow> saga = id.isPresent() ? lock(connection, id.get()) : Optional.empty();
        if (saga.isEmpty() || saga.get().status().finished()) {
            return Optional.empty();
        }
        Direction direction = saga.get().state().direction();
        return journal.of(saga.get().id()).stream()
                .filter(each -> commandId.equals(each.commandId()))
                .filter(each -> each.status() == StepStatus.WAITING && each.direction() == direction)
                .map(each -> new AwaitedReply(saga.get(), each))
                .findFirst();
    }

    /** Adds to the trail of the saga, whether it is there or not, in the transaction that does what is noted. */
    void audit(Connection connection, UUID sagaId, String action, Decision decision, @Nullable String detail)
            throws SQLException {
        new SagaTrail(tables.on(connection)).add(sagaId, action, decision, detail);
    }

    /** Counts the sagas that are not finished, by definition; those without a worker too. */
    Map<SagaVersion, Long> unfinished() {
        return tables.autoCommitted("count sagas", session -> {
            Map<SagaVersion, Long> counts = new LinkedHashMap<>();
            try (PreparedStatement statement = session.prepare(UNFINISHED);
                    ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    SagaVersion definition = new SagaVersion(row.getString("definition"), row.getInt("def_version"));
                    counts.put(definition, row.getLong("sagas"));
                }
            }
            return counts;
        });
    }
}

package dev.postrider.saga;

import dev.postrider.OutboxException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * The tables of the sagas. Whatever takes a connection works in the transaction that is open on it, at READ COMMITTED,
 * and leaves commit and rollback to the caller; everything else uses transactions of its own. Every time is the
 * database's. Whoever needs more than one row of a saga locks the saga first: {@link #fence}, {@link #lock} or
 * {@link #awaited}. Thread-safe.
 */
final class SagaStore {

    SagaStore(DataSource dataSource) {}

    /**
     * Stores a definition, or finds it stored.
     *
     * @throws OutboxException if this version is stored with another hash: its sagas would meet steps they do not know
     */
    void register(SagaVersion definition, String structureHash, String graph) {
        later();
    }

    /**
     * Inserts a saga, due at once if it is durable and running; an atomic one is never due.
     *
     * @return false if there is a saga with the business key; whoever inserts the same key at the same time waits for
     *     the other's outcome first. The transaction is usable either way
     */
    boolean insert(Connection connection, NewSaga saga) throws SQLException {
        return later();
    }

    /** Returns the saga, or empty. */
    Optional<SagaRow> find(UUID id) {
        return later();
    }

    /** Returns the saga of a definition, in whatever version, with this business key, or empty. */
    Optional<SagaRow> findByKey(String definition, String businessKey) {
        return later();
    }

    /** Returns the journal in order of {@link JournalEntry#seq}. */
    List<JournalEntry> journal(UUID id) {
        return later();
    }

    /**
     * Claims due sagas of these definitions that nobody has a claim on, the longest due first. Each gets the next
     * epoch, which fences whoever had it before.
     */
    List<ClaimedSaga> claim(Collection<SagaVersion> definitions, int limit, Duration claimFor, String by) {
        return later();
    }

    /** Claims one saga as {@link #claim} does, due or not; empty if another has a claim on it or it is not active. */
    Optional<ClaimedSaga> claimOne(UUID id, Duration claimFor, String by) {
        return later();
    }

    /** Makes the claim last for {@code claimFor} from now. False: another epoch has it. */
    boolean renew(UUID id, long epoch, Duration claimFor) {
        return later();
    }

    /** Ends the claim and changes nothing else. False: another epoch has it. */
    boolean release(UUID id, long epoch) {
        return later();
    }

    /**
     * Locks the saga until the transaction ends; the first statement of a step. Decide from what this returns and from
     * the journal read afterwards: a reply may have come since the claim.
     *
     * @return empty if another epoch has it, and whoever asks has to stop
     */
    Optional<SagaRow> fence(Connection connection, UUID id, long epoch) throws SQLException {
        return later();
    }

    /** Locks the saga until the transaction ends, whoever has a claim on it. */
    Optional<SagaRow> lock(Connection connection, UUID id) throws SQLException {
        return later();
    }

    /** Returns the journal in order of {@link JournalEntry#seq}. */
    List<JournalEntry> journal(Connection connection, UUID id) throws SQLException {
        return later();
    }

    /** Writes down what became of a step; its first entry gets the saga's next {@link JournalEntry#seq}. */
    void write(Connection connection, StepEntry entry) throws SQLException {
        later();
    }

    /**
     * Advances the saga, counts its revision and forgets how often it was claimed. The last statement of a step: it
     * proves that the transaction is alive and still the epoch's.
     *
     * @return false if no row was changed; the caller must roll back
     */
    boolean advance(Connection connection, UUID id, long epoch, Change change) throws SQLException {
        return later();
    }

    /**
     * Fences, writes and advances in a transaction of its own, for what went wrong after that of the step was rolled
     * back. False: another epoch has it, nothing was written.
     */
    boolean record(UUID id, long epoch, StepEntry entry, Change change) {
        return later();
    }

    /**
     * Locks the saga whose step waits for the reply to this command. Empty: no step waits for it (any more). Advance it
     * with the epoch of {@link SagaRow#claim}.
     */
    Optional<AwaitedReply> awaited(Connection connection, String commandId) throws SQLException {
        return later();
    }

    /** Adds to the trail of the saga, whether it is there or not; who is a person or, for a late reply, a consumer. */
    void audit(Connection connection, UUID sagaId, String action, String by, String reason, String detail)
            throws SQLException {
        later();
    }

    /** Counts the sagas that are neither finished nor rolled back, by definition; those without a worker too. */
    Map<SagaVersion, Long> unfinished() {
        return later();
    }

    @SuppressWarnings("TypeParameterUnusedInFormals")
    private static <T> T later() {
        throw new UnsupportedOperationException("not written yet");
    }
}

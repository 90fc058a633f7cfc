package dev.postrider.testkit;

import dev.postrider.MessageLimits;
import dev.postrider.MessageStatus;
import dev.postrider.OutboxMessage;
import dev.postrider.Receipt;
import dev.postrider.TenantPolicy;
import dev.postrider.admin.Attempt;
import dev.postrider.admin.AuditEntry;
import dev.postrider.admin.BlockedKey;
import dev.postrider.admin.ClosedTopic;
import dev.postrider.admin.Decision;
import dev.postrider.admin.OutboxAdmin;
import dev.postrider.admin.OutboxStats;
import dev.postrider.admin.RelayAdmin;
import dev.postrider.admin.StoredMessage;
import dev.postrider.admin.TopicStats;
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
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An outbox in memory that keeps the same contract as the databases. It has no threads, no randomness and no time of
 * its own, so the same calls always have the same results. Thread-safe.
 */
public final class InMemoryOutboxStore implements OutboxStore, OutboxAdmin {

    private final InstantSource clock;
    private final Rows rows = new Rows();
    private final Journal journal = new Journal();
    private final Control.Wishes wishes = new Control.Wishes();
    private final ShardOwners ownership = new ShardOwners(rows, journal, wishes);
    private final Fetching fetching = new Fetching(rows, ownership, journal);
    private final Leasing leasing = new Leasing(rows, ownership, journal);
    private final History history = new History();
    private final Settling settling = new Settling(rows, ownership, history);
    private final Operating operating = new Operating(rows, ownership, journal);
    private final Enqueuing enqueuing;

    /** Makes an empty outbox whose times are those of {@code clock}. */
    public InMemoryOutboxStore(InstantSource clock) {
        this(clock, MessageLimits.defaults(), TenantPolicy.DEDUPE_KEY_BEGINS_WITH_TENANT);
    }

    /** Makes an empty outbox that refuses messages beyond these limits. */
    public InMemoryOutboxStore(InstantSource clock, MessageLimits limits, TenantPolicy tenantPolicy) {
        this.clock = clock;
        this.enqueuing = new Enqueuing(rows, limits, tenantPolicy);
    }

    /** Begins a transaction. Any number may be open at the same time. */
    public InMemoryTransaction begin() {
        return new InMemoryTransaction(this);
    }

    /** Gives the row of a committed message a defect, as if it had been changed behind the store's back. */
    public synchronized void damage(UUID id, String defect) {
        row(id).defect = Objects.requireNonNull(defect, "defect");
    }

    /** Undoes {@link #damage}. */
    public synchronized void repair(UUID id) {
        row(id).defect = null;
    }

    /** Returns what operators see of the relays of this outbox, and want of them. */
    public RelayAdmin relays() {
        return new Control(this, clock, wishes, ownership, operating);
    }

    /** Returns what was done to messages, by whom and why, in the order in which it was done. */
    public synchronized List<AuditEntry> audit() {
        return operating.audit();
    }

    private Row row(UUID id) {
        Row row = rows.withId(id);
        if (row == null) {
            throw new IllegalArgumentException("No message has the id " + id);
        }
        return row;
    }

    @Override
    public synchronized Membership renew(RelayReport report, Duration ownFor) {
        return ownership.renew(report, ownFor, clock.instant());
    }

    @Override
    public synchronized Acquired acquire(String relay, Set<Integer> shards) {
        return ownership.acquire(relay, shards, clock.instant());
    }

    @Override
    public synchronized void release(String relay, List<OwnedShard> shards) {
        ownership.release(relay, shards);
    }

    @Override
    public synchronized void leave(String relay) {
        ownership.leave(relay);
    }

    @Override
    public synchronized void saveLowWater(String relay, long seq) {
        ownership.saveLowWater(relay, seq);
    }

    @Override
    public synchronized FetchedPage fetch(FetchRequest request, SeqRange range, int rows) {
        return fetching.fetch(request, range, rows, clock.instant());
    }

    @Override
    public synchronized FetchedDue fetchDue(FetchRequest request, @Nullable DuePosition after) {
        return fetching.fetchDue(request, after, clock.instant());
    }

    @Override
    public synchronized List<Long> appeared(Set<Integer> shards, TopicFilter topics, List<SeqRange> holes) {
        return fetching.appeared(shards, topics, holes);
    }

    @Override
    public synchronized Optional<Set<Writer>> writers() {
        return Optional.of(enqueuing.writers());
    }

    @Override
    public synchronized List<ClaimedMessage> claimUnsharded(
            String owner, int limit, Duration claimFor, int maxAttempts, @Nullable String namespace) {
        return leasing.claim(owner, limit, claimFor, maxAttempts, namespace, clock.instant());
    }

    @Override
    public synchronized Settled settle(List<Settlement> outcomes) {
        return settling.settle(outcomes, clock.instant());
    }

    @Override
    public synchronized boolean beginTrial(ClaimedMessage claimed) {
        return settling.beginTrial(claimed, clock.instant());
    }

    @Override
    public synchronized Unblocked unblock(Set<Integer> shards, long after) {
        return settling.unblock(shards, after, clock.instant());
    }

    @Override
    public synchronized void saveGates(String relay, List<ClosedGate> closed) {
        ownership.saveGates(
                relay,
                closed.stream()
                        .map(gate -> new ClosedTopic(
                                gate.topic(), relay, clock.instant().minus(gate.closedFor()), gate.error()))
                        .toList());
    }

    @Override
    public synchronized List<ClosedTopic> closedTopics() {
        return ownership.closedTopics(clock.instant());
    }

    @Override
    public boolean decrypts() {
        return false;
    }

    @Override
    public synchronized Optional<StoredMessage> find(UUID id) {
        return Optional.ofNullable(rows.withId(id)).map(operating::shown);
    }

    @Override
    public synchronized List<Attempt> attempts(UUID id) {
        return history.of(id);
    }

    @Override
    public synchronized List<StoredMessage> list(MessageStatus status, long after, int limit) {
        return operating.list(status, after, limit);
    }

    @Override
    public synchronized List<BlockedKey> blockedKeys(int limit) {
        return operating.blockedKeys(limit);
    }

    @Override
    public synchronized int requeue(Collection<UUID> ids, Decision decision) {
        return operating.requeue(ids, decision, clock.instant());
    }

    @Override
    public synchronized int discard(Collection<UUID> ids, Decision decision) {
        return operating.discard(ids, decision, clock.instant(), enqueuing::forget);
    }

    @Override
    public synchronized int replay(Collection<UUID> ids, Decision decision) {
        return operating.replay(ids, decision, clock.instant());
    }

    @Override
    public synchronized int purge(Duration age, int limit, Decision decision) {
        return operating.purge(age, limit, clock.instant(), enqueuing::forget);
    }

    @Override
    public synchronized OutboxStats stats() {
        return operating.stats(clock.instant());
    }

    @Override
    public synchronized TopicStats topicStats() {
        return operating.topicStats(clock.instant());
    }

    List<Receipt> enqueue(InMemoryTransaction transaction, List<OutboxMessage> messages) {
        enqueuing.check(messages);
        return messages.stream().map(message -> enqueue(transaction, message)).toList();
    }

    synchronized void commit(InMemoryTransaction transaction) {
        enqueuing.commit(transaction);
        notifyAll();
    }

    synchronized void rollback(InMemoryTransaction transaction) {
        enqueuing.rollback(transaction);
        notifyAll();
    }

    // As a unique index would, a duplicate waits until the transaction that came first has ended.
    private synchronized Receipt enqueue(InMemoryTransaction transaction, OutboxMessage message) {
        boolean interrupted = false;
        while (enqueuing.mustWait(transaction, message)) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return enqueuing.enqueue(transaction, message, clock.instant());
    }
}

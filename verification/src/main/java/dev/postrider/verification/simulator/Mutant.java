package dev.postrider.verification.simulator;

import dev.postrider.admin.OutboxAdmin;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.Settlement;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The engine as it is, or broken in one way, each with the invariant that has to notice. */
enum Mutant {
    /** The engine as it is. */
    NONE(null),
    /** An outcome is written whatever its epoch. */
    UNFENCED_SETTLE(Invariant.FENCED),
    /** Only deliveries are fenced by their epoch. */
    UNFENCED_RETRY(Invariant.FENCED),
    /** Nothing below the highest row that was read is ever read again. */
    GLOBAL_CURSOR(Invariant.LIVENESS),
    /** Only the audit finds what committed late. */
    GAPS_IGNORED(Invariant.ORDER),
    /** Only the last two holes are remembered. */
    GAPS_FORGOTTEN(Invariant.ORDER),
    /** No open transaction is listed: only the audit finds what committed late. */
    WRITERS_IGNORED(Invariant.ORDER),
    /** Every open transaction seems to begin with the reading that lists it: it has no birth. */
    WRITERS_RENAMED(Invariant.ORDER),
    /** The open transactions are read before the rows. */
    WRITERS_READ_EARLY(Invariant.ORDER),
    /** A message counts as delivered once it is fetched. */
    DELETE_ON_FETCH(Invariant.STATES),
    /** Shards are taken from owners that live. */
    EARLY_STEAL(Invariant.OWNERSHIP),
    /** A row that was in flight when its shard changed hands is handed to nobody. */
    LOST_CLAIM_NEVER_RETURNED(Invariant.LIVENESS),
    /** A relay that has lost its shards fetches from them all the same. */
    EPOCH_IGNORED(Invariant.OWNERSHIP),
    /** A relay fetches from shards of others. */
    ANY_SHARD(Invariant.OWNERSHIP),
    /** A failed message does not hold its key. */
    HELD_KEY_IGNORED(Invariant.ORDER),
    /** What waits behind a message never becomes due. */
    BEHIND_NEVER_PROMOTED(Invariant.LIVENESS),
    /** A message that is put behind another loses an attempt. */
    BEHIND_COSTS_ATTEMPT(Invariant.STATES),
    /** A row gets the payload of its neighbour. */
    PAYLOAD_MIXED(Invariant.INTACT),
    /** A damaged row is published like any other. */
    DEFECT_IGNORED(Invariant.INTACT),
    /** The store does not record which message is on trial. */
    TRIAL_FORGOTTEN(Invariant.QUARANTINE),
    /** The wall clock of the caller decides which relay lives. */
    WALL_CLOCK(Invariant.OWNERSHIP),
    /** A message can be requeued whatever its state. */
    REQUEUE_UNGUARDED(Invariant.STATES),
    /** A relay goes on sending after its ownership has ended. */
    OWNERSHIP_CLOCK_IGNORED(Invariant.SENT_WHILE_OWNED),
    /** A relay believes to own its shards for longer than the store was told. */
    OWNERSHIP_OVERRATED(Invariant.SENT_WHILE_OWNED),
    /** A relay sends rows that no fetch has returned. */
    ROWS_NOT_FETCHED(Invariant.FETCHED_BEFORE_SENT),
    /** Delivered rows are deleted, by no person and no purge. */
    PURGED_AT_ONCE(Invariant.ROW_KEPT),
    /** All relays have the same name. */
    SAME_NAME(Invariant.OWNERSHIP),
    /** An outcome that was not written is only counted. */
    LOST_OUTCOME_IGNORED(Invariant.LIVENESS),
    /** A batch of outcomes that was written is written again for ever. */
    SETTLE_REPEATED(Invariant.LIVENESS),
    /** A turn in which housekeeping is due fetches nothing. */
    HOUSEKEEPING_FIRST(Invariant.PROGRESS),
    /** A take-over that takes long is given up. */
    IMPATIENT_STANDBY(Invariant.PROGRESS),
    /** The table below the head is looked at only once. */
    AUDIT_ONCE(Invariant.PROGRESS),
    /** Two due messages of one key release each other. */
    DUE_RELEASED(Invariant.PROGRESS),
    /** Every look for due messages begins with the first. */
    DUE_FROM_START(Invariant.PROGRESS),
    /** The work for holes grows with their square, and the relay stands still meanwhile. */
    HOLES_QUADRATIC(Invariant.PROGRESS),
    /** All held keys are walked through before a heartbeat. */
    UNBLOCK_ON_HEARTBEAT(Invariant.PROGRESS),
    /** Every message goes alone, as if it were a suspect. */
    EVERYONE_SUSPECT(Invariant.PROGRESS),
    /** Outcomes wait for the locks of other sessions. */
    SETTLE_WAITS_FOR_LOCKS(Invariant.LIVENESS),
    /** A call waits for its answer for ever. */
    NO_NETWORK_TIMEOUT(Invariant.PROGRESS),
    /** A wave that throws is left to time out. */
    WAVE_TIMES_OUT(Invariant.STATES),
    /** A settle that failed is taken for written. */
    SETTLE_ERROR_SWALLOWED(Invariant.LIVENESS),
    /** The first failure is the last. */
    DEAD_INSTEAD_OF_RETRY(Invariant.DEATH_EXPLAINED),
    /** No failure is the last. */
    NEVER_GIVES_UP(Invariant.LIVENESS),
    /** All messages of a key are sent at once. */
    PIPELINED_KEY(Invariant.ORDER),
    /** A message counts as delivered before the broker has said so. */
    ACK_BEFORE_CONFIRM(Invariant.STATES),
    /** The publisher sends again on its own. */
    SENDS_TWICE(Invariant.EXPLAINED),
    /** An unreachable broker costs attempts. */
    INFRASTRUCTURE_COUNTS(Invariant.STATES),
    /** A rejected message counts as delivered. */
    REJECTED_IS_ACKED(Invariant.STATES),
    /** A second answer for one message counts for another. */
    ANSWERS_COUNTED_TWICE(Invariant.STATES);

    private final @Nullable Invariant broken;

    Mutant(@Nullable Invariant broken) {
        this.broken = broken;
    }

    /** Returns the invariant that this mistake breaks; null for the engine as it is. */
    @Nullable Invariant broken() {
        return broken;
    }

    /**
     * What a relay is given to work with.
     *
     * @param server the store itself, without the way to it
     */
    record Relay(OutboxStore store, OutboxStore server, MessagePublisher publisher) {}

    /** Changes the store all processes share. */
    OutboxStore storeSide(OutboxStore store, OutboxAdmin admin) {
        return switch (this) {
            case UNFENCED_SETTLE -> new BrokenStores.UnfencedSettle(store, outcome -> true);
            case UNFENCED_RETRY ->
                new BrokenStores.UnfencedSettle(store, outcome -> outcome.outcome() != Settlement.Outcome.DELIVERED);
            case GLOBAL_CURSOR -> new BrokenStores.GlobalCursor(store);
            case GAPS_IGNORED -> new BrokenStores.LastGaps(store, 0);
            case GAPS_FORGOTTEN -> new BrokenStores.LastGaps(store, 2);
            case PURGED_AT_ONCE -> new BrokenStores.PurgedAtOnce(store, admin);
            case WRITERS_IGNORED -> new BrokenStores.WritersChanged(store, BrokenStores::noWriters);
            case WRITERS_RENAMED -> new BrokenStores.WritersChanged(store, BrokenStores::renamedWriters);
            case DELETE_ON_FETCH -> new BrokenStores.DeleteOnFetch(store);
            case EARLY_STEAL -> new BrokenStores.EarlySteal(store);
            case LOST_CLAIM_NEVER_RETURNED -> new BrokenStores.LostStaysLost(store);
            case EPOCH_IGNORED -> new BrokenStores.EpochIgnored(store);
            case ANY_SHARD -> new BrokenStores.AnyShard(store);
            case HELD_KEY_IGNORED -> new BrokenStores.OutcomesChanged(store, BrokenStores::withoutHold);
            case BEHIND_NEVER_PROMOTED -> new BrokenStores.NeverPromoted(store);
            case PAYLOAD_MIXED -> new BrokenStores.PayloadMixed(store);
            case DEFECT_IGNORED -> new BrokenStores.DefectIgnored(store);
            case TRIAL_FORGOTTEN -> new BrokenStores.TrialForgotten(store);
            default -> store;
        };
    }

    /** Changes what one process works with. */
    Relay relaySide(Relay relay, RelayProcess process) {
        if (this == PIPELINED_KEY) {
            BrokenRelays.Pipelined hiding = new BrokenRelays.Pipelined(relay.store);
            return new Relay(hiding, relay.server, hiding.publisher(relay.publisher));
        }
        return new Relay(storeOf(relay, process), relay.server, publisherOf(relay.publisher));
    }

    private OutboxStore storeOf(Relay relay, RelayProcess process) {
        OutboxStore store = relay.store;
        return switch (this) {
            case HOUSEKEEPING_FIRST -> new StandingStill.HousekeepingFirst(store, process);
            case IMPATIENT_STANDBY -> new StandingStill.ImpatientStandby(store, process);
            case AUDIT_ONCE -> new StandingStill.AuditOnce(store);
            case DUE_RELEASED -> new StandingStill.DueReleased(store);
            case DUE_FROM_START -> new StandingStill.DueFromStart(store);
            case HOLES_QUADRATIC -> new StandingStill.HolesQuadratic(store, process);
            case UNBLOCK_ON_HEARTBEAT -> new StandingStill.UnblockOnHeartbeat(store, process);
            case EVERYONE_SUSPECT -> new StandingStill.EveryoneSuspect(store);
            case WRITERS_READ_EARLY -> new BrokenStores.WritersReadEarly(store);
            case OWNERSHIP_OVERRATED -> new BrokenRelays.OwnershipOverrated(store);
            case ROWS_NOT_FETCHED -> new BrokenRelays.RowsNotFetched(store, relay.server);
            case LOST_OUTCOME_IGNORED -> new BrokenRelays.LostOutcomeIgnored(store);
            case SETTLE_REPEATED -> new BrokenRelays.SettleRepeated(store);
            case SETTLE_ERROR_SWALLOWED -> new BrokenRelays.SettleErrorSwallowed(store);
            case DEAD_INSTEAD_OF_RETRY -> new BrokenStores.OutcomesChanged(store, BrokenRelays::deadInsteadOfRetry);
            case NEVER_GIVES_UP -> new BrokenStores.OutcomesChanged(store, BrokenRelays::retryInsteadOfDead);
            case BEHIND_COSTS_ATTEMPT -> new BrokenStores.OutcomesChanged(store, BrokenRelays::behindCosts);
            default -> store;
        };
    }

    private MessagePublisher publisherOf(MessagePublisher publisher) {
        return switch (this) {
            case ACK_BEFORE_CONFIRM -> BrokenRelays.ackBeforeConfirm(publisher);
            case SENDS_TWICE -> BrokenRelays.sendsTwice(publisher);
            case WAVE_TIMES_OUT -> BrokenRelays.throwSwallowed(publisher);
            case INFRASTRUCTURE_COUNTS -> BrokenRelays.answersChanged(publisher, BrokenRelays::infrastructureCounts);
            case REJECTED_IS_ACKED -> BrokenRelays.answersChanged(publisher, BrokenRelays::rejectedIsAcked);
            case ANSWERS_COUNTED_TWICE -> BrokenRelays.answersCounted(publisher);
            default -> publisher;
        };
    }

    /** How wrong the store's clock is when this process calls. */
    long clockError(int process) {
        return this == WALL_CLOCK ? (process % 3 - 1) * 900_000_000L : 0;
    }

    // A clock that hardly moves: the ownership never seems to end.
    LongSupplier clock(LongSupplier clock) {
        return this == OWNERSHIP_CLOCK_IGNORED ? () -> clock.getAsLong() / 4 : clock;
    }

    /** The name of a process in the store. */
    String name(int process) {
        return this == SAME_NAME ? "relay" : "n" + process;
    }

    OutboxAdmin admin(OutboxAdmin admin) {
        return this == REQUEUE_UNGUARDED ? new UnguardedAdmin(admin) : admin;
    }
}

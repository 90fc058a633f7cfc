package dev.postrider.verification.simulator;

import dev.postrider.admin.OutboxAdmin;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spi.OutboxStore;
import java.util.function.LongSupplier;

/** The engine as it is, or broken in one way, to see whether the checker notices. */
enum Mutant {
    /** The engine as it is. */
    NONE,
    /** A settle is written whatever its token. */
    UNFENCED_SETTLE,
    /** Nothing below the cursor is ever looked at. */
    GLOBAL_CURSOR,
    /** Only the sweep finds what committed late. */
    GAPS_IGNORED,
    /** No open transaction is listed: only the sweep finds what committed late. */
    WRITERS_IGNORED,
    /** Every open transaction seems to begin with the reading that lists it: it has no birth. */
    WRITERS_RENAMED,
    /** A message counts as delivered once it is claimed. */
    DELETE_ON_CLAIM,
    /** Shards are taken from owners that live. */
    EARLY_STEAL,
    /** A row whose claim was lost is handed to nobody. */
    LOST_CLAIM_NEVER_RETURNED,
    /** What is in flight under the current epoch can be claimed again. */
    EPOCH_IGNORED,
    /** A relay claims in shards of others. */
    ANY_SHARD,
    /** A failed message does not hold its key. */
    HELD_KEY_IGNORED,
    /** What waits behind a message is never called. */
    BEHIND_NEVER_PROMOTED,
    /** A row gets the payload of its neighbour. */
    PAYLOAD_MIXED,
    /** A damaged row is published like any other. */
    DEFECT_IGNORED,
    /** A message that was only given back loses an attempt. */
    RELEASE_COSTS_ATTEMPT,
    /** Nobody writes down which message is on trial. */
    TRIAL_FORGOTTEN,
    /** The wall clock of the caller decides what has expired. */
    WALL_CLOCK,
    /** A message can be requeued whatever its state. */
    REQUEUE_UNGUARDED,
    /** A relay goes on sending after its ownership has ended. */
    OWNERSHIP_CLOCK_IGNORED,
    /** A settle that failed is taken for written. */
    SETTLE_ERROR_SWALLOWED,
    /** A failed claim is repeated under another token. */
    TOKEN_FORGOTTEN,
    /** The first failure is the last. */
    DEAD_INSTEAD_OF_RETRY,
    /** No failure is the last. */
    NEVER_GIVES_UP,
    /** All messages of a key are sent at once. */
    PIPELINED_KEY,
    /** A message counts as delivered before the broker has said so. */
    ACK_BEFORE_CONFIRM,
    /** The publisher sends again on its own. */
    SENDS_TWICE,
    /** An unreachable broker costs attempts. */
    INFRASTRUCTURE_COUNTS,
    /** A rejected message counts as delivered. */
    REJECTED_IS_ACKED,
    /** A second answer for one message counts for another. */
    ANSWERS_COUNTED_TWICE;

    /** What a relay is given to work with. */
    record Relay(OutboxStore store, MessagePublisher publisher) {}

    /** Changes the store all processes share. */
    OutboxStore storeSide(OutboxStore store) {
        return switch (this) {
            case UNFENCED_SETTLE -> new BrokenStores.UnfencedSettle(store);
            case GLOBAL_CURSOR -> new BrokenStores.GlobalCursor(store);
            case GAPS_IGNORED -> new BrokenStores.GapsIgnored(store);
            case DELETE_ON_CLAIM -> new BrokenStores.DeleteOnClaim(store);
            case EARLY_STEAL -> new BrokenStores.EarlySteal(store);
            case LOST_CLAIM_NEVER_RETURNED -> new BrokenStores.LostStaysLost(store);
            case EPOCH_IGNORED -> new BrokenStores.EpochIgnored(store);
            case ANY_SHARD -> new BrokenStores.AnyShard(store);
            case HELD_KEY_IGNORED -> new BrokenStores.HeldKeyIgnored(store);
            case BEHIND_NEVER_PROMOTED -> new BrokenStores.NeverPromoted(store);
            case PAYLOAD_MIXED -> new BrokenStores.PayloadMixed(store);
            case DEFECT_IGNORED -> new BrokenStores.DefectIgnored(store);
            case RELEASE_COSTS_ATTEMPT -> new BrokenStores.ReleaseCosts(store);
            case WRITERS_IGNORED -> new BrokenStores.WritersIgnored(store);
            case WRITERS_RENAMED -> new BrokenStores.WritersRenamed(store);
            case TRIAL_FORGOTTEN -> new BrokenStores.TrialForgotten(store);
            default -> store;
        };
    }

    /** Changes what one process works with. */
    Relay relaySide(OutboxStore store, MessagePublisher publisher) {
        if (this == PIPELINED_KEY) {
            BrokenRelays.Pipelined hiding = new BrokenRelays.Pipelined(store);
            return new Relay(hiding, hiding.publisher(publisher));
        }
        return new Relay(storeOf(store), publisherOf(publisher));
    }

    private OutboxStore storeOf(OutboxStore store) {
        return switch (this) {
            case SETTLE_ERROR_SWALLOWED -> new BrokenRelays.SettleErrorSwallowed(store);
            case TOKEN_FORGOTTEN -> new BrokenRelays.TokenForgotten(store);
            case DEAD_INSTEAD_OF_RETRY -> new BrokenRelays.OutcomeChanged(store, BrokenRelays::deadInsteadOfRetry);
            case NEVER_GIVES_UP -> new BrokenRelays.OutcomeChanged(store, BrokenRelays::retryInsteadOfDead);
            default -> store;
        };
    }

    private MessagePublisher publisherOf(MessagePublisher publisher) {
        return switch (this) {
            case ACK_BEFORE_CONFIRM -> BrokenRelays.ackBeforeConfirm(publisher);
            case SENDS_TWICE -> BrokenRelays.sendsTwice(publisher);
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

    OutboxAdmin admin(OutboxAdmin admin) {
        return this == REQUEUE_UNGUARDED ? new UnguardedAdmin(admin) : admin;
    }
}

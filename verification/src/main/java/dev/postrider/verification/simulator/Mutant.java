package dev.postrider.verification.simulator;

import dev.postrider.admin.OutboxAdmin;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spi.OutboxStore;
import java.util.function.Function;
import java.util.function.LongSupplier;

/** The engine as it is, or broken in one way, to see whether the checker notices. */
enum Mutant {
    NONE(store -> store, Relay::asItIs),
    UNFENCED_SETTLE(BrokenStores.UnfencedSettle::new, Relay::asItIs),
    GLOBAL_CURSOR(BrokenStores.GlobalCursor::new, Relay::asItIs),
    DELETE_ON_CLAIM(BrokenStores.DeleteOnClaim::new, Relay::asItIs),
    EARLY_STEAL(BrokenStores.EarlySteal::new, Relay::asItIs),
    LOST_CLAIM_NEVER_RETURNED(BrokenStores.LostStaysLost::new, Relay::asItIs),
    EPOCH_IGNORED(BrokenStores.EpochIgnored::new, Relay::asItIs),
    ANY_SHARD(BrokenStores.AnyShard::new, Relay::asItIs),
    HELD_KEY_IGNORED(BrokenStores.HeldKeyIgnored::new, Relay::asItIs),
    BEHIND_NEVER_PROMOTED(BrokenStores.NeverPromoted::new, Relay::asItIs),
    PAYLOAD_MIXED(BrokenStores.PayloadMixed::new, Relay::asItIs),
    RELEASE_COSTS_ATTEMPT(BrokenStores.ReleaseCosts::new, Relay::asItIs),
    TRIAL_FORGOTTEN(BrokenStores.TrialForgotten::new, Relay::asItIs),
    WALL_CLOCK(store -> store, Relay::asItIs),
    REQUEUE_UNGUARDED(store -> store, Relay::asItIs),
    OWNERSHIP_CLOCK_IGNORED(store -> store, Relay::asItIs),
    SETTLE_ERROR_SWALLOWED(store -> store, relay -> relay.store(BrokenRelays.SettleErrorSwallowed::new)),
    TOKEN_FORGOTTEN(store -> store, relay -> relay.store(BrokenRelays.TokenForgotten::new)),
    DEAD_INSTEAD_OF_RETRY(
            store -> store,
            relay -> relay.store(store -> new BrokenRelays.OutcomeChanged(store, BrokenRelays::deadInsteadOfRetry))),
    NEVER_GIVES_UP(
            store -> store,
            relay -> relay.store(store -> new BrokenRelays.OutcomeChanged(store, BrokenRelays::retryInsteadOfDead))),
    PIPELINED_KEY(store -> store, Relay::pipelined),
    ACK_BEFORE_CONFIRM(store -> store, relay -> relay.publisher(BrokenRelays::ackBeforeConfirm)),
    SENDS_TWICE(store -> store, relay -> relay.publisher(BrokenRelays::sendsTwice)),
    INFRASTRUCTURE_COUNTS(
            store -> store,
            relay -> relay.publisher(p -> BrokenRelays.answersChanged(p, BrokenRelays::infrastructureCounts))),
    REJECTED_IS_ACKED(
            store -> store,
            relay -> relay.publisher(p -> BrokenRelays.answersChanged(p, BrokenRelays::rejectedIsAcked))),
    ANSWERS_COUNTED_TWICE(store -> store, relay -> relay.publisher(BrokenRelays::answersCounted));

    /** What a relay is given to work with. */
    record Relay(OutboxStore store, MessagePublisher publisher) {

        Relay asItIs() {
            return this;
        }

        Relay store(Function<OutboxStore, OutboxStore> change) {
            return new Relay(change.apply(store), publisher);
        }

        Relay publisher(Function<MessagePublisher, MessagePublisher> change) {
            return new Relay(store, change.apply(publisher));
        }

        Relay pipelined() {
            BrokenRelays.Pipelined hiding = new BrokenRelays.Pipelined(store);
            return new Relay(hiding, hiding.publisher(publisher));
        }
    }

    private final Function<OutboxStore, OutboxStore> storeSide;
    private final Function<Relay, Relay> relaySide;

    Mutant(Function<OutboxStore, OutboxStore> storeSide, Function<Relay, Relay> relaySide) {
        this.storeSide = storeSide;
        this.relaySide = relaySide;
    }

    /** Changes the store all processes share. */
    OutboxStore storeSide(OutboxStore store) {
        return storeSide.apply(store);
    }

    /** Changes what one process works with. */
    Relay relaySide(OutboxStore store, MessagePublisher publisher) {
        return relaySide.apply(new Relay(store, publisher));
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

package dev.postrider.testkit;

import dev.postrider.admin.OutboxAdmin;
import dev.postrider.admin.RelayAdmin;
import dev.postrider.spi.OutboxStore;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;

/**
 * What every store must do. A store proves itself by a subclass that hands it over; every test has to begin with an
 * empty outbox in which no relay lives, whose messages are refused above the default limits.
 */
public abstract class OutboxStoreContract
        implements EnqueueContract,
                OwnershipContract,
                FetchContract,
                JournalContract,
                ScanContract,
                SettleContract,
                FenceContract,
                TrialContract,
                KeyOrderContract,
                HeldKeyContract,
                UnshardedContract,
                IntegrityContract,
                AttemptContract,
                AdminContract,
                RelayAdminContract {

    /** For subclasses. */
    protected OutboxStoreContract() {}

    /** The store under test. */
    @Override
    public abstract OutboxStore store();

    /** What a person may do to the same outbox. */
    @Override
    public abstract OutboxAdmin admin();

    /** What a person may want of the relays of the same outbox. */
    @Override
    public abstract RelayAdmin relays();

    /** Begins a transaction of its own in the same outbox; any number may be open, in any thread. */
    @Override
    public abstract OutboxTransaction begin();

    /** Changes the row of a committed message behind the store's back, so that it is no longer what was enqueued. */
    @Override
    public abstract void damage(UUID id);

    /** Undoes {@link #damage}. */
    @Override
    public abstract void repair(UUID id);

    /**
     * Locks the row of a committed message in a session of its own until the returned transaction ends; empty if the
     * store has no locks on rows, which is the default.
     */
    @Override
    public Optional<OutboxTransaction> lockRow(UUID id) {
        return Optional.empty();
    }

    /** Lets so much time pass in the store; by default by waiting for it. */
    @Override
    public void advance(Duration duration) {
        long end = System.nanoTime() + duration.toNanos();
        for (long left = duration.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}

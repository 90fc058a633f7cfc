package dev.postrider;

/**
 * Hears of every message that was enqueued. It was inserted, but its transaction is still open and may yet roll back:
 * nothing tells an outbox of the commit. Called on the thread of that transaction: implementations are thread-safe,
 * quick and do not throw.
 */
@FunctionalInterface
public interface EnqueueListener {

    /** The message was inserted; one whose dedupe key was there before is not told. */
    void enqueued(OutboxMessage message);
}

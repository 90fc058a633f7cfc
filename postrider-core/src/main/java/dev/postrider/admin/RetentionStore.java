package dev.postrider.admin;

/**
 * Removes what is no longer kept. Any number of processes may do it at the same time; whatever somebody else has locked
 * is left for the next time. Implementations are thread-safe.
 */
public interface RetentionStore {

    /**
     * Removes one batch of up to {@code limit} rows in one short transaction. To be called again until the step says
     * that it was the last one.
     *
     * @return what was removed, and whether there is more to look at
     */
    RetentionStep step(Retention policy, int limit);
}

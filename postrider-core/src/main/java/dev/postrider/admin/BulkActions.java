package dev.postrider.admin;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Actions on many messages at once, on a selection that is frozen before it starts. Everything is kept in the database:
 * an action that was paused, or whose process is gone, goes on from any process. Implementations are thread-safe.
 */
public interface BulkActions {

    /**
     * Freezes the selection and counts it; nothing is changed yet.
     *
     * @param filter its status must be the one the action needs, or null
     * @throws IllegalArgumentException if the action cannot be done to messages in the filter's status
     */
    BulkPlan prepare(BulkAction action, MessageFilter filter, Decision decision);

    /**
     * Runs a prepared, paused or abandoned action on the calling thread, in small transactions, until it has ended, or
     * somebody pauses or cancels it, or this thread is interrupted.
     *
     * @return how far it got
     * @throws dev.postrider.OutboxException if it cannot be run: unknown, ended, prepared more than an hour ago, or
     *     being run by somebody else
     */
    BulkProgress run(UUID id, BulkOptions options);

    /** Stops a running action after the batch that is under way; {@link #run} goes on with it. */
    BulkProgress pause(UUID id, Decision decision);

    /** Stops an action for good after the batch that is under way. */
    BulkProgress cancel(UUID id, Decision decision);

    /** Returns how far an action is. */
    Optional<BulkProgress> progress(UUID id);

    /** Lists what became of the messages of an action, by sequence, above {@code after}; null means any result. */
    List<BulkRow> rows(UUID id, @Nullable BulkResult result, long after, int limit);

    /** Lists actions, the newest first. */
    List<BulkProgress> list(int limit);
}

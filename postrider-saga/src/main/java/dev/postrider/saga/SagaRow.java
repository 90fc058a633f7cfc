package dev.postrider.saga;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A saga as it is stored.
 *
 * @param head what never changes
 * @param state where it is
 * @param claim who runs it
 * @param times when what happened and will happen
 */
record SagaRow(SagaHead head, State state, Claim claim, Times times) {

    UUID id() {
        return head.id();
    }

    SagaStatus status() {
        return state.status();
    }

    /**
     * Where a saga is.
     *
     * @param direction whether it goes on or back; a saga that is STUCK or WAITING keeps the one it had
     * @param context encoded
     * @param revision larger by a random amount each time the saga was locked by a transaction that committed
     * @param failure why it turned back or stopped
     */
    record State(
            SagaStatus status,
            Direction direction,
            String context,
            long revision,
            boolean pivotPassed,
            @Nullable SagaFailure failure) {}

    /**
     * Who runs a saga. The epoch stays when a claim ends.
     *
     * @param by null: nobody
     * @param until by the database's clock; null: nobody
     * @param count how often it was claimed since it was last advanced
     */
    record Claim(@Nullable String by, @Nullable Instant until, long epoch, int count) {}

    /**
     * All by the database's clock.
     *
     * @param readAt when this was read, to tell how far away the others are
     * @param wakeAt when it is due; null: never
     */
    record Times(
            Instant readAt,
            Instant createdAt,
            Instant updatedAt,
            @Nullable Instant wakeAt,
            @Nullable Instant deadlineAt,
            @Nullable Instant finishedAt) {}
}

package dev.postrider.saga;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A saga to insert.
 *
 * @param status RUNNING, or ROLLED_BACK for one that left nothing else. The latter needs a head without a business key:
 *     the key must stay free for the next try
 * @param context encoded
 * @param deadline how long from now until it has to be finished; null: no matter how long
 * @param failure why it was rolled back
 */
record NewSaga(
        SagaHead head,
        SagaStatus status,
        String context,
        @Nullable Duration deadline,
        @Nullable SagaFailure failure) {

    static NewSaga running(SagaHead head, String context, @Nullable Duration deadline) {
        return new NewSaga(head, SagaStatus.RUNNING, context, deadline, null);
    }
}

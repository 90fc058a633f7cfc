package dev.postrider.saga;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A saga in a list.
 *
 * @param id the saga
 * @param definition the name of its definition
 * @param version the version of its definition
 * @param businessKey the key it was started with; null if there is none
 * @param status where it is
 * @param failure why it turned back or stopped; null if it did not
 * @param createdAt when it was started, by the database's clock
 * @param updatedAt when something last happened to it
 */
public record SagaSummary(
        UUID id,
        String definition,
        int version,
        @Nullable String businessKey,
        SagaStatus status,
        @Nullable SagaFailure failure,
        Instant createdAt,
        Instant updatedAt) {

    static SagaSummary of(SagaRow row) {
        SagaHead head = row.head();
        return new SagaSummary(
                head.id(),
                head.definition().name(),
                head.definition().version(),
                head.businessKey(),
                row.status(),
                row.state().failure(),
                row.times().createdAt(),
                row.times().updatedAt());
    }
}

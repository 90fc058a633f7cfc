package dev.postrider.console.saga;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.postrider.saga.Direction;
import dev.postrider.saga.JournalEntry;
import dev.postrider.saga.SagaAuditEntry;
import dev.postrider.saga.SagaDetails;
import dev.postrider.saga.SagaFailure;
import dev.postrider.saga.SagaStatus;
import dev.postrider.saga.SagaSummary;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A saga in a list. */
record SagaView(
        UUID id,
        String definition,
        int version,
        @Nullable String businessKey,
        SagaStatus status,
        @Nullable SagaFailureView failure,
        Instant created,
        Instant updated) {

    /** Why a saga turned back or stopped. */
    record SagaFailureView(
            @Nullable String step, String type, @Nullable String message) {}

    /** An entry of the journal. */
    record JournalView(
            String step,
            String direction,
            String status,
            int attempts,
            @Nullable String error,
            Instant started,
            @Nullable Instant finished) {

        static JournalView of(JournalEntry entry) {
            return new JournalView(
                    entry.step(),
                    entry.direction() == Direction.FORWARD ? "FORWARD" : "BACK",
                    entry.status().name(),
                    entry.attempts(),
                    entry.error(),
                    entry.startedAt(),
                    entry.finishedAt());
        }
    }

    /** Everything about a saga. */
    record SagaDetailView(
            @JsonUnwrapped SagaView saga,
            long revision,
            boolean pivotPassed,
            SagaDetails.Schedule schedule,
            List<JournalView> journal,
            List<SagaAuditEntry> audit,
            SagaGraph graph,
            @Nullable String context) {}

    static SagaView of(SagaSummary saga) {
        SagaFailure failure = saga.failure();
        return new SagaView(
                saga.id(),
                saga.definition(),
                saga.version(),
                saga.businessKey(),
                saga.status(),
                failure == null ? null : new SagaFailureView(failure.step(), failure.type(), failure.message()),
                saga.createdAt(),
                saga.updatedAt());
    }
}

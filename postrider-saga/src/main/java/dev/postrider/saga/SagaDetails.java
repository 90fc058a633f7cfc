package dev.postrider.saga;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything about a saga.
 *
 * @param saga what a list says about it
 * @param context what its steps know, as its codec wrote it; it may be confidential
 * @param revision a number that is another one whenever something has happened to it
 * @param pivotPassed whether it is past the point of no return
 * @param schedule when and where it goes on
 * @param journal what became of its steps, in the order in which they were begun
 * @param audit what people did to it, the earliest first
 */
public record SagaDetails(
        SagaSummary saga,
        String context,
        long revision,
        boolean pivotPassed,
        Schedule schedule,
        List<JournalEntry> journal,
        List<SagaAuditEntry> audit) {

    /** Keeps copies of the lists. */
    public SagaDetails {
        journal = List.copyOf(journal);
        audit = List.copyOf(audit);
    }

    /**
     * When and where a saga goes on; all times are the database's.
     *
     * @param wakeAt when it is due; null if no runner takes it up by itself
     * @param deadlineAt when it has to be finished; null if no matter when
     * @param claimedBy who runs it; null if nobody does
     * @param claimedUntil until when nobody else may
     * @param epoch how often it changed hands
     */
    public record Schedule(
            @Nullable Instant wakeAt,
            @Nullable Instant deadlineAt,
            @Nullable String claimedBy,
            @Nullable Instant claimedUntil,
            long epoch) {}

    static SagaDetails of(SagaRow row, List<JournalEntry> journal, List<SagaAuditEntry> audit) {
        SagaRow.Claim claim = row.claim();
        return new SagaDetails(
                SagaSummary.of(row),
                row.state().context(),
                row.state().revision(),
                row.state().pivotPassed(),
                new Schedule(row.times().wakeAt(), row.times().deadlineAt(), claim.by(), claim.until(), claim.epoch()),
                journal,
                audit);
    }

    /** Names the saga without its context, which may be confidential. */
    @Override
    public String toString() {
        return "SagaDetails[%s %s v%d %s, revision %d, %d journal entries]"
                .formatted(saga.id(), saga.definition(), saga.version(), saga.status(), revision, journal.size());
    }
}

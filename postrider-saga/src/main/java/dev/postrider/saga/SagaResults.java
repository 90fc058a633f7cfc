package dev.postrider.saga;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Stored sagas as their callers see them. */
final class SagaResults {

    private SagaResults() {}

    static <C> SagaResult<C> of(SagaStore store, Blueprint<C> blueprint, SagaRow row) {
        boolean atomic = row.head().mode() == SagaMode.ATOMIC;
        return of(blueprint, row, atomic ? List.of() : store.journal(row.id()));
    }

    static <C> SagaResult<C> of(Blueprint<C> blueprint, SagaRow row, List<JournalEntry> journal) {
        C context = Contexts.decode(blueprint, row);
        if (row.head().mode() == SagaMode.ATOMIC && row.status() == SagaStatus.COMPLETED) {
            return completed(blueprint, row.id(), context);
        }
        List<StepReport> steps = journal.stream().map(StepReport::of).toList();
        SagaFailure why =
                Optional.ofNullable(row.state().failure()).orElseGet(() -> new SagaFailure(null, "UNKNOWN", null));
        return switch (row.status()) {
            case COMPLETED -> new SagaResult.Completed<>(row.id(), context, steps);
            case COMPENSATED -> new SagaResult.Compensated<>(row.id(), context, steps, why);
            case ROLLED_BACK -> new SagaResult.RolledBack<>(row.id(), context, why);
            case STUCK -> new SagaResult.Stuck<>(row.id(), context, steps, why);
            case RUNNING, WAITING, COMPENSATING ->
                new SagaResult.Running<>(
                        row.id(),
                        row.status(),
                        context,
                        steps,
                        Optional.ofNullable(row.state().failure()));
        };
    }

    /** A saga that ran in one transaction has no journal: all its steps are done. */
    static <C> SagaResult<C> completed(Blueprint<C> blueprint, UUID id, C context) {
        return new SagaResult.Completed<>(
                id, context, blueprint.steps().stream().map(StepReport::done).toList());
    }
}

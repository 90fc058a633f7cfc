package dev.postrider.console.message;

import dev.postrider.admin.BulkPlan;
import dev.postrider.admin.BulkProgress;
import dev.postrider.admin.BulkStatus;
import dev.postrider.console.filter.FilterGrammar;
import dev.postrider.console.filter.MessageQuery;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A bulk action and how far it is. */
record BulkView(
        UUID id,
        String action,
        String filter,
        String by,
        String reason,
        Instant cutOff,
        long expected,
        BulkStatus status,
        long done,
        long skipped,
        long failed,
        @Nullable Instant startedAt,
        Instant updatedAt,
        @Nullable String lastError,
        @Nullable List<UUID> samples) {

    static BulkView of(BulkProgress progress) {
        return of(progress, null);
    }

    static BulkView of(BulkProgress progress, @Nullable List<UUID> samples) {
        BulkPlan plan = progress.plan();
        return new BulkView(
                plan.id(),
                plan.action().name().toLowerCase(Locale.ROOT),
                FilterGrammar.render(MessageQuery.of(plan.filter())),
                plan.decision().by(),
                plan.decision().reason(),
                plan.cutOff(),
                plan.expected(),
                progress.status(),
                progress.done(),
                progress.skipped(),
                progress.failed(),
                progress.startedAt(),
                progress.updatedAt(),
                progress.lastError(),
                samples);
    }
}

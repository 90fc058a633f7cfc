package dev.postrider.console.live;

import dev.postrider.admin.AuditFilter;
import dev.postrider.admin.ClosedTopic;
import dev.postrider.admin.KnownRelay;
import dev.postrider.admin.MessageFilter;
import dev.postrider.admin.OutboxStats;
import dev.postrider.admin.Page;
import dev.postrider.admin.PausedTopic;
import dev.postrider.admin.RelayAdmin;
import dev.postrider.all.Postrider;
import dev.postrider.console.ConsoleSource;
import dev.postrider.console.message.AuditView;
import dev.postrider.console.message.DeadGroupView;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Asks a source the questions of a sample. Each is bounded; the dearest are asked less often. Not thread-safe. */
final class SourceReader {

    private static final int MOST_RELAYS = 200;
    private static final int SHOWN = 5;
    private static final long GROUPS_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long ACTIONS_NANOS = TimeUnit.SECONDS.toNanos(3);

    private final Postrider postrider;
    private final RelayAdmin relays;
    private List<DeadGroupView> groups = List.of();
    private List<AuditView> actions = List.of();
    private long groupsAt;
    private long actionsAt;
    private boolean begun;

    /** What was read. */
    record Reading(
            OutboxStats stats,
            long lastSeq,
            List<KnownRelay> relays,
            List<ClosedTopic> closed,
            List<PausedTopic> paused,
            List<DeadGroupView> groups,
            List<AuditView> actions) {}

    SourceReader(ConsoleSource source) {
        this.postrider = source.postrider();
        this.relays = postrider.relays();
    }

    Reading read(long nanos) {
        OutboxStats stats = postrider.admin().stats();
        if (!begun || nanos - actionsAt >= ACTIONS_NANOS) {
            actions = postrider.deadMessages().audit(AuditFilter.all(), Page.newest(SHOWN)).items().stream()
                    .map(AuditView::of)
                    .toList();
            actionsAt = nanos;
        }
        if (stats.dead() == 0) {
            groups = List.of();
        } else if (!begun || groups.isEmpty() || nanos - groupsAt >= GROUPS_NANOS) {
            groups = postrider.deadMessages().groups(MessageFilter.all(), SHOWN).stream()
                    .map(DeadGroupView::of)
                    .toList();
            groupsAt = nanos;
        }
        begun = true;
        return new Reading(
                stats,
                postrider.admin().lastSeq(),
                relays.relays(MOST_RELAYS),
                postrider.admin().closedTopics(),
                relays.pausedTopics(),
                groups,
                actions);
    }
}

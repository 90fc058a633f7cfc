package dev.postrider.console.live;

import dev.postrider.console.message.AuditView;
import dev.postrider.console.message.DeadGroupView;
import dev.postrider.console.route.CappedCount;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The first screen. */
record OverviewView(
        Instant at,
        SourceVerdict verdict,
        @Nullable OverviewCards cards,
        List<DeadGroupView> failures,
        List<AuditView> actions,
        List<String> changes) {

    /** The figures at the top. */
    record OverviewCards(
            @Nullable Double inPerSecond,
            @Nullable Double outPerSecond,
            long oldestPendingMillis,
            CappedCount pending,
            CappedCount waiting,
            CappedCount dead,
            CappedCount blockedKeys,
            int relays,
            int unownedShards) {}
}

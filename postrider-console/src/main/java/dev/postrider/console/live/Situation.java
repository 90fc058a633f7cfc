package dev.postrider.console.live;

import dev.postrider.admin.ClosedTopic;
import dev.postrider.admin.KnownRelay;
import dev.postrider.admin.OutboxStats;
import dev.postrider.admin.PausedTopic;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a source when its sentence is made.
 *
 * @param now the time
 * @param trouble why the source could not be read; null if it could
 * @param troubleSince since when it could not
 * @param stats the counts; null if the source was never read
 * @param relays relays in all processes
 * @param noRelaySince since when no relay is alive; null if one is
 * @param closed topics that relays cannot reach
 * @param paused topics that people have paused
 * @param falling by how many milliseconds the oldest age falls in a second; negative if it grows, null if unknown
 */
record Situation(
        Instant now,
        @Nullable ReadFailure trouble,
        @Nullable Instant troubleSince,
        @Nullable OutboxStats stats,
        List<KnownRelay> relays,
        @Nullable Instant noRelaySince,
        List<ClosedTopic> closed,
        List<PausedTopic> paused,
        @Nullable Double falling) {

    /** Why a source cannot be read. */
    enum ReadFailure {
        /** The database does not answer. */
        UNREACHABLE,
        /** Tables are missing or do not fit. */
        SCHEMA
    }

    Situation {
        relays = List.copyOf(relays);
        closed = List.copyOf(closed);
        paused = List.copyOf(paused);
    }

    /** Returns what was known before, now that the source cannot be read. */
    Situation troubled(ReadFailure why, @Nullable Instant since, Instant at) {
        return new Situation(at, why, since, stats, relays, noRelaySince, closed, paused, null);
    }
}

package dev.postrider.admin;

import dev.postrider.spi.RelayMode;
import dev.postrider.spi.RelayReport;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A relay in any process.
 *
 * @param id its unique name
 * @param joined when it joined, by the database's clock
 * @param until until when it lives unless it renews its life
 * @param alive whether it lived when the database was asked
 * @param shards the shards it owns, in order
 * @param report what it told of itself last; null for a relay of an older version, which tells nothing
 * @param mode what operators want of it
 * @param decided who wants that, since when; null if nobody wants anything else than that it runs
 */
public record KnownRelay(
        String id,
        Instant joined,
        Instant until,
        boolean alive,
        List<Integer> shards,
        @Nullable RelayReport report,
        RelayMode mode,
        @Nullable Decided decided) {

    /** Copies the shards. */
    public KnownRelay {
        shards = List.copyOf(shards);
    }
}

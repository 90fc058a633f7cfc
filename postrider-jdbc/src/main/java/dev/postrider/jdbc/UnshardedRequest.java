package dev.postrider.jdbc;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What somebody who drives their own loop asks for in one claim.
 *
 * @param namespace the only namespace to claim in; null for all
 */
record UnshardedRequest(
        String owner,
        int limit,
        Duration claimFor,
        int maxAttempts,
        @Nullable String namespace,
        long token) {

    /** The error of a message that such a claim gives up; it has nothing in it that varies. */
    static final String EXPIRED = "The last claim expired without an outcome";

    UnshardedRequest {
        if (limit < 1) {
            throw new IllegalArgumentException("limit must be at least 1 but was " + limit);
        }
        if (maxAttempts < 1) {
            throw new IllegalArgumentException("maxAttempts must be at least 1 but was " + maxAttempts);
        }
    }
}

package dev.postrider.testkit;

import java.time.Instant;

/** The last claim of a caller that drives its own loop. */
record Claim(String owner, long token, Instant until) {

    boolean isOver(Instant now) {
        return !until.isAfter(now);
    }
}

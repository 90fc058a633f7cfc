package dev.postrider.admin;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * What a bulk action is going to do. It covers the messages that pass the filter and were in the right state at the
 * cut-off; what dies or is delivered later is not touched.
 *
 * @param id what {@link BulkActions#run} needs to know
 * @param action what is done
 * @param filter to which messages
 * @param decision who wants it, and why
 * @param cutOff when the selection was frozen, by the database's clock
 * @param expected how many messages matched then
 * @param samples a few of them, oldest first; empty when the plan is read again later
 */
public record BulkPlan(
        UUID id,
        BulkAction action,
        MessageFilter filter,
        Decision decision,
        Instant cutOff,
        long expected,
        List<UUID> samples) {

    /** Copies the samples. */
    public BulkPlan {
        samples = List.copyOf(samples);
    }
}

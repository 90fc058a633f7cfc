package dev.postrider.spi;

import java.util.List;

/**
 * What one claim found.
 *
 * @param messages in enqueue order
 * @param scannedTo every claimable row of the requested shards and topics up to here is now claimed or waits; a scan
 *     may go on above it
 * @param full whether the size limit ended the claim, so that more is likely waiting
 */
public record ClaimedBatch(List<ClaimedMessage> messages, long scannedTo, boolean full) {

    /** Copies the messages. */
    public ClaimedBatch {
        messages = List.copyOf(messages);
    }
}

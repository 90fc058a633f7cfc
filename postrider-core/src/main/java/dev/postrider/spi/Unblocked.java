package dev.postrider.spi;

/**
 * What one step of {@link OutboxStore#unblock} did.
 *
 * @param messages how many messages are due again
 * @param next where the next step goes on; 0 if there is nothing above
 */
public record Unblocked(int messages, long next) {}

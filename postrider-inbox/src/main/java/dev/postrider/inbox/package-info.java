/**
 * The receiving side: {@link dev.postrider.inbox.Inbox} runs a handler once for each message and consumer, in one
 * transaction with the mark that says so.
 */
@NullMarked
package dev.postrider.inbox;

import org.jspecify.annotations.NullMarked;

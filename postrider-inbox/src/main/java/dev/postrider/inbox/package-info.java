/**
 * The receiving side: {@link dev.postrider.inbox.Inbox} runs a handler once for each message and consumer, in one
 * transaction with the mark that says so. Its tables, its purge and its admin live here. Nothing here knows a broker.
 */
@NullMarked
package dev.postrider.inbox;

import org.jspecify.annotations.NullMarked;

/**
 * What a person does to the outbox: looks, searches, requeues, discards, edits, replays, purges and restores, with an
 * audit trail. A statement belongs here if no relay and no enqueue runs it. It may call the store's package; nothing
 * there calls back.
 */
@NullMarked
package dev.postrider.jdbc.operator;

import org.jspecify.annotations.NullMarked;

/**
 * What an application calls: build an {@link dev.postrider.OutboxMessage}, enqueue it in an
 * {@link dev.postrider.Outbox}.
 */
@NullMarked
package dev.postrider;

import org.jspecify.annotations.NullMarked;

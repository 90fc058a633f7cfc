/**
 * What an application calls: build an {@link dev.postrider.OutboxMessage}, enqueue it in an
 * {@link dev.postrider.Outbox}. Whoever only sends messages needs no other package, except one that implements the
 * outbox. Types that only a relay, an operator or an adapter uses do not belong here.
 */
@NullMarked
package dev.postrider;

import org.jspecify.annotations.NullMarked;

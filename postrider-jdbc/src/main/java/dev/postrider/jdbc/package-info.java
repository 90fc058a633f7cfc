/**
 * The outbox in a relational database: {@link dev.postrider.jdbc.JdbcOutbox} writes in the caller's transaction,
 * {@link dev.postrider.jdbc.JdbcOutboxStore} serves the relay, {@link dev.postrider.jdbc.OutboxSchema} makes the
 * tables.
 */
@NullMarked
package dev.postrider.jdbc;

import org.jspecify.annotations.NullMarked;

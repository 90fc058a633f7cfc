/**
 * The outbox in a relational database: {@link dev.postrider.jdbc.JdbcOutbox} writes in the caller's transaction,
 * {@link dev.postrider.jdbc.JdbcOutboxStore} serves the relay, {@link dev.postrider.jdbc.OutboxSchema} makes the
 * tables. Only what an enqueue or a relay does to the tables belongs here, for every database. What a person does is in
 * {@code operator}, what a row says is in {@code row}.
 */
@NullMarked
package dev.postrider.jdbc;

import org.jspecify.annotations.NullMarked;

/**
 * What only PostgreSQL offers and an application chooses: {@link dev.postrider.jdbc.postgres.PostgresWakeUp} wakes a
 * relay by NOTIFY. The statements that the store sends to PostgreSQL stay in {@code dev.postrider.jdbc}, because the
 * store calls them through types that are not public.
 */
@NullMarked
package dev.postrider.jdbc.postgres;

import org.jspecify.annotations.NullMarked;

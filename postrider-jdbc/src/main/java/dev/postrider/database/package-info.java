/**
 * What Postrider's modules with tables share: which database this is, what its errors mean, transactions of their own,
 * versioned tables. All but {@link dev.postrider.database.TableNames} is for these modules and may change with any
 * release. Nothing here knows a table of the outbox, the inbox or sagas.
 */
@NullMarked
package dev.postrider.database;

import org.jspecify.annotations.NullMarked;

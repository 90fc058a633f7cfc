/**
 * What Postrider's modules with tables share: which database this is, what its errors mean, transactions of their own,
 * versioned tables. All but {@link dev.postrider.database.TableNames} is for these modules and may change with any
 * release.
 */
@NullMarked
package dev.postrider.database;

import org.jspecify.annotations.NullMarked;

/**
 * What one row of the message table says: its columns, the number of its state, its hash, signature and encryption. The
 * public types are for Postrider's own packages and may change with any release. Only what writes or reads a single row
 * belongs here; which rows are chosen is decided elsewhere.
 */
@NullMarked
package dev.postrider.jdbc.row;

import org.jspecify.annotations.NullMarked;

/**
 * One handle over the outbox, the inbox and sagas of one database. Only what combines the modules belongs here; a
 * feature belongs to the module of its table.
 */
@NullMarked
package dev.postrider.all;

import org.jspecify.annotations.NullMarked;

/**
 * What catches a dead message that the database does not record: a backup file, and after it an alert. It has to work
 * while the database is down, so nothing here asks it.
 */
@NullMarked
package dev.postrider.safety;

import org.jspecify.annotations.NullMarked;

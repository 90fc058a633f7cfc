/** What catches a dead message that the database does not record: a backup file, and after it an alert. */
@NullMarked
package dev.postrider.safety;

import org.jspecify.annotations.NullMarked;

/** Saves dead messages that the database refuses to record: in a backup file, or by an alert. */
@NullMarked
package dev.postrider.safety;

import org.jspecify.annotations.NullMarked;

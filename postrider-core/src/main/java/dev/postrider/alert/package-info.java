/** Alerts and their senders. */
@NullMarked
package dev.postrider.alert;

import org.jspecify.annotations.NullMarked;

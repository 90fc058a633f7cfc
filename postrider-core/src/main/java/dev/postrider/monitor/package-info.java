/** Watches an outbox and its relay, and sends an alert when a rule is broken. */
@NullMarked
package dev.postrider.monitor;

import org.jspecify.annotations.NullMarked;

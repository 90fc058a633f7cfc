/** Watches an outbox and its relay, and tells people when a rule is broken. */
@NullMarked
package dev.postrider.monitor;

import org.jspecify.annotations.NullMarked;

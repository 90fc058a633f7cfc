/**
 * Watches an outbox and its relay, and tells people when a rule is broken. A rule reads what the operator's port and
 * the relay's health show. It changes no message and knows no database.
 */
@NullMarked
package dev.postrider.monitor;

import org.jspecify.annotations.NullMarked;

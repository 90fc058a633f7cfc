/**
 * Telling people that something needs them: what an alert is and who brings it to them. Senders that need no library
 * live here. When to send one is decided in {@code monitor} and {@code safety}.
 */
@NullMarked
package dev.postrider.alert;

import org.jspecify.annotations.NullMarked;

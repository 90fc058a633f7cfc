/** Metrics of an outbox and its relay. */
@NullMarked
package dev.postrider.micrometer;

import org.jspecify.annotations.NullMarked;

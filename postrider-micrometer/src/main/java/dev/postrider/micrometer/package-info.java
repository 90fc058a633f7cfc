/**
 * Metrics of outbox, relay, inbox and sagas. Each type reads what the watched part shows and changes nothing. Names of
 * meters are part of the contract with dashboards.
 */
@NullMarked
package dev.postrider.micrometer;

import org.jspecify.annotations.NullMarked;

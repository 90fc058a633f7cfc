/**
 * How long to wait after a failure and when to give up. The relay, the steps of sagas, the consumers and the circuit of
 * the HTTP publisher follow these policies. A policy only counts and draws lots: nothing here waits, has a thread or
 * knows what failed.
 */
@NullMarked
package dev.postrider.retry;

import org.jspecify.annotations.NullMarked;

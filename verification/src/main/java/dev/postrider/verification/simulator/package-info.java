/**
 * Runs the real relay in virtual time under faults drawn from a seed, and checks what happened. Nothing here reads a
 * clock, starts a thread or draws lots of its own: one seed is one history.
 */
@NullMarked
package dev.postrider.verification.simulator;

import org.jspecify.annotations.NullMarked;

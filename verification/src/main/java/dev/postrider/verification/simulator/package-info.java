/** Runs the real relay in virtual time under faults drawn from a seed, and checks what happened. */
@NullMarked
package dev.postrider.verification.simulator;

import org.jspecify.annotations.NullMarked;

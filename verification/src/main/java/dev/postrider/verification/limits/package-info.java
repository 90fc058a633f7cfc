/**
 * What a relay does in situations at its limits, on real databases. Each situation says what it expects and prints what
 * it found.
 */
@NullMarked
package dev.postrider.verification.limits;

import org.jspecify.annotations.NullMarked;

/** What a relay does in situations at its limits, on real databases. */
@NullMarked
package dev.postrider.verification.limits;

import org.jspecify.annotations.NullMarked;

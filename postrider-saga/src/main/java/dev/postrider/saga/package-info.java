/**
 * Sagas: steps that belong together, run in one transaction or, with a journal, one after the other across crashes, and
 * undone in reverse order when one fails for good.
 */
@NullMarked
package dev.postrider.saga;

import org.jspecify.annotations.NullMarked;

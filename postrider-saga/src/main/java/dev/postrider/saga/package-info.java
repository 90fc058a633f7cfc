/**
 * Sagas: steps that belong together, run in one transaction or, with a journal, one after the other across crashes, and
 * undone in reverse order when one fails for good. Definitions, engine, participants and admin share this package,
 * because they share the rows of the journal, which are not public. What decides the next step does no I/O.
 */
@NullMarked
package dev.postrider.saga;

import org.jspecify.annotations.NullMarked;

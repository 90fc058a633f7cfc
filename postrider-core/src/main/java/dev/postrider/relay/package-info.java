/** Moves claimed messages to the broker and writes the outcome back. */
@NullMarked
package dev.postrider.relay;

import org.jspecify.annotations.NullMarked;

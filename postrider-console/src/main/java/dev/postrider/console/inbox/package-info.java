/** The routes about the inbox: look a message up, list parked ones, release and discard them. */
@NullMarked
package dev.postrider.console.inbox;

import org.jspecify.annotations.NullMarked;

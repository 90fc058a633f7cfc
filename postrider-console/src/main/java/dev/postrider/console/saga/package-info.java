/** The routes about sagas: list, show with graph and journal, retry, skip, cancel, compensate. */
@NullMarked
package dev.postrider.console.saga;

import org.jspecify.annotations.NullMarked;

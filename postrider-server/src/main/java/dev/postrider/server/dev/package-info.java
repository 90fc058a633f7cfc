/**
 * The {@code dev} command: a database, a broker, relays and a demo shop in one process, for the first ten minutes. The
 * broker and the shop have packages of their own; here they are put together, controlled and served.
 */
@NullMarked
package dev.postrider.server.dev;

import org.jspecify.annotations.NullMarked;

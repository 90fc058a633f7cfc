/**
 * The operators' API over outbox, inbox and sagas: requests and answers as JSON, without HTTP. A servlet and the
 * command line bring the requests. What one screen or command needs belongs to a package below; only what all of them
 * share belongs here.
 */
@NullMarked
package dev.postrider.console;

import org.jspecify.annotations.NullMarked;

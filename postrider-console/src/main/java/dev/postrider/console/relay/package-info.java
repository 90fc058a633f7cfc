/** The routes about relays, their shards, and topics: look, pause, resume, drain, probe. */
@NullMarked
package dev.postrider.console.relay;

import org.jspecify.annotations.NullMarked;

/**
 * Brings requests to Postrider: to the operators' API in this JVM over a database, or over HTTP to a server. Also finds
 * out which of them a command means.
 */
@NullMarked
package dev.postrider.cli.link;

import org.jspecify.annotations.NullMarked;

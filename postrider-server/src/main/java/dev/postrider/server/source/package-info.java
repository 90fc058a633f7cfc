/**
 * The sources of the server: each is a database with an application context of its own, made by the starter's
 * auto-configuration. What belongs to one source stands here; HTTP, security and the command line do not.
 */
@NullMarked
package dev.postrider.server.source;

import org.jspecify.annotations.NullMarked;

/** Tests of the server, most of them over HTTP. */
@NullMarked
package dev.postrider.server;

import org.jspecify.annotations.NullMarked;

/** Tests of who may call the server. */
@NullMarked
package dev.postrider.server.security;

import org.jspecify.annotations.NullMarked;

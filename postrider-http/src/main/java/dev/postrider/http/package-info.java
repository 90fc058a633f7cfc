/** Publishes messages to HTTP endpoints. */
@NullMarked
package dev.postrider.http;

import org.jspecify.annotations.NullMarked;

/**
 * The demo shop of {@code dev}: an application that uses the outbox, the inbox and sagas as any other would, with
 * tables of its own whose names begin with {@code demo_}. Nothing here knows which broker or which server is used.
 */
@NullMarked
package dev.postrider.server.dev.shop;

import org.jspecify.annotations.NullMarked;

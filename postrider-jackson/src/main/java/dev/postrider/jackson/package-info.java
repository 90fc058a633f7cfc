/**
 * Payloads and contexts of sagas as canonical JSON, by Jackson 3. Everything that knows Jackson lives here and nowhere
 * else.
 */
@NullMarked
package dev.postrider.jackson;

import org.jspecify.annotations.NullMarked;

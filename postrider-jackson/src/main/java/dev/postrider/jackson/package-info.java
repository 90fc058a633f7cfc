/** Payloads and contexts of sagas as canonical JSON, by Jackson 3. */
@NullMarked
package dev.postrider.jackson;

import org.jspecify.annotations.NullMarked;

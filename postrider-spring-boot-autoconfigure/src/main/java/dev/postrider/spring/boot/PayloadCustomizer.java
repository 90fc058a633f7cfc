package dev.postrider.spring.boot;

import dev.postrider.jackson.JsonPayloadCodec;

/**
 * Registers payload types, upcasters, limits and modules of Jackson on the codec before it is built, beside the types
 * of {@code postrider.payload.types}. Called once, at start.
 */
@FunctionalInterface
public interface PayloadCustomizer {

    /** Changes the builder. */
    void register(JsonPayloadCodec.Builder codec);
}

package dev.postrider.spring.boot;

import dev.postrider.relay.RelayBuilder;

/** Sets what no property can, such as retry policies of single topics, on the relay before it is built. */
@FunctionalInterface
public interface RelayCustomizer {

    /** Changes the builder. */
    void customize(RelayBuilder builder);
}

package dev.postrider.spring.boot;

import dev.postrider.all.PostriderBuilder;

/** Sets what no property can, such as keys, on the handle before it is built. Called once, at start. */
@FunctionalInterface
public interface PostriderCustomizer {

    /** Changes the builder. */
    void customize(PostriderBuilder builder);
}

package dev.postrider.server.source;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** Adds beans to the application context of a source before it starts. A bean of the server. */
@FunctionalInterface
public interface SourceCustomizer {

    /** Registers beans or configuration classes in the context of the source with this name. */
    void customize(String source, AnnotationConfigApplicationContext context);
}

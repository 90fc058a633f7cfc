package dev.postrider.server.source;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The application context of a source. */
@Configuration(proxyBeanMethods = false)
@Import(SourceImports.class)
class SourceConfiguration {}

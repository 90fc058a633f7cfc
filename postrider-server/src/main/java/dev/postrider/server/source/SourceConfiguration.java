package dev.postrider.server.source;

import org.springframework.context.annotation.Configuration;

/** The application context of a source. */
@Configuration(proxyBeanMethods = false)
@SourceAutoConfiguration
class SourceConfiguration {}

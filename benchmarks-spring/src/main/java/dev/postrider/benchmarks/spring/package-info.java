/** What the Spring Boot starter costs: at start, and for each message. */
@NullMarked
package dev.postrider.benchmarks.spring;

import org.jspecify.annotations.NullMarked;

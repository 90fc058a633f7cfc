/** The standalone relay: a Spring Boot application on the starter, with the operators' API. */
@NullMarked
package dev.postrider.server;

import org.jspecify.annotations.NullMarked;

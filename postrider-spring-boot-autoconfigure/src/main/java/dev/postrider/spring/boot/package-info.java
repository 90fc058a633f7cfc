/** The auto-configuration of Spring Boot, one class for each concern. Only what Spring Boot calls belongs here. */
@NullMarked
package dev.postrider.spring.boot;

import org.jspecify.annotations.NullMarked;

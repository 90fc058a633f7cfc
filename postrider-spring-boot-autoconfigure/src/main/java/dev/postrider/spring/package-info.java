/**
 * Joins the outbox to Spring's transactions. Types of Spring Boot do not belong here, only those of the Spring
 * Framework.
 */
@NullMarked
package dev.postrider.spring;

import org.jspecify.annotations.NullMarked;

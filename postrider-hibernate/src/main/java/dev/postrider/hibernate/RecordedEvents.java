package dev.postrider.hibernate;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the field or the method without parameters that holds the domain events of an entity, for an entity that is no
 * {@link EventRecorder}. Both are a mutable {@link java.util.Collection}; a method returns the collection itself. One
 * entity class, with its superclasses, has one of them.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD})
public @interface RecordedEvents {}

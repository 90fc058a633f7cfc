package dev.postrider.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Delivers the messages of a topic to this method, in this application. The message is DELIVERED when the method
 * returns, and is sent again later when it throws. Every message may come more than once, with the same id.
 *
 * <p>The method has one parameter: {@link dev.postrider.publish.Delivery}, {@link dev.postrider.OutboxMessage}, a
 * {@code String} or {@code byte[]} with the payload, or the payload as a registered type. A message whose type or
 * version is not known here is sent again later; one that cannot be read is dead.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface OutboxHandler {

    /** The topic, or a pattern such as {@code orders.*} or {@code shop/orders}. */
    String value();
}

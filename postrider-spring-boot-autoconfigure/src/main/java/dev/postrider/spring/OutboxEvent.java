package dev.postrider.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Enqueues the objects of this class when they are published as application events, in the transaction that is open.
 * The class is registered with the payload codec, which names its type. Without a transaction the publication fails.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface OutboxEvent {

    /** The topic of the message. */
    String topic();

    /**
     * The key of the message, with properties of the event in {@code #{...}}, such as {@code #{orderId}} or
     * {@code order-#{order.id}}. Empty means that the messages have no order.
     */
    String key() default "";
}

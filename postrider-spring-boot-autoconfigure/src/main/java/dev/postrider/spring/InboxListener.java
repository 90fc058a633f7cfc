package dev.postrider.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Receives the messages of Kafka topics or of a RabbitMQ queue in this method, each with exactly one effect in the
 * database. The method runs in a Spring transaction of the inbox: what repositories write in it, the mark that the
 * message was handled and messages that it enqueues commit together. When the method throws, all of it rolls back and
 * the message comes again, until it is parked. What the method does elsewhere may happen more than once.
 *
 * <p>Parameters are any of {@link dev.postrider.inbox.ReceivedMessage}, {@link dev.postrider.inbox.InboxTransaction},
 * and a {@code String} or {@code byte[]} with the payload. With a {@link dev.postrider.spi.PayloadCodec} bean the
 * payload can be an object of a registered class. The method returns nothing and does its work before it returns. Texts
 * may contain placeholders such as <code>${orders.topic}</code>.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface InboxListener {

    /**
     * The name of the consumer in the inbox: the same in all instances of the application, and for this method only.
     */
    String consumer();

    /** Kafka topics to receive. The group is the name of the consumer. */
    String[] topics() default {};

    /** The RabbitMQ queue to receive from. */
    String queue() default "";

    /** How many threads receive. With more than one, messages of a key in a queue may overtake each other. */
    int threads() default 1;
}

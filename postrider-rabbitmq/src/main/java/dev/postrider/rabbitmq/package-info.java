/** Publishes messages to RabbitMQ. */
@NullMarked
package dev.postrider.rabbitmq;

import org.jspecify.annotations.NullMarked;

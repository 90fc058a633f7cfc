/**
 * Publishes messages to RabbitMQ and receives them. Everything that knows RabbitMQ's client lives here and nowhere
 * else. Receiving needs the inbox; publishing does not.
 */
@NullMarked
package dev.postrider.rabbitmq;

import org.jspecify.annotations.NullMarked;

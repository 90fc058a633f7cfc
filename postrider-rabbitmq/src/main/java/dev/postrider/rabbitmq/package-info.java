/** Publishes messages to RabbitMQ and receives them. */
@NullMarked
package dev.postrider.rabbitmq;

import org.jspecify.annotations.NullMarked;

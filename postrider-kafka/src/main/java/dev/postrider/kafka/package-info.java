/**
 * Publishes messages to Kafka and receives them. Everything that knows Kafka's client lives here and nowhere else.
 * Receiving needs the inbox; publishing does not.
 */
@NullMarked
package dev.postrider.kafka;

import org.jspecify.annotations.NullMarked;

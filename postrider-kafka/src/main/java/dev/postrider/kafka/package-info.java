/** Publishes messages to Kafka and receives them. */
@NullMarked
package dev.postrider.kafka;

import org.jspecify.annotations.NullMarked;

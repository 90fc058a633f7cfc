/**
 * What the consumers of the brokers have in common: one loop that takes messages from a broker, hands them to an inbox
 * and acknowledges them afterwards. Only {@link dev.postrider.inbox.consumer.ConsumerHealth} is meant for applications;
 * the rest is for Postrider's own modules.
 */
@NullMarked
package dev.postrider.inbox.consumer;

import org.jspecify.annotations.NullMarked;

package dev.postrider.server.dev.shop;

import dev.postrider.inbox.ReceivedHandler;
import java.util.List;

/**
 * A part of the demo shop that receives messages.
 *
 * @param name its name in the inbox
 * @param topics what it receives
 * @param handler what it does about a message
 */
public record ShopConsumer(String name, List<String> topics, ReceivedHandler handler) {

    /** Copies the topics. */
    public ShopConsumer {
        topics = List.copyOf(topics);
    }
}

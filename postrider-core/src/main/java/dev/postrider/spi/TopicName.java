package dev.postrider.spi;

import dev.postrider.OutboxMessage;

/** A topic inside its namespace. */
public record TopicName(String namespace, String topic) implements Comparable<TopicName> {

    /** Returns where the message goes. */
    public static TopicName of(OutboxMessage message) {
        return new TopicName(message.namespace(), message.topic());
    }

    @Override
    public int compareTo(TopicName other) {
        int byNamespace = namespace.compareTo(other.namespace);
        return byNamespace != 0 ? byNamespace : topic.compareTo(other.topic);
    }

    @Override
    public String toString() {
        return namespace + "/" + topic;
    }
}

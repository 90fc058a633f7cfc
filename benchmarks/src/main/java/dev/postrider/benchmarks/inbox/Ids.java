package dev.postrider.benchmarks.inbox;

import dev.postrider.OutboxMessage;

/** Ids as the outbox gives them to messages. */
final class Ids {

    String next() {
        return OutboxMessage.to("orders", "OrderPlaced")
                .payload("{}")
                .build()
                .id()
                .toString();
    }
}

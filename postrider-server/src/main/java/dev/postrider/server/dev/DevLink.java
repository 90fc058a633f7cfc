package dev.postrider.server.dev;

import dev.postrider.inbox.Inbox;
import dev.postrider.server.dev.shop.ShopConsumer;
import dev.postrider.spi.MessagePublisher;
import java.time.Duration;

/** The way of messages from the relays to the consumers, which a person can break. Thread-safe. */
interface DevLink extends AutoCloseable {

    /** Names the broker for a person. */
    String description();

    /** Returns what the relays send with. */
    MessagePublisher publisher();

    /** Starts to receive for a consumer, if the broker has something to receive from. */
    void connect(ShopConsumer consumer, Inbox inbox);

    /** Returns how many messages the broker holds that no consumer has acknowledged; zero if that is not known. */
    long lag();

    void breakDown(boolean broken);

    boolean broken();

    void latency(Duration value);

    Duration latency();

    /** Stops receiving. */
    @Override
    void close();
}

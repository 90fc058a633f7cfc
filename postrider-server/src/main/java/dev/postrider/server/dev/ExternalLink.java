package dev.postrider.server.dev;

import dev.postrider.inbox.Inbox;
import dev.postrider.server.dev.broker.DevBroker;
import dev.postrider.server.dev.shop.ShopConsumer;
import dev.postrider.spi.MessagePublisher;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A broker of the user's. Breaking it breaks the way to it; what it holds is still received. Thread-safe. */
final class ExternalLink implements DevLink {

    private static final Logger log = LoggerFactory.getLogger(ExternalLink.class);

    private final String description;
    private final FaultyPublisher publisher;
    private final Receiving receiving;
    private final List<AutoCloseable> consumers = new CopyOnWriteArrayList<>();

    /** Receives from the broker. */
    @FunctionalInterface
    interface Receiving {

        /** Starts what receives for the consumer; to be closed. */
        AutoCloseable start(ShopConsumer consumer, Inbox inbox);
    }

    ExternalLink(String description, MessagePublisher broker, Receiving receiving) {
        this.description = description;
        this.publisher = new FaultyPublisher(broker);
        this.receiving = receiving;
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public MessagePublisher publisher() {
        return publisher;
    }

    @Override
    public void connect(ShopConsumer consumer, Inbox inbox) {
        consumers.add(receiving.start(consumer, inbox));
    }

    @Override
    public long lag() {
        return 0;
    }

    @Override
    public void breakDown(boolean broken) {
        publisher.broken(broken);
    }

    @Override
    public boolean broken() {
        return publisher.broken();
    }

    @Override
    public void latency(Duration value) {
        if (value.isNegative() || value.compareTo(DevBroker.LONGEST_LATENCY) > 0) {
            throw new IllegalArgumentException(
                    "latency must be between zero and %s but was %s".formatted(DevBroker.LONGEST_LATENCY, value));
        }
        publisher.latency(value);
    }

    @Override
    public Duration latency() {
        return publisher.latency();
    }

    @Override
    public void close() {
        for (AutoCloseable each : consumers) {
            try {
                each.close();
            } catch (Exception e) {
                log.warn("A consumer did not stop cleanly", e);
            }
        }
        publisher.close();
    }
}

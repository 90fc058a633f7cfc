package dev.postrider.server.dev;

import dev.postrider.inbox.Inbox;
import dev.postrider.server.dev.broker.DevBroker;
import dev.postrider.server.dev.broker.DevConsumer;
import dev.postrider.server.dev.shop.ShopConsumer;
import dev.postrider.spi.MessagePublisher;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The broker in this process. Thread-safe. */
final class BuiltInLink implements DevLink {

    private static final Duration SLOW = Duration.ofMillis(400);
    private static final int FLAKY = 20;

    private final DevBroker broker = new DevBroker().slow("shipments", SLOW).flaky("payments", FLAKY);
    private final MessagePublisher publisher = broker.publisher();
    private final List<DevConsumer> consumers = new CopyOnWriteArrayList<>();

    @Override
    public String description() {
        return "in this process; topic shipments is slow, topic payments refuses some messages at first";
    }

    @Override
    public MessagePublisher publisher() {
        return publisher;
    }

    @Override
    public void connect(ShopConsumer consumer, Inbox inbox) {
        consumers.add(new DevConsumer(broker, inbox, consumer.name(), consumer.topics(), consumer.handler()).start());
    }

    @Override
    public long lag() {
        return consumers.stream().mapToLong(DevConsumer::lag).sum();
    }

    @Override
    public void breakDown(boolean broken) {
        if (broken) {
            broker.breakDown();
        } else {
            broker.restore();
        }
    }

    @Override
    public boolean broken() {
        return broker.state().broken();
    }

    @Override
    public void latency(Duration value) {
        broker.latency(value);
    }

    @Override
    public Duration latency() {
        return broker.state().latency();
    }

    @Override
    public void close() {
        consumers.forEach(DevConsumer::close);
        publisher.close();
    }
}

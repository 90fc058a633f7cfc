package dev.postrider.server.dev.broker;

import dev.postrider.inbox.Inbox;
import dev.postrider.inbox.InboxException;
import dev.postrider.inbox.ReceivedHandler;
import dev.postrider.inbox.ReceivedMessage;
import dev.postrider.thread.SupervisedThread;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands the messages of a {@link DevBroker} to an inbox, one after the other, and acknowledges each afterwards. A
 * message that failed is tried again until it is handled or parked; those behind it wait. Thread-safe.
 */
public final class DevConsumer implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(DevConsumer.class);

    private static final int AT_ONCE = 50;
    private static final int RELEASED_AT_ONCE = 10;
    private static final Duration IDLE = Duration.ofMillis(250);
    private static final Duration PAUSE = Duration.ofMillis(300);
    private static final long RELEASED_EVERY = Duration.ofSeconds(1).toNanos();
    private static final Duration STOP = Duration.ofSeconds(5);

    private final DevBroker broker;
    private final Inbox inbox;
    private final String name;
    private final List<String> topics;
    private final ReceivedHandler handler;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final SupervisedThread thread;
    private long lookedForReleased = System.nanoTime();

    /**
     * Makes a consumer; nothing is received before {@link #start}.
     *
     * @param name the consumer's name in the inbox and its group at the broker
     */
    public DevConsumer(DevBroker broker, Inbox inbox, String name, List<String> topics, ReceivedHandler handler) {
        this.broker = broker;
        this.inbox = inbox;
        this.name = name;
        this.topics = List.copyOf(topics);
        this.handler = handler;
        this.thread = new SupervisedThread("dev-consumer-" + name, this::loop);
    }

    /** Begins to receive, with what the topics still hold. */
    public DevConsumer start() {
        broker.join(name, topics);
        thread.start();
        return this;
    }

    /** Returns how many messages are still to be handled. */
    public long lag() {
        return broker.lag(name, topics);
    }

    private void loop() throws InterruptedException {
        while (isRunning()) {
            for (ReceivedMessage message : broker.receive(name, topics, AT_ONCE, IDLE)) {
                if (!isRunning() || !handle(message) || !broker.acknowledge(name, message.topic(), 1)) {
                    break;
                }
            }
            lookForReleased();
        }
    }

    private boolean isRunning() {
        return stopping.getCount() > 0;
    }

    private boolean handle(ReceivedMessage message) throws InterruptedException {
        try {
            inbox.process(message, name, transaction -> {
                handler.handle(message, transaction);
                return null;
            });
            return true;
        } catch (InboxException e) {
            log.debug("Consumer {} tries a message again: {}", name, e.reason());
            boolean unused = stopping.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
            return false;
        }
    }

    private void lookForReleased() {
        long now = System.nanoTime();
        if (isRunning() && now - lookedForReleased > RELEASED_EVERY) {
            lookedForReleased = now;
            inbox.processReleased(name, RELEASED_AT_ONCE, handler);
        }
    }

    /** Lets the message under way be the last one, and waits for it. */
    @Override
    public void close() {
        stopping.countDown();
        if (!thread.end(STOP)) {
            thread.interrupt();
        }
    }
}

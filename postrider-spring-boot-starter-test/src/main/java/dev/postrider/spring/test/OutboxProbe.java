package dev.postrider.spring.test;

import dev.postrider.MessageStatus;
import dev.postrider.OutboxMessage;
import dev.postrider.admin.StoredMessage;
import dev.postrider.all.Postrider;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spring.boot.relay.RelayPublishers;
import dev.postrider.testkit.RecordingPublisher;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.assertj.core.api.AssertProvider;
import org.jspecify.annotations.Nullable;

/**
 * The outbox of the application under test: what is committed, and a relay that delivers when the test says so.
 * {@code assertThat(probe)} begins an assertion about the committed messages. Thread-safe.
 */
public final class OutboxProbe implements AssertProvider<CommittedMessagesAssert>, AutoCloseable {

    private static final int MOST = 10_000;
    private static final int PAGE = 1_000;

    private final Postrider postrider;
    private final RelayPublishers publishers;
    private final RecordingPublisher broker = new RecordingPublisher();
    private final List<String> failures = new CopyOnWriteArrayList<>();
    private @Nullable MessagePublisher publisher;

    OutboxProbe(Postrider postrider, RelayPublishers publishers) {
        this.postrider = postrider;
        this.publishers = publishers;
    }

    /**
     * Returns the committed messages in the order in which they were enqueued, delivered ones included.
     *
     * @throws IllegalStateException if there are more than 10,000
     */
    public List<OutboxMessage> messages() {
        List<StoredMessage> stored = new ArrayList<>();
        for (MessageStatus status : MessageStatus.values()) {
            read(status, stored);
        }
        return stored.stream()
                .sorted(Comparator.comparingLong(StoredMessage::seq))
                .map(StoredMessage::message)
                .toList();
    }

    private void read(MessageStatus status, List<StoredMessage> stored) {
        List<StoredMessage> page = postrider.admin().list(status, 0, PAGE);
        while (!page.isEmpty()) {
            stored.addAll(page);
            if (stored.size() > MOST) {
                throw new IllegalStateException("The outbox has more than %d messages".formatted(MOST));
            }
            page = postrider.admin().list(status, page.get(page.size() - 1).seq(), PAGE);
        }
    }

    /**
     * Delivers every message that is due, in the order in which they were enqueued: to the application's methods with
     * {@code @OutboxHandler} and its own {@code MessagePublisher}, as its settings say. What would go to a broker goes
     * to {@link #broker()}. Returns how many were delivered; {@link #failures()} says what was not.
     *
     * @throws IllegalStateException if a handler takes more than a minute
     */
    public int deliverAll() {
        failures.clear();
        return new DrivenRelay(postrider.store(), publisher(), failures).deliverAll();
    }

    private synchronized MessagePublisher publisher() {
        if (publisher == null) {
            publisher = publishers.build(broker);
        }
        return publisher;
    }

    /** Returns why messages of the last {@link #deliverAll} were not delivered; empty if all were. */
    public List<String> failures() {
        return List.copyOf(failures);
    }

    /** Returns the broker that received what {@link #deliverAll} delivered to no handler. */
    public RecordingPublisher broker() {
        return broker;
    }

    /** Ends the handlers' threads; called by Spring. */
    @Override
    public synchronized void close() {
        if (publisher != null) {
            publisher.close();
        }
    }

    /** Begins an assertion; called by AssertJ. */
    @Override
    public CommittedMessagesAssert assertThat() {
        return new CommittedMessagesAssert(messages());
    }
}

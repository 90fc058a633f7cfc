package dev.postrider.spring.test;

import dev.postrider.MessageStatus;
import dev.postrider.OutboxMessage;
import dev.postrider.admin.StoredMessage;
import dev.postrider.all.Postrider;
import dev.postrider.relay.ManualRelay;
import dev.postrider.retry.RetryPolicy;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.testkit.RecordingPublisher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.assertj.core.api.AssertProvider;

/**
 * The outbox of the application under test: what is committed, and a relay that delivers when the test says so.
 * {@code assertThat(probe)} begins an assertion about the committed messages. Thread-safe.
 */
public final class OutboxProbe implements AssertProvider<CommittedMessagesAssert> {

    private static final int MOST = 10_000;
    private static final int PAGE = 1_000;
    private static final Duration CLAIM = Duration.ofMinutes(1);

    private final Postrider postrider;
    private final RecordingPublisher broker = new RecordingPublisher();

    OutboxProbe(Postrider postrider) {
        this.postrider = postrider;
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

    /** Delivers every message that is due to {@link #broker()}, and returns how many that were. */
    public int deliverAll() {
        ManualRelay relay = new ManualRelay(postrider.store(), "outbox-probe", RetryPolicy.defaults());
        int delivered = 0;
        List<ClaimedMessage> claimed = relay.claim(PAGE, CLAIM, RetryPolicy.FOREVER);
        while (!claimed.isEmpty()) {
            for (ClaimedMessage each : claimed) {
                broker.publish(List.of(each), (message, result) -> relay.ack(message));
                delivered++;
            }
            claimed = relay.claim(PAGE, CLAIM, RetryPolicy.FOREVER);
        }
        return delivered;
    }

    /** Returns the broker that received what {@link #deliverAll} delivered. */
    public RecordingPublisher broker() {
        return broker;
    }

    /** Begins an assertion; called by AssertJ. */
    @Override
    public CommittedMessagesAssert assertThat() {
        return new CommittedMessagesAssert(messages());
    }
}

package dev.postrider.relay;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.ErrorText;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.TopicName;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes down what a person should know without having asked: topics out of reach, recovered claims and dead messages.
 * Thread-safe.
 */
final class RelayLog implements RelayListener {

    private static final Logger log = LoggerFactory.getLogger(RelayLog.class);

    // A queue that was unbound kills messages by the thousand; the first few tell why.
    private static final int MOST_DEAD = 5;
    // Topics come from rows: however many somebody makes up, so many are logged.
    private static final int MOST_TOPICS = 100;

    private final String relay;
    private final Set<TopicName> closed = ConcurrentHashMap.newKeySet();

    RelayLog(String relay) {
        this.relay = relay;
    }

    /** Only the first time: a gate that is tried again and again closes again and again. */
    @Override
    public void gateClosed(TopicName topic, String error) {
        if (closed.size() < MOST_TOPICS && closed.add(topic)) {
            log.warn(
                    "Topic {} cannot be reached by relay {}; its messages wait: {}",
                    ErrorText.clean(topic.toString()),
                    relay,
                    ErrorText.clean(error));
        }
    }

    @Override
    public void gateOpened(TopicName topic) {
        if (closed.remove(topic)) {
            log.info("Topic {} can be reached again by relay {}", ErrorText.clean(topic.toString()), relay);
        }
    }

    @Override
    public void claimsRecovered(int messages) {
        log.warn(
                "Relay {} delivers {} messages again that were in flight when their relay died or froze:"
                        + " they may be delivered twice",
                relay,
                messages);
    }

    @Override
    public void settled(List<Settlement> outcomes) {
        int dead = 0;
        for (Settlement settlement : outcomes) {
            if (settlement.outcome() == Settlement.Outcome.DEAD && ++dead <= MOST_DEAD) {
                OutboxMessage message = settlement.claimed().message();
                log.error(
                        "Message {} to topic {} is dead after attempt {}: {}",
                        message.id(),
                        ErrorText.clean(TopicName.of(message).toString()),
                        settlement.claimed().attempt(),
                        ErrorText.clean(String.valueOf(settlement.error())));
            }
        }
        if (dead > MOST_DEAD) {
            log.error("{} more messages are dead", dead - MOST_DEAD);
        }
    }

    @Override
    public void deadRefused(List<Settlement> dead, Throwable cause) {
        log.error(
                "The database did not record {} dead messages, the first is {}; relay {} keeps them and goes on trying: {}",
                dead.size(),
                dead.get(0).claimed().message().id(),
                relay,
                ErrorText.of(cause));
    }
}

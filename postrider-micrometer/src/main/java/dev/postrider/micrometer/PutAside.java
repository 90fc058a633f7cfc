package dev.postrider.micrometer;

import dev.postrider.inbox.InboxAdmin;
import dev.postrider.inbox.InboxEntry.State;
import dev.postrider.inbox.ParkedMessage;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/**
 * What the oldest messages are that a consumer has put aside.
 *
 * @param parked how many wait for a decision
 * @param behind how many wait for a parked one
 * @param released how many are about to be tried again
 * @param keys how many keys the parked ones hold
 * @param oldestReady how long the oldest released one has waited
 */
record PutAside(int parked, int behind, int released, int keys, Duration oldestReady) {

    /** A key in its topic; an absent key holds nothing. */
    private record Key(String topic, String key) {}

    static PutAside of(InboxAdmin admin, String consumer, int most, Clock clock) {
        List<ParkedMessage> messages = admin.parked(consumer, 0, most);
        return new PutAside(
                count(messages, State.PARKED),
                count(messages, State.BEHIND),
                count(messages, State.RELEASED),
                (int) messages.stream()
                        .filter(each -> each.state() == State.PARKED)
                        .map(ParkedMessage::message)
                        .filter(message -> message.key().isPresent())
                        .map(message -> new Key(message.topic(), message.key().orElse("")))
                        .distinct()
                        .count(),
                messages.stream()
                        .filter(each -> each.state() == State.RELEASED)
                        .map(ParkedMessage::parkedAt)
                        .min(Comparator.naturalOrder())
                        .map(since -> age(since, clock))
                        .orElse(Duration.ZERO));
    }

    private static int count(List<ParkedMessage> messages, State state) {
        return (int) messages.stream().filter(each -> each.state() == state).count();
    }

    // The database's clock may be ahead of this one.
    private static Duration age(Instant since, Clock clock) {
        Duration age = Duration.between(since, clock.instant());
        return age.isNegative() ? Duration.ZERO : age;
    }
}

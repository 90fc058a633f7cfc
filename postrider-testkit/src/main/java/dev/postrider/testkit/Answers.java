package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.PublishResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** Collects the answers of a publisher, from any thread. */
final class Answers {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final List<Map.Entry<ClaimedMessage, PublishResult>> all = new ArrayList<>();

    synchronized void add(ClaimedMessage message, PublishResult result) {
        all.add(Map.entry(message, result));
    }

    synchronized int count() {
        return all.size();
    }

    PublishResult of(ClaimedMessage message) {
        return matching(message).findFirst().orElseThrow();
    }

    void awaitAll(List<ClaimedMessage> messages) {
        BooleanSupplier answered = () ->
                messages.stream().allMatch(each -> matching(each).findAny().isPresent());
        Poll.until(PATIENCE, answered);
        assertThat(answered.getAsBoolean())
                .as("all of %d messages answered", messages.size())
                .isTrue();
    }

    private synchronized Stream<PublishResult> matching(ClaimedMessage message) {
        return List.copyOf(all).stream()
                .filter(entry -> entry.getKey().equals(message))
                .map(Map.Entry::getValue);
    }
}

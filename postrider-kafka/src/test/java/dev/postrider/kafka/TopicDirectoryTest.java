package dev.postrider.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.OutboxMessage;
import dev.postrider.publish.NameTemplate;
import dev.postrider.services.CapturedLog;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.PublishResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.junit.jupiter.api.Test;

/** The directory with lookups that end when the test says so. */
final class TopicDirectoryTest {

    private static final Records RECORDS = new Records(NameTemplate.of("{topic}"), null);

    private final List<CompletableFuture<Topic>> lookups = new ArrayList<>();
    private final List<Pending> delivered = new ArrayList<>();
    private final List<PublishResult> answers = new ArrayList<>();
    private final AtomicLong nanos = new AtomicLong(-Duration.ofDays(1).toNanos());
    private final AtomicInteger notReady = new AtomicInteger();
    private final TopicDirectory directory = new TopicDirectory(this::find, this::deliver, () -> {}, nanos::get);

    @Test
    void messagesWaitForOneLookupAndKeepTheirOrder() {
        Pending first = pending();
        Pending second = pending();
        directory.route("orders", List.of(first));
        directory.route("orders", List.of(second));
        assertThat(delivered).isEmpty();

        lookups.get(0).complete(topic(1));
        Pending third = pending();
        directory.route("orders", List.of(third));

        assertThat(lookups).hasSize(1);
        assertThat(delivered).containsExactly(first, second, third);
    }

    @Test
    void aMessageThatWasAnsweredWhileItWaitedIsNotDelivered() {
        Pending expired = pending();
        Pending waiting = pending();
        directory.route("orders", List.of(expired, waiting));

        expired.answer(PublishResult.unavailable("late"));
        lookups.get(0).complete(topic(1));

        assertThat(delivered).containsExactly(waiting);
    }

    @Test
    void anObstacleAnswersThoseWhoWaitAndForAMomentThoseWhoCome() {
        directory.route("orders", List.of(pending()));

        lookups.get(0).completeExceptionally(new UnknownTopicOrPartitionException());
        directory.route("orders", List.of(pending()));

        assertThat(lookups).hasSize(1);
        assertThat(answers).hasSize(2).allMatch(each -> each.kind() == PublishResult.Kind.UNAVAILABLE);
    }

    @Test
    void aLookupThatFailsForAnyReasonIsNotTheMessagesFault() {
        directory.route("orders", List.of(pending()));

        lookups.get(0).completeExceptionally(new IllegalStateException("anything"));

        assertThat(answers).singleElement().extracting(PublishResult::kind).isEqualTo(PublishResult.Kind.UNAVAILABLE);
    }

    @Test
    void afterTheProducerWasReplacedEveryTopicIsFoundAnew() {
        Pending before = pending();
        directory.route("orders", List.of(before));
        lookups.get(0).complete(topic(1));

        directory.forgetAll();
        Pending after = pending();
        directory.route("orders", List.of(after));

        assertThat(delivered).containsExactly(before);
        lookups.get(1).complete(topic(1));
        assertThat(delivered).containsExactly(before, after);
    }

    @Test
    void aLookupForTheReplacedProducerIsRepeated() {
        Pending message = pending();
        directory.route("orders", List.of(message));

        directory.forgetAll();
        lookups.get(0).complete(topic(1));

        assertThat(delivered).isEmpty();
        lookups.get(1).complete(topic(1));
        assertThat(delivered).containsExactly(message);
    }

    @Test
    void whatCouldNotBeTakenWaitsForTheNextLookup() {
        Pending message = pending();
        notReady.set(1);
        directory.route("orders", List.of(message));

        lookups.get(0).complete(topic(1));
        assertThat(delivered).isEmpty();

        lookups.get(1).complete(topic(1));
        assertThat(delivered).containsExactly(message);
    }

    @Test
    void anOldTopicIsLookedAtAgainWhileMessagesGoOn() {
        directory.route("orders", List.of(pending()));
        lookups.get(0).complete(topic(1));
        pass(Duration.ofSeconds(59));
        directory.route("orders", List.of(pending()));
        assertThat(lookups).hasSize(1);

        pass(Duration.ofSeconds(2));
        directory.route("orders", List.of(pending()));

        assertThat(lookups).hasSize(2);
        assertThat(delivered).hasSize(3);
        lookups.get(1).completeExceptionally(new TimeoutException("slow"));
        directory.route("orders", List.of(pending()));
        assertThat(delivered).hasSize(4);
        assertThat(answers).isEmpty();
    }

    @Test
    void anOldTopicThatIsGoneTakesNothingMore() {
        directory.route("orders", List.of(pending()));
        lookups.get(0).complete(topic(1));
        pass(Duration.ofSeconds(61));
        directory.route("orders", List.of(pending()));

        lookups.get(1).completeExceptionally(new UnknownTopicOrPartitionException());
        directory.route("orders", List.of(pending()));

        assertThat(delivered).hasSize(2);
        assertThat(answers).singleElement().extracting(PublishResult::kind).isEqualTo(PublishResult.Kind.UNAVAILABLE);
    }

    @Test
    void aTopicThatWasNotUsedForLongIsFoundFirst() {
        directory.route("orders", List.of(pending()));
        lookups.get(0).complete(topic(1));
        pass(Duration.ofMinutes(4));

        directory.route("orders", List.of(pending()));

        assertThat(delivered).hasSize(1);
        lookups.get(1).completeExceptionally(new TimeoutException("slow"));
        assertThat(answers).hasSize(1);
    }

    @Test
    void anObstacleIsForgottenAfterAMoment() {
        directory.route("orders", List.of(pending()));
        lookups.get(0).completeExceptionally(new UnknownTopicOrPartitionException());
        pass(Duration.ofMillis(500));

        directory.route("orders", List.of(pending()));
        lookups.get(1).complete(topic(1));

        assertThat(answers).hasSize(1);
        assertThat(delivered).hasSize(1);
    }

    @Test
    void aNewNumberOfPartitionsIsReportedOnce() {
        try (CapturedLog log = CapturedLog.start()) {
            for (int partitions : new int[] {3, 3, 6, 6}) {
                directory.forgetAll();
                directory.route("orders", List.of(pending()));
                lookups.get(lookups.size() - 1).complete(topic(partitions));
            }

            assertThat(log.lines("partitions"))
                    .singleElement()
                    .asString()
                    .contains("Topic orders now has 6 partitions instead of 3");
        }
    }

    @Test
    void topicsAreBoundedUnderTemplatesThatMakeManyNames() {
        for (int i = 0; i < 10 * TopicTable.MOST; i++) {
            directory.route("key-" + i, List.of(pending()));
            lookups.get(i).complete(topic(1));
            pass(Duration.ofMillis(1));

            assertThat(directory.size()).isLessThanOrEqualTo(TopicTable.MOST);
        }

        assertThat(delivered).hasSize(10 * TopicTable.MOST);
        assertThat(answers).isEmpty();
    }

    @Test
    void topicThatIsUsedStaysKnownWhileOthersAreForgotten() {
        directory.route("orders", List.of(pending()));
        lookups.get(0).complete(topic(1));

        for (int i = 1; i < 10 * TopicTable.MOST; i++) {
            directory.route("key-" + i, List.of(pending()));
            lookups.get(i).complete(topic(1));
            pass(Duration.ofMillis(1));
            directory.route("orders", List.of(pending()));
        }

        assertThat(lookups).hasSize(10 * TopicTable.MOST);
    }

    @Test
    void forgottenTopicIsFoundAnew() {
        directory.route("orders", List.of(pending()));
        lookups.get(0).complete(topic(1));
        for (int i = 1; i <= TopicTable.MOST; i++) {
            pass(Duration.ofMillis(1));
            directory.route("key-" + i, List.of(pending()));
            lookups.get(i).complete(topic(1));
        }
        int before = lookups.size();

        Pending message = pending();
        directory.route("orders", List.of(message));

        assertThat(lookups).hasSize(before + 1);
        lookups.get(before).complete(topic(1));
        assertThat(delivered).endsWith(message);
    }

    @Test
    void waitingMessagesKeepTheirTopicAndFurtherTopicsAreUnavailable() {
        Pending first = pending();
        directory.route("orders", List.of(first));
        for (int i = 1; i < 10 * TopicTable.MOST; i++) {
            directory.route("key-" + i, List.of(pending()));
        }

        assertThat(directory.size()).isEqualTo(TopicTable.MOST);
        assertThat(lookups).hasSize(TopicTable.MOST);
        assertThat(answers)
                .hasSize(9 * TopicTable.MOST)
                .allMatch(each -> each.kind() == PublishResult.Kind.UNAVAILABLE)
                .allMatch(each -> String.valueOf(each.error()).contains("makes too many names"));
        Pending second = pending();
        directory.route("orders", List.of(second));
        lookups.get(0).complete(topic(1));
        assertThat(delivered).containsExactly(first, second);
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    private CompletableFuture<Topic> find(String name) {
        CompletableFuture<Topic> lookup = new CompletableFuture<>();
        lookups.add(lookup);
        return lookup;
    }

    private List<Pending> deliver(Topic topic, List<Pending> messages) {
        if (notReady.getAndDecrement() > 0) {
            return messages;
        }
        delivered.addAll(messages);
        return List.of();
    }

    private static Topic topic(int partitions) {
        return new Topic("orders", partitions, 1_000_000);
    }

    private Pending pending() {
        ClaimedMessage claimed =
                Collected.claimed(OutboxMessage.to("orders", "Test").build());
        return new Wave(1, (any, result) -> answers.add(result)).add(claimed, RECORDS.of(claimed));
    }
}

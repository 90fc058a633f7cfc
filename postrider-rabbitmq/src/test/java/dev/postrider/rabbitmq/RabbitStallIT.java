package dev.postrider.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.PublishResult.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A broker that keeps its connections and does not read from them must not hold anybody up. */
final class RabbitStallIT extends OwnServer {

    private static final Duration CONFIRM_TIMEOUT = Duration.ofSeconds(2);

    @Test
    void theCallerIsNotHeldWhenTheSocketIsFullAndEverythingIsAnswered() throws Exception {
        try (RabbitPublisher publisher = publisher(CONFIRM_TIMEOUT)) {
            publish(publisher);
            List<ClaimedMessage> large = moreThanASocketHolds();
            List<ClaimedMessage> later = List.of(Answers.claimed(small()));
            Answers answers = new Answers();
            server.freeze();
            try {
                CompletableFuture<Void> publishing = CompletableFuture.runAsync(() -> {
                    publisher.publish(large, answers);
                    publisher.publish(later, answers);
                });

                publishing.get(Answers.PATIENCE.toSeconds(), TimeUnit.SECONDS);
                assertThat(large).extracting(answers::kind).containsOnly(Kind.UNAVAILABLE);
                assertThat(later).extracting(answers::kind).containsOnly(Kind.UNAVAILABLE);
                assertThat(answers.await(large.get(0)).error()).contains("did not confirm within " + CONFIRM_TIMEOUT);
            } finally {
                server.thaw();
            }

            publish(publisher);
            assertThat(answers.count()).isEqualTo(large.size() + later.size());
        }
    }

    @Test
    void closingDoesNotWaitForABrokerThatDoesNotRead() throws Exception {
        RabbitPublisher publisher = publisher(Duration.ofMinutes(5));
        publish(publisher);
        List<ClaimedMessage> large = moreThanASocketHolds();
        Answers answers = new Answers();
        server.freeze();
        try {
            publisher.publish(large, answers);

            CompletableFuture.runAsync(publisher::close).get(Answers.PATIENCE.toSeconds(), TimeUnit.SECONDS);

            assertThat(large).extracting(answers::kind).containsOnly(Kind.UNAVAILABLE);
        } finally {
            server.thaw();
        }
    }

    @Test
    void aBlockedConnectionAnswersAtOnceAndGoesOnWhenItIsUnblocked() {
        try (RabbitPublisher publisher = publisher(Duration.ofMinutes(5))) {
            publish(publisher);
            List<ClaimedMessage> sent = new ArrayList<>();
            Answers answers = new Answers();
            server.ctl("set_vm_memory_high_watermark", "0");
            try {
                // Once the broker has said that it blocks, the answer is there when publish returns.
                await().atMost(Answers.PATIENCE).until(() -> {
                    ClaimedMessage message = Answers.claimed(small());
                    sent.add(message);
                    publisher.publish(List.of(message), answers);
                    return answers.now(message).filter(RabbitStallIT::blocked).isPresent();
                });
            } finally {
                server.ctl("set_vm_memory_high_watermark", "0.4");
            }

            assertThat(sent)
                    .allSatisfy(message -> assertThat(answers.await(message))
                            .matches(result -> blocked(result) || result.equals(PublishResult.acked())));
            publish(publisher);
        }
    }

    private static boolean blocked(PublishResult result) {
        return result.kind() == Kind.UNAVAILABLE
                && String.valueOf(result.error()).contains("blocked publishers: low on memory");
    }

    private List<ClaimedMessage> moreThanASocketHolds() {
        return IntStream.range(0, 200)
                .mapToObj(i -> Answers.claimed(OutboxMessage.to(name, "large")
                        .payload(new byte[200_000])
                        .build()))
                .toList();
    }

    private OutboxMessage small() {
        return OutboxMessage.to(name, "small").build();
    }

    // Again and again: the node may still have the backlog of another test.
    private void publish(RabbitPublisher publisher) {
        await().atMost(Answers.PATIENCE)
                .until(() -> Answers.of(publisher, small()).equals(PublishResult.acked()));
    }

    private RabbitPublisher publisher(Duration confirmTimeout) {
        return RabbitPublisher.builder(broker.factory())
                .confirmTimeout(confirmTimeout)
                .build();
    }
}

package dev.postrider.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.PublishResult.Kind;
import java.io.IOException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CloseTest {

    @Test
    void whatHasNoAnswerIsUnavailableAfterClosing() throws IOException {
        try (Receiver receiver = Receiver.that((request, connection) -> connection.awaitEnd())) {
            HttpPublisher publisher = receiver.publisher().maxConcurrent(2).build();
            OutboxMessage[] messages =
                    IntStream.range(0, 10).mapToObj(i -> Answers.message()).toArray(OutboxMessage[]::new);
            Answers answers = Answers.publish(publisher, messages);
            await().atMost(Answers.PATIENCE).until(() -> receiver.requests().size() == 2);

            publisher.close();
            publisher.close();

            assertThat(answers.await(10)).hasSize(10).allMatch(result -> result.kind() == Kind.UNAVAILABLE);
            assertThat(receiver.requests()).hasSize(2);
        }
    }

    @Test
    void aClosedPublisherSendsNothing() throws IOException {
        try (Receiver receiver = Receiver.responding(200)) {
            HttpPublisher publisher = receiver.publisher().build();
            publisher.close();

            assertThat(Answers.answer(publisher, Answers.message()).kind()).isEqualTo(Kind.UNAVAILABLE);
            assertThat(receiver.connections()).isZero();
        }
    }
}

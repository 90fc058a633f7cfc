package dev.postrider.jackson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.OutboxMessage;
import dev.postrider.inbox.ReceivedMessage;
import dev.postrider.jackson.Orders.Card;
import dev.postrider.jackson.Orders.Payment;
import dev.postrider.publish.HandlerPublisher;
import dev.postrider.publish.MessageHeaders;
import dev.postrider.publish.RejectedMessageException;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.Shards;
import dev.postrider.spi.UnknownPayloadException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Handlers and inboxes get objects, and messages they cannot read end as they should. */
final class PayloadDeliveryTest {

    private final JsonPayloadCodec codec = JsonPayloadCodec.builder()
            .type("payment", 2, Payment.class)
            .upcast("payment", 1, json -> json)
            .build();

    @Test
    void handlerDefersAPayloadItDoesNotKnowAndRejectsOneItCannotRead() throws InterruptedException {
        BlockingQueue<Payment> seen = new LinkedBlockingQueue<>();
        BlockingQueue<PublishResult> answers = new LinkedBlockingQueue<>();
        try (HandlerPublisher publisher = HandlerPublisher.of(
                "payments", delivery -> seen.add(codec.decode(delivery.message(), Payment.class)))) {
            assertThat(answer(publisher, answers, codec.message("payments", new Card("1"))))
                    .isEqualTo(PublishResult.acked());
            PublishResult unknown = answer(publisher, answers, OutboxMessage.to("payments", "refund"));
            PublishResult unreadable = answer(
                    publisher, answers, OutboxMessage.to("payments", "payment").payload("{"));

            assertThat(seen).containsExactly(new Card("1"));
            assertThat(unknown.kind()).isEqualTo(PublishResult.Kind.FAILED);
            assertThat(unknown.error()).contains("Payload 'refund' v1 is not known here");
            assertThat(unreadable.kind()).isEqualTo(PublishResult.Kind.REJECTED);
            assertThat(unreadable.error()).contains("Could not read payload 'payment' v1");
        }
    }

    @Test
    void receivedMessageIsReadByItsTypeAndVersion() {
        OutboxMessage sent = codec.message("payments", new Card("1")).build();

        assertThat(received("payment", "2", sent.payload()).payload(codec, Payment.class))
                .isEqualTo(new Card("1"));
        assertThat(received("payment", "1", sent.payload()).payload(codec, Payment.class))
                .isEqualTo(new Card("1"));
        assertThatThrownBy(() -> received("payment", "3", sent.payload()).payload(codec, Payment.class))
                .isInstanceOf(UnknownPayloadException.class);
        assertThatThrownBy(() -> received("payment", "x", sent.payload()).payload(codec, Payment.class))
                .isInstanceOf(RejectedMessageException.class)
                .hasMessage("The version 'x' of the payload is no number");
        assertThatThrownBy(() -> ReceivedMessage.from("payments").build().payload(codec, Payment.class))
                .isInstanceOf(RejectedMessageException.class)
                .hasMessage("The message names no type");
    }

    private static PublishResult answer(
            HandlerPublisher publisher, BlockingQueue<PublishResult> answers, OutboxMessage.Builder builder)
            throws InterruptedException {
        OutboxMessage message = builder.build();
        publisher.publish(
                List.of(new ClaimedMessage(1, 1, "relay", Shards.of(message), 1, false, 0, false, null, message)),
                (claimed, result) -> answers.add(result));
        PublishResult result = answers.poll(1, TimeUnit.MINUTES);
        assertThat(result).isNotNull();
        return result;
    }

    private static ReceivedMessage received(String type, String version, byte[] payload) {
        return ReceivedMessage.from("payments")
                .type(type)
                .header(MessageHeaders.VERSION, version)
                .payload(payload)
                .build();
    }
}

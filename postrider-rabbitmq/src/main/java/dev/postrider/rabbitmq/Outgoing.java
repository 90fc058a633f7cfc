package dev.postrider.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import dev.postrider.publish.MessageHeaders;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.PublishAnswers;
import dev.postrider.spi.PublishResult;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A message on its way to RabbitMQ. It is answered once, whoever is first: the broker, a failure or the clock. */
final class Outgoing {

    private final ClaimedMessage claimed;
    private final PublishAnswers answers;
    private final Address address;
    private final BasicProperties properties;
    private final long acceptedNanos;
    private final AtomicBoolean answered = new AtomicBoolean();

    // Written and read by the thread that reads from the connection.
    private @Nullable String returned;

    /** Where a message goes, and how it is answered if no queue is there. */
    record Address(String exchange, String routingKey, RabbitPublisher.Unroutable unroutable) {}

    Outgoing(
            ClaimedMessage claimed,
            PublishAnswers answers,
            Address address,
            BasicProperties properties,
            long acceptedNanos) {
        this.claimed = claimed;
        this.answers = answers;
        this.address = address;
        this.properties = properties;
        this.acceptedNanos = acceptedNanos;
    }

    String exchange() {
        return address.exchange();
    }

    String routingKey() {
        return address.routingKey();
    }

    BasicProperties properties() {
        return properties;
    }

    /** A copy, made for each call: keep it no longer than it takes to write it. */
    byte[] body() {
        return claimed.message().payload();
    }

    int size() {
        return claimed.message().payloadSize();
    }

    boolean acceptedBefore(long nanos) {
        return acceptedNanos - nanos < 0;
    }

    boolean isAnswered() {
        return answered.get();
    }

    void answer(PublishResult result) {
        if (answered.compareAndSet(false, true)) {
            answers.answer(claimed, result);
        }
    }

    /** Returns whether the broker sent this very message back and has not done so before. */
    boolean isMeantBy(BasicProperties returnedProperties) {
        Map<String, Object> headers = returnedProperties.getHeaders();
        return returned == null
                && properties.getMessageId().equals(returnedProperties.getMessageId())
                && headers != null
                && Long.toString(claimed.seq()).equals(String.valueOf(headers.get(MessageHeaders.SEQ)));
    }

    void returned(String reason) {
        returned = reason;
    }

    /** The broker confirmed it; it has it unless it sent it back before. */
    void confirmed(PublishResult result) {
        String reason = returned;
        answer(reason == null ? result : address.unroutable().answer(reason));
    }
}

package dev.postrider.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import dev.postrider.OutboxMessage;
import dev.postrider.publish.NameTemplate;
import dev.postrider.rabbitmq.RabbitPublisher.Unroutable;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.PublishResult.Kind;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Confirms and returns in orders that a real broker takes only now and then. */
final class ExchangeChannelTest {

    private static final MessageShape SHAPE =
            new MessageShape(null, NameTemplate.of("{type}"), null, Integer.MAX_VALUE, Unroutable.REJECT);

    private final ExchangeChannel channel = new ExchangeChannel(silentBroker());
    private final List<PublishResult.Kind> answers = new ArrayList<>();

    @Test
    void aMessageThatIsOnItsWayTwiceAndReturnedTwiceIsAckedNeitherTime() throws IOException {
        OutboxMessage message = OutboxMessage.to("t", "t").build();
        Outgoing first = send(message, 7);
        Outgoing second = send(message, 7);

        returned(first);
        returned(second);
        channel.handleAck(2, true);

        assertThat(answers).containsExactly(Kind.REJECTED, Kind.REJECTED);
    }

    @Test
    void onlyTheReturnedMessageIsRejected() throws IOException {
        send(OutboxMessage.to("t", "t").build(), 1);
        Outgoing lost = send(OutboxMessage.to("t", "t").build(), 2);
        send(OutboxMessage.to("t", "t").build(), 3);

        returned(lost);
        channel.handleAck(3, true);

        assertThat(answers).containsExactly(Kind.ACKED, Kind.REJECTED, Kind.ACKED);
    }

    @Test
    void aReturnedMessageIsRejectedEvenIfTheBrokerNacksIt() throws IOException {
        Outgoing lost = send(OutboxMessage.to("t", "t").build(), 1);

        returned(lost);
        channel.handleNack(1, false);

        assertThat(answers).containsExactly(Kind.REJECTED);
    }

    @Test
    void aReturnThatBelongsToNoMessageMakesEveryConfirmWorthless() throws IOException {
        send(OutboxMessage.to("t", "t").build(), 1);
        send(OutboxMessage.to("t", "t").build(), 2);

        channel.handleReturn(312, "NO_ROUTE", "x", "t", new BasicProperties.Builder().build(), new byte[0]);
        channel.handleAck(2, true);
        send(OutboxMessage.to("t", "t").build(), 3);

        assertThat(answers).containsExactly(Kind.UNAVAILABLE, Kind.UNAVAILABLE, Kind.UNAVAILABLE);
    }

    @Test
    void confirmsThatComeTwiceOrForNothingAreIgnored() throws IOException {
        send(OutboxMessage.to("t", "t").build(), 1);
        send(OutboxMessage.to("t", "t").build(), 2);

        channel.handleAck(9, true);
        channel.handleNack(9, false);
        channel.handleAck(1, false);
        channel.handleNack(1, false);
        channel.handleAck(1, true);

        assertThat(answers).containsExactly(Kind.ACKED);
    }

    private Outgoing send(OutboxMessage message, long seq) throws IOException {
        ClaimedMessage claimed = new ClaimedMessage(seq, seq, "relay", 1, 1, false, 0, false, null, message);
        Outgoing outgoing = SHAPE.outgoing(claimed, (each, result) -> answers.add(result.kind()), 0);
        channel.send(outgoing);
        return outgoing;
    }

    private void returned(Outgoing message) {
        channel.handleReturn(
                312, "NO_ROUTE", message.exchange(), message.routingKey(), message.properties(), message.body());
    }

    private static Channel silentBroker() {
        return (Channel) Proxy.newProxyInstance(
                Channel.class.getClassLoader(), new Class<?>[] {Channel.class}, (proxy, method, arguments) -> null);
    }
}

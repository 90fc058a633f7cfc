package dev.postrider.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConfirmListener;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ReturnListener;
import com.rabbitmq.client.ShutdownListener;
import com.rabbitmq.client.ShutdownSignalException;
import dev.postrider.spi.ErrorText;
import dev.postrider.spi.PublishResult;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The channel to one exchange, with confirms. An exchange has a channel of its own because the broker closes the whole
 * channel when something is wrong with one message. One thread sends; the confirms come on the thread that reads from
 * the connection.
 */
final class ExchangeChannel implements ConfirmListener, ReturnListener, ShutdownListener {

    static final String DEFAULT_EXCHANGE = "";

    // The numbers of basic.publish in the protocol.
    private static final int BASIC = 60;
    private static final int PUBLISH = 40;

    private static final PublishResult NACKED = PublishResult.failed("RabbitMQ refused the message (nack): "
            + "a queue is full and has the overflow behaviour reject-publish, or failed");

    private final Channel channel;
    private final TagBook<Outgoing> unconfirmed = new TagBook<>();

    ExchangeChannel(Channel channel) {
        this.channel = channel;
    }

    /** Opens a channel if the exchange exists; nothing is ever declared. */
    static ExchangeChannel open(Connection connection, String exchange) throws IOException, ExchangeUnusableException {
        try {
            Channel channel = connection.createChannel();
            if (channel == null) {
                throw new ExchangeUnusableException(
                        "RabbitMQ allows no more channels on the connection: the template makes too many exchanges",
                        null);
            }
            requireExchange(channel, exchange);
            ExchangeChannel opened = new ExchangeChannel(channel);
            channel.addConfirmListener(opened);
            channel.addReturnListener(opened);
            channel.addShutdownListener(opened);
            channel.confirmSelect();
            return opened;
        } catch (ShutdownSignalException e) {
            throw new IOException(e);
        }
    }

    private static void requireExchange(Channel channel, String exchange)
            throws IOException, ExchangeUnusableException {
        if (exchange.equals(DEFAULT_EXCHANGE)) {
            return;
        }
        try {
            channel.exchangeDeclarePassive(exchange);
        } catch (IOException e) {
            int code = BrokerText.replyCode(e);
            if (code == AMQP.NOT_FOUND) {
                throw new ExchangeUnusableException(
                        "Exchange %s does not exist: declare it and bind a queue to it, or correct the template"
                                .formatted(BrokerText.shortened(exchange)),
                        e);
            }
            if (code != 0) {
                throw new ExchangeUnusableException(BrokerText.of(e), e);
            }
            throw e;
        }
    }

    boolean isOpen() {
        return channel.isOpen() && !unconfirmed.isClosed();
    }

    /** Sends one message; it is answered in any case, except when an exception says that the connection is broken. */
    void send(Outgoing message) throws IOException {
        // First into the book: the confirm may come before basicPublish returns.
        if (!unconfirmed.add(message)) {
            message.answer(PublishResult.unavailable("The channel to RabbitMQ was closed"));
            return;
        }
        try {
            channel.basicPublish(message.exchange(), message.routingKey(), true, message.properties(), message.body());
        } catch (IllegalArgumentException e) {
            // The headers do not fit into a frame: nothing was written, so the broker counts no tag.
            unconfirmed.withdraw();
            message.answer(PublishResult.rejected(BrokerText.of(e)));
        } catch (AlreadyClosedException e) {
            shutdownCompleted(e);
        }
    }

    @Override
    public void handleAck(long tag, boolean multiple) {
        confirmed(tag, multiple, PublishResult.acked());
    }

    @Override
    public void handleNack(long tag, boolean multiple) {
        confirmed(tag, multiple, NACKED);
    }

    private void confirmed(long tag, boolean multiple, PublishResult result) {
        if (multiple) {
            unconfirmed.takeThrough(tag).forEach(message -> message.confirmed(result));
            return;
        }
        Outgoing message = unconfirmed.take(tag);
        if (message != null) {
            message.confirmed(result);
        }
    }

    // The broker sends the message back first and confirms it afterwards.
    @Override
    public void handleReturn(
            int code, String text, String exchange, String routingKey, BasicProperties properties, byte[] body) {
        Outgoing message = unconfirmed.find(each -> each.isMeantBy(properties));
        if (message == null) {
            // One of those on their way will be confirmed although no queue has it: none can be believed.
            end("RabbitMQ returned a message that cannot be told from the others");
            return;
        }
        message.returned("No queue takes it: exchange %s returned it with routing key %s (%d %s)"
                .formatted(
                        BrokerText.shortened(exchange), BrokerText.shortened(routingKey), code, ErrorText.clean(text)));
    }

    @Override
    public void shutdownCompleted(ShutdownSignalException cause) {
        List<Outgoing> left = unconfirmed.close();
        culprit(left, cause).ifPresent(message -> message.answer(PublishResult.rejected(BrokerText.of(cause))));
        PublishResult rest = PublishResult.unavailable("RabbitMQ closed the channel: " + BrokerText.of(cause));
        left.forEach(message -> message.answer(rest));
    }

    // The broker closes a channel on which a message above its max_message_size arrives. As neither a user id nor an
    // expiration is ever sent, nothing else about a publish fails a precondition; and if any message was too large,
    // the largest was.
    private static Optional<Outgoing> culprit(List<Outgoing> left, ShutdownSignalException cause) {
        boolean tooLarge = cause.getReason() instanceof AMQP.Channel.Close close
                && close.getReplyCode() == AMQP.PRECONDITION_FAILED
                && close.getClassId() == BASIC
                && close.getMethodId() == PUBLISH;
        return tooLarge ? left.stream().max(Comparator.comparingInt(Outgoing::size)) : Optional.empty();
    }

    /** Answers everything that is unconfirmed, and takes nothing any more. */
    void end(String reason) {
        PublishResult result = PublishResult.unavailable(reason);
        unconfirmed.close().forEach(message -> message.answer(result));
    }

    /** Returns whether a message that was accepted before {@code nanos} still has no confirm. */
    boolean waitsSince(long nanos) {
        Outgoing oldest = unconfirmed.oldest();
        return oldest != null && oldest.acceptedBefore(nanos);
    }

    /** Frees the channel at the broker. Not for the thread that reads from the connection: the broker has to answer. */
    void abort() {
        try {
            channel.abort();
        } catch (IOException | AlreadyClosedException e) {
            // It went together with its connection.
        }
    }
}

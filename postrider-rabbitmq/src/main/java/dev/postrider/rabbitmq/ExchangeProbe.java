package dev.postrider.rabbitmq;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds out whether an exchange has an alternate exchange. The protocol has no question for it, but a broker that is
 * told to declare an existing exchange says which property differs, one at a time. The alternate exchange asked for has
 * a type that the broker never accepts, so this can neither create an exchange nor change one.
 */
final class ExchangeProbe {

    private static final Pattern DIFFERENCE = Pattern.compile(
            "PRECONDITION_FAILED - inequivalent arg '([^']+)' for .* but current is (.*)", Pattern.DOTALL);
    private static final Map<String, Object> IMPOSSIBLE = Map.of("alternate-exchange", 0);
    private static final int PROPERTIES = 5;

    private record Guess(String type, boolean durable, boolean autoDelete, boolean internal) {

        Guess corrected(String property, String value) {
            boolean flag = Boolean.parseBoolean(value);
            return switch (property) {
                case "type" -> new Guess(value, durable, autoDelete, internal);
                case "durable" -> new Guess(type, flag, autoDelete, internal);
                case "auto_delete" -> new Guess(type, durable, flag, internal);
                default -> new Guess(type, durable, autoDelete, flag);
            };
        }
    }

    private ExchangeProbe() {}

    /** Reports about an exchange that may be missing. */
    static ExchangeReport any(Connection connection, String exchange) throws IOException {
        try {
            ExchangeChannel.open(connection, exchange).abort();
            return existing(connection, exchange);
        } catch (ExchangeUnusableException e) {
            return new ExchangeReport(exchange, ExchangeReport.Status.UNUSABLE, BrokerText.message(e));
        }
    }

    /** Reports about an exchange that is known to exist. */
    static ExchangeReport existing(Connection connection, String exchange) throws IOException {
        if (exchange.equals(ExchangeChannel.DEFAULT_EXCHANGE)) {
            return new ExchangeReport(exchange, ExchangeReport.Status.READY, "The default exchange");
        }
        Guess guess = new Guess("topic", true, false, false);
        for (int i = 0; i < PROPERTIES; i++) {
            String reply = declare(connection, exchange, guess);
            Matcher difference = DIFFERENCE.matcher(reply);
            if (!difference.matches()) {
                return unchecked(exchange, reply);
            }
            String current = unquoted(difference.group(2));
            switch (difference.group(1)) {
                case "alternate-exchange" -> {
                    return guess.internal() ? internal(exchange) : alternate(exchange, current);
                }
                case "type", "durable", "auto_delete", "internal" ->
                    guess = guess.corrected(difference.group(1), current);
                default -> {
                    return unchecked(exchange, reply);
                }
            }
        }
        return unchecked(exchange, "the broker's answers contradict each other");
    }

    private static String declare(Connection connection, String exchange, Guess guess) throws IOException {
        try {
            Channel channel = connection.createChannel();
            if (channel == null) {
                return "no channel is free";
            }
            channel.exchangeDeclare(
                    exchange, guess.type(), guess.durable(), guess.autoDelete(), guess.internal(), IMPOSSIBLE);
            channel.abort();
            return "the broker did not object";
        } catch (IOException e) {
            if (BrokerText.replyCode(e) == 0) {
                throw e;
            }
            return BrokerText.of(e);
        } catch (ShutdownSignalException e) {
            throw new IOException(e);
        }
    }

    private static ExchangeReport internal(String exchange) {
        return new ExchangeReport(exchange, ExchangeReport.Status.UNUSABLE, "It is internal: nobody can publish to it");
    }

    private static ExchangeReport alternate(String exchange, String current) {
        return current.equals("none")
                ? new ExchangeReport(
                        exchange,
                        ExchangeReport.Status.READY,
                        "No alternate exchange among its arguments; one set by a policy cannot be seen")
                : new ExchangeReport(
                        exchange,
                        ExchangeReport.Status.ALTERNATE_EXCHANGE,
                        "It has the alternate exchange %s: a message that no queue of its own takes is not returned"
                                        .formatted(BrokerText.shortened(current))
                                + " and counts as delivered");
    }

    private static ExchangeReport unchecked(String exchange, String reply) {
        return new ExchangeReport(
                exchange,
                ExchangeReport.Status.UNCHECKED,
                "Whether it has an alternate exchange could not be found out: " + reply);
    }

    private static String unquoted(String value) {
        return value.startsWith("'") && value.endsWith("'") && value.length() > 1
                ? value.substring(1, value.length() - 1)
                : value;
    }
}

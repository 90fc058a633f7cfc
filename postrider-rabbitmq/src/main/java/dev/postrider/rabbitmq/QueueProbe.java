package dev.postrider.rabbitmq;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds out the arguments of an existing queue. The protocol has no question for them, but a broker that is told to
 * declare an existing queue says which argument differs, one at a time. One of those asked for has a type that the
 * broker never accepts, so this can neither create a queue nor change one. Arguments that a policy sets stay unseen.
 */
final class QueueProbe {

    static final String TYPE = "x-queue-type";
    static final String DELIVERY_LIMIT = "x-delivery-limit";

    private static final Pattern DIFFERENCE = Pattern.compile(
            "PRECONDITION_FAILED - inequivalent arg '([^']+)' for queue .* but current is "
                    + "(?:none|the value '(.*)' of type '(\\w+)'|'(.*)')",
            Pattern.DOTALL);
    private static final int MOST_ARGUMENTS = 16;

    private final Connection connection;
    private final String queue;
    private final Map<String, Object> guess = new HashMap<>();
    private boolean durable = true;
    private boolean autoDelete;

    private QueueProbe(Connection connection, String queue) {
        this.connection = connection;
        this.queue = queue;
    }

    /** Returns the arguments that decide what becomes of a message; empty if the broker does not tell them. */
    static Optional<Map<String, Object>> arguments(Connection connection, String queue) throws IOException {
        QueueProbe probe = new QueueProbe(connection, queue);
        return probe.exists() ? probe.arguments() : Optional.empty();
    }

    private Optional<Map<String, Object>> arguments() throws IOException {
        // The broker compares the type after the limits of the length, and the delivery limit after the type.
        String type = learn(TYPE, 0);
        if (type == null) {
            return Optional.empty();
        }
        guess.put(TYPE, type);
        if (type.equals("quorum")) {
            String limit = learn(DELIVERY_LIMIT, "none");
            if (limit == null) {
                return Optional.empty();
            }
            if (!limit.isEmpty()) {
                guess.put(DELIVERY_LIMIT, limit);
            }
        }
        return Optional.of(Map.copyOf(guess));
    }

    /** Returns the value of one argument, blank if it has none, and notes all that differ before; null if unknown. */
    private @Nullable String learn(String wanted, Object impossible) throws IOException {
        for (int i = 0; i < MOST_ARGUMENTS; i++) {
            Map<String, Object> arguments = new HashMap<>(guess);
            arguments.put(wanted, impossible);
            Matcher difference = DIFFERENCE.matcher(declare(arguments));
            if (!difference.matches()) {
                return null;
            }
            String typed = difference.group(2);
            String value = typed == null ? difference.group(4) : typed;
            if (difference.group(1).equals(wanted)) {
                return value == null ? "" : value;
            }
            if (value == null || !note(difference.group(1), value, difference.group(3))) {
                return null;
            }
        }
        return null;
    }

    private boolean note(String name, String value, @Nullable String type) {
        switch (name) {
            case "durable" -> durable = Boolean.parseBoolean(value);
            case "auto_delete" -> autoDelete = Boolean.parseBoolean(value);
            default -> {
                Object known = type == null ? null : value(value, type);
                return known != null && guess.put(name, known) == null;
            }
        }
        return true;
    }

    // The broker compares whole numbers by their value, whatever their width.
    private static @Nullable Object value(String text, String type) {
        return switch (type) {
            case "longstr" -> text;
            case "bool" -> Boolean.valueOf(text);
            case "byte", "short", "signedint", "long", "unsignedbyte", "unsignedshort", "unsignedint" ->
                text.matches("-?\\d{1,18}") ? Long.valueOf(text) : null;
            default -> null;
        };
    }

    private boolean exists() throws IOException {
        return answer(channel -> channel.queueDeclarePassive(queue)).isEmpty();
    }

    private String declare(Map<String, Object> arguments) throws IOException {
        return answer(channel -> channel.queueDeclare(queue, durable, false, autoDelete, arguments));
    }

    /** A question to the broker. */
    @FunctionalInterface
    private interface Question {
        Object ask(Channel channel) throws IOException;
    }

    /** Returns why the broker closed the channel; blank if it did not. */
    private String answer(Question question) throws IOException {
        try {
            Channel channel = connection.createChannel();
            if (channel == null) {
                return "no channel is free";
            }
            question.ask(channel);
            channel.abort();
            return "";
        } catch (IOException e) {
            if (BrokerText.replyCode(e) == 0) {
                throw e;
            }
            return BrokerText.of(e);
        } catch (ShutdownSignalException e) {
            throw new IOException(e);
        }
    }
}

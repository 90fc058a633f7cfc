package dev.postrider.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Method;
import com.rabbitmq.client.ShutdownSignalException;
import dev.postrider.spi.ErrorText;
import org.jspecify.annotations.Nullable;

/** What went wrong at the broker, in words fit for a log line and a column. */
final class BrokerText {

    private static final int MAX_NAME = 60;

    private BrokerText() {}

    /** The beginning of a name in quotes. */
    static String shortened(String name) {
        return name.length() <= MAX_NAME
                ? "'" + ErrorText.clean(name) + "'"
                : "'" + ErrorText.clean(name.substring(0, MAX_NAME)) + "...'";
    }

    /** The error's own words. */
    static String message(Throwable error) {
        return ErrorText.clean(error.getMessage() == null ? error.toString() : error.getMessage());
    }

    /** Says in the broker's own words why it closed a channel or a connection, if it did. */
    static String of(Throwable error) {
        ShutdownSignalException signal = signal(error);
        Method reason = signal == null ? null : signal.getReason();
        if (reason instanceof AMQP.Channel.Close close) {
            return ErrorText.clean(close.getReplyText());
        }
        if (reason instanceof AMQP.Connection.Close close) {
            return ErrorText.clean(close.getReplyText());
        }
        return message(signal != null && signal.getCause() != null ? signal.getCause() : error);
    }

    /** Returns the code of a channel the broker closed, or 0. */
    static int replyCode(Throwable error) {
        ShutdownSignalException signal = signal(error);
        return signal != null && signal.getReason() instanceof AMQP.Channel.Close close ? close.getReplyCode() : 0;
    }

    private static @Nullable ShutdownSignalException signal(Throwable error) {
        for (Throwable each = error; each != null; each = each.getCause()) {
            if (each instanceof ShutdownSignalException signal) {
                return signal;
            }
        }
        return null;
    }
}

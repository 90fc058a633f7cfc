package dev.postrider.console.filter;

import dev.postrider.admin.DeadGroup;
import dev.postrider.admin.MessageFilter;
import dev.postrider.admin.StoredMessage;
import java.time.Instant;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a filter asks for.
 *
 * @param filter what the outbox can search for
 * @param id the only message that is meant; null for any
 */
public record MessageQuery(MessageFilter filter, @Nullable UUID id) {

    private static final MessageQuery ALL = new MessageQuery(MessageFilter.all(), null);

    /** Refuses a query without a filter. */
    public MessageQuery {
        Objects.requireNonNull(filter, "filter");
    }

    /** Returns the query that every message passes. */
    public static MessageQuery all() {
        return ALL;
    }

    /** Returns the query of a filter. */
    public static MessageQuery of(MessageFilter filter) {
        return new MessageQuery(filter, null);
    }

    /** Returns whether a message passes. */
    public boolean matches(StoredMessage message) {
        return (id == null || id.equals(message.message().id()))
                && (filter.status() == null || filter.status() == message.status())
                && (filter.attemptsFrom() == null || message.attempts() >= filter.attemptsFrom())
                && is(filter.namespace(), message.message().namespace())
                && is(filter.topic(), message.message().topic())
                && is(filter.type(), message.message().type())
                && is(filter.key(), message.message().key().orElse(null))
                && is(filter.tenant(), message.message().tenant().orElse(null))
                && is(filter.failure(), Objects.requireNonNullElse(message.failure(), DeadGroup.UNKNOWN))
                && contains(filter.errorText(), message.lastError())
                && within(
                        filter.createdFrom(),
                        filter.createdBefore(),
                        message.times().created())
                && within(
                        filter.diedFrom(), filter.diedBefore(), message.times().died());
    }

    private static boolean is(@Nullable String wanted, @Nullable String value) {
        return wanted == null || wanted.equals(value);
    }

    private static boolean contains(@Nullable String wanted, @Nullable String value) {
        return wanted == null
                || (value != null && value.toLowerCase(Locale.ROOT).contains(wanted.toLowerCase(Locale.ROOT)));
    }

    private static boolean within(@Nullable Instant from, @Nullable Instant before, @Nullable Instant time) {
        if (from == null && before == null) {
            return true;
        }
        return time != null && (from == null || !time.isBefore(from)) && (before == null || time.isBefore(before));
    }
}

package dev.postrider.admin;

import dev.postrider.MessageStatus;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Which messages are meant; null means that it does not matter.
 *
 * @param status where they stand
 * @param namespace the module that owns the topic
 * @param topic where they go
 * @param type what they are
 * @param key their key
 * @param tenant whose they are
 * @param failure what their last error has in common with others, as {@code DeadGroup} tells
 * @param errorText a part of the last error, in any case
 * @param createdFrom enqueued at or after
 * @param createdBefore enqueued before
 * @param diedFrom given up at or after
 * @param diedBefore given up before
 */
public record MessageFilter(
        @Nullable MessageStatus status,
        @Nullable String namespace,
        @Nullable String topic,
        @Nullable String type,
        @Nullable String key,
        @Nullable String tenant,
        @Nullable String failure,
        @Nullable String errorText,
        @Nullable Instant createdFrom,
        @Nullable Instant createdBefore,
        @Nullable Instant diedFrom,
        @Nullable Instant diedBefore) {

    /** Returns a filter that every message passes. */
    public static MessageFilter all() {
        return new MessageFilter(null, null, null, null, null, null, null, null, null, null, null, null);
    }

    /** Returns this filter with another {@link #status}. */
    public MessageFilter withStatus(@Nullable MessageStatus value) {
        return new MessageFilter(
                value,
                namespace,
                topic,
                type,
                key,
                tenant,
                failure,
                errorText,
                createdFrom,
                createdBefore,
                diedFrom,
                diedBefore);
    }

    /** Returns this filter with another {@link #namespace}. */
    public MessageFilter withNamespace(@Nullable String value) {
        return new MessageFilter(
                status,
                value,
                topic,
                type,
                key,
                tenant,
                failure,
                errorText,
                createdFrom,
                createdBefore,
                diedFrom,
                diedBefore);
    }

    /** Returns this filter with another {@link #topic}. */
    public MessageFilter withTopic(@Nullable String value) {
        return new MessageFilter(
                status,
                namespace,
                value,
                type,
                key,
                tenant,
                failure,
                errorText,
                createdFrom,
                createdBefore,
                diedFrom,
                diedBefore);
    }

    /** Returns this filter with another {@link #type}. */
    public MessageFilter withType(@Nullable String value) {
        return new MessageFilter(
                status,
                namespace,
                topic,
                value,
                key,
                tenant,
                failure,
                errorText,
                createdFrom,
                createdBefore,
                diedFrom,
                diedBefore);
    }

    /** Returns this filter with another {@link #key}. */
    public MessageFilter withKey(@Nullable String value) {
        return new MessageFilter(
                status,
                namespace,
                topic,
                type,
                value,
                tenant,
                failure,
                errorText,
                createdFrom,
                createdBefore,
                diedFrom,
                diedBefore);
    }

    /** Returns this filter with another {@link #tenant}. */
    public MessageFilter withTenant(@Nullable String value) {
        return new MessageFilter(
                status,
                namespace,
                topic,
                type,
                key,
                value,
                failure,
                errorText,
                createdFrom,
                createdBefore,
                diedFrom,
                diedBefore);
    }

    /** Returns this filter with another {@link #failure}. */
    public MessageFilter withFailure(@Nullable String value) {
        return new MessageFilter(
                status,
                namespace,
                topic,
                type,
                key,
                tenant,
                value,
                errorText,
                createdFrom,
                createdBefore,
                diedFrom,
                diedBefore);
    }

    /** Returns this filter with another {@link #errorText}. */
    public MessageFilter withErrorText(@Nullable String value) {
        return new MessageFilter(
                status,
                namespace,
                topic,
                type,
                key,
                tenant,
                failure,
                value,
                createdFrom,
                createdBefore,
                diedFrom,
                diedBefore);
    }

    /** Returns this filter with another {@link #createdFrom}. */
    public MessageFilter withCreatedFrom(@Nullable Instant value) {
        return new MessageFilter(
                status,
                namespace,
                topic,
                type,
                key,
                tenant,
                failure,
                errorText,
                value,
                createdBefore,
                diedFrom,
                diedBefore);
    }

    /** Returns this filter with another {@link #createdBefore}. */
    public MessageFilter withCreatedBefore(@Nullable Instant value) {
        return new MessageFilter(
                status,
                namespace,
                topic,
                type,
                key,
                tenant,
                failure,
                errorText,
                createdFrom,
                value,
                diedFrom,
                diedBefore);
    }

    /** Returns this filter with another {@link #diedFrom}. */
    public MessageFilter withDiedFrom(@Nullable Instant value) {
        return new MessageFilter(
                status,
                namespace,
                topic,
                type,
                key,
                tenant,
                failure,
                errorText,
                createdFrom,
                createdBefore,
                value,
                diedBefore);
    }

    /** Returns this filter with another {@link #diedBefore}. */
    public MessageFilter withDiedBefore(@Nullable Instant value) {
        return new MessageFilter(
                status,
                namespace,
                topic,
                type,
                key,
                tenant,
                failure,
                errorText,
                createdFrom,
                createdBefore,
                diedFrom,
                value);
    }
}

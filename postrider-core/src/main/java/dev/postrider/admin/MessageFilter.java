package dev.postrider.admin;

import dev.postrider.MessageStatus;
import java.time.Instant;
import java.util.function.Consumer;
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
 * @param attemptsFrom tried at least so often
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
        @Nullable Instant diedBefore,
        @Nullable Integer attemptsFrom) {

    /** Returns a filter that every message passes. */
    public static MessageFilter all() {
        return new MessageFilter(null, null, null, null, null, null, null, null, null, null, null, null, null);
    }

    /** Returns this filter with another {@link #status}. */
    public MessageFilter withStatus(@Nullable MessageStatus value) {
        return changed(draft -> draft.status = value);
    }

    /** Returns this filter with another {@link #namespace}. */
    public MessageFilter withNamespace(@Nullable String value) {
        return changed(draft -> draft.namespace = value);
    }

    /** Returns this filter with another {@link #topic}. */
    public MessageFilter withTopic(@Nullable String value) {
        return changed(draft -> draft.topic = value);
    }

    /** Returns this filter with another {@link #type}. */
    public MessageFilter withType(@Nullable String value) {
        return changed(draft -> draft.type = value);
    }

    /** Returns this filter with another {@link #key}. */
    public MessageFilter withKey(@Nullable String value) {
        return changed(draft -> draft.key = value);
    }

    /** Returns this filter with another {@link #tenant}. */
    public MessageFilter withTenant(@Nullable String value) {
        return changed(draft -> draft.tenant = value);
    }

    /** Returns this filter with another {@link #failure}. */
    public MessageFilter withFailure(@Nullable String value) {
        return changed(draft -> draft.failure = value);
    }

    /** Returns this filter with another {@link #errorText}. */
    public MessageFilter withErrorText(@Nullable String value) {
        return changed(draft -> draft.errorText = value);
    }

    /** Returns this filter with another {@link #createdFrom}. */
    public MessageFilter withCreatedFrom(@Nullable Instant value) {
        return changed(draft -> draft.createdFrom = value);
    }

    /** Returns this filter with another {@link #createdBefore}. */
    public MessageFilter withCreatedBefore(@Nullable Instant value) {
        return changed(draft -> draft.createdBefore = value);
    }

    /** Returns this filter with another {@link #diedFrom}. */
    public MessageFilter withDiedFrom(@Nullable Instant value) {
        return changed(draft -> draft.diedFrom = value);
    }

    /** Returns this filter with another {@link #diedBefore}. */
    public MessageFilter withDiedBefore(@Nullable Instant value) {
        return changed(draft -> draft.diedBefore = value);
    }

    /** Returns this filter with another {@link #attemptsFrom}. */
    public MessageFilter withAttemptsFrom(@Nullable Integer value) {
        return changed(draft -> draft.attemptsFrom = value);
    }

    private MessageFilter changed(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.filter();
    }

    /** A filter that is being changed, so that each change names its own component only. */
    private static final class Draft {

        private @Nullable MessageStatus status;
        private @Nullable String namespace;
        private @Nullable String topic;
        private @Nullable String type;
        private @Nullable String key;
        private @Nullable String tenant;
        private @Nullable String failure;
        private @Nullable String errorText;
        private @Nullable Instant createdFrom;
        private @Nullable Instant createdBefore;
        private @Nullable Instant diedFrom;
        private @Nullable Instant diedBefore;
        private @Nullable Integer attemptsFrom;

        Draft(MessageFilter filter) {
            this.status = filter.status;
            this.namespace = filter.namespace;
            this.topic = filter.topic;
            this.type = filter.type;
            this.key = filter.key;
            this.tenant = filter.tenant;
            this.failure = filter.failure;
            this.errorText = filter.errorText;
            this.createdFrom = filter.createdFrom;
            this.createdBefore = filter.createdBefore;
            this.diedFrom = filter.diedFrom;
            this.diedBefore = filter.diedBefore;
            this.attemptsFrom = filter.attemptsFrom;
        }

        MessageFilter filter() {
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
                    diedBefore,
                    attemptsFrom);
        }
    }
}

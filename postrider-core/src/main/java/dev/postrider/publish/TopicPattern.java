package dev.postrider.publish;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.ErrorText;
import dev.postrider.spi.TopicName;

/**
 * Which topics are meant: {@code topic} in the default namespace, or {@code namespace/topic}. In both parts {@code *}
 * stands for any run of characters, also none; everything else stands for itself. {@code *}{@code /*} is every topic
 * there is. Immutable.
 */
public final class TopicPattern {

    private static final int MAX_LENGTH = 200;

    private final String namespace;
    private final String topic;
    private final String[] namespacePieces;
    private final String[] topicPieces;

    private TopicPattern(String namespace, String topic) {
        this.namespace = namespace;
        this.topic = topic;
        this.namespacePieces = namespace.split("\\*", -1);
        this.topicPieces = topic.split("\\*", -1);
    }

    /**
     * Reads {@code topic} or {@code namespace/topic}.
     *
     * @throws IllegalArgumentException saying what is wrong with the text and how to write it
     */
    public static TopicPattern of(String text) {
        int slash = text.indexOf('/');
        if (slash < 0) {
            return of(OutboxMessage.DEFAULT_NAMESPACE, text);
        }
        if (text.indexOf('/', slash + 1) >= 0) {
            throw new IllegalArgumentException(("The topic pattern '%s' has more than one '/'; "
                            + "say where the namespace ends with TopicPattern.of(namespace, topic)")
                    .formatted(ErrorText.clean(text)));
        }
        return of(text.substring(0, slash), text.substring(slash + 1));
    }

    /**
     * Takes the two parts apart from each other, for names with a slash in them.
     *
     * @throws IllegalArgumentException saying what is wrong with a part and how to write it
     */
    public static TopicPattern of(String namespace, String topic) {
        return new TopicPattern(part("namespace", namespace), part("topic", topic));
    }

    /** Returns whether this topic is meant. */
    public boolean matches(TopicName name) {
        return matches(namespacePieces, name.namespace()) && matches(topicPieces, name.topic());
    }

    /** Returns whether every topic the other pattern matches is matched by this one. */
    boolean covers(TopicPattern other) {
        // A star of the other one can only be taken by one of ours, which then takes whatever it stands for.
        return matches(new TopicName(other.namespace, other.topic));
    }

    // Leftmost places are best for all pieces but the last, so nothing has to be tried twice.
    private static boolean matches(String[] pieces, String name) {
        String first = pieces[0];
        if (pieces.length == 1) {
            return name.equals(first);
        }
        String last = pieces[pieces.length - 1];
        int end = name.length() - last.length();
        if (end < first.length() || !name.startsWith(first) || !name.endsWith(last)) {
            return false;
        }
        int from = first.length();
        for (int i = 1; i < pieces.length - 1; i++) {
            int found = name.indexOf(pieces[i], from);
            if (found < 0 || found + pieces[i].length() > end) {
                return false;
            }
            from = found + pieces[i].length();
        }
        return true;
    }

    private static String part(String field, String text) {
        if (text.isBlank()) {
            throw new IllegalArgumentException(
                    "The %s of a topic pattern must not be blank; write * for any".formatted(field));
        }
        if (text.length() > MAX_LENGTH) {
            throw bad(field, text, "must be at most %d characters but has %d".formatted(MAX_LENGTH, text.length()));
        }
        if (text.contains("**")) {
            throw bad(field, text, "has two stars in a row; one stands for any run of characters");
        }
        if (text.chars().anyMatch(Character::isISOControl)) {
            throw bad(field, text, "must not contain control characters");
        }
        if (!text.equals(text.strip())) {
            throw bad(field, text, "must not begin or end with a space");
        }
        return text;
    }

    private static IllegalArgumentException bad(String field, String text, String reason) {
        return new IllegalArgumentException(
                "The %s '%s' of a topic pattern %s".formatted(field, ErrorText.clean(text), reason));
    }

    @Override
    public String toString() {
        return namespace + "/" + topic;
    }
}

package dev.postrider.inbox.consumer;

import dev.postrider.publish.MessageHeaders;
import dev.postrider.spi.ErrorText;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the headers of a received message, which any producer may have written. Immutable and thread-safe. */
public final class ReceivedHeaders {

    private static final Logger log = LoggerFactory.getLogger(ReceivedHeaders.class);

    private static final int MAX_NAME = 255;
    private static final int REPLACEMENT = 0xFFFD;

    // They say to which order a message belongs. Any other value in their place would mix two orders.
    private static final List<String> NAMES = List.of(MessageHeaders.TOPIC, MessageHeaders.NAMESPACE);

    private final Map<String, String> headers;

    private ReceivedHeaders(Map<String, String> headers) {
        this.headers = headers;
    }

    /** Returns a reader of these headers. */
    public static ReceivedHeaders of(Map<String, String> headers) {
        return new ReceivedHeaders(Map.copyOf(headers));
    }

    /** Returns all headers. */
    public Map<String, String> all() {
        return headers;
    }

    /** Returns the first of these headers that is there and not empty. */
    public Optional<String> first(String... names) {
        return Stream.of(names).flatMap(name -> value(name).stream()).findFirst();
    }

    /**
     * Returns the topic of the outbox.
     *
     * @param brokers what the broker calls the places where the message was; the last one can always be a topic
     */
    public String topic(String... brokers) {
        return Stream.concat(value(MessageHeaders.TOPIC).stream(), Stream.of(brokers))
                .filter(ReceivedHeaders::isTopic)
                .findFirst()
                .orElse(brokers[brokers.length - 1]);
    }

    /** Tells whether a name can be a topic. */
    public static boolean isTopic(String name) {
        return !name.isEmpty() && defect(name).isEmpty();
    }

    /** Returns the place among the messages of the key; null if there is none, or if the order itself is unknown. */
    public @Nullable Long sequence() {
        Optional<String> text = value(MessageHeaders.SEQ);
        if (text.isEmpty() || defect().isPresent()) {
            return null;
        }
        try {
            return Long.valueOf(text.get());
        } catch (NumberFormatException e) {
            // Somebody else's header of the same name.
            return null;
        }
    }

    /**
     * Returns what an application's function finds in a message; null if the function fails, since a message that makes
     * it fail does so each time.
     */
    public static <T> @Nullable String extracted(Function<T, @Nullable String> extractor, T message, String source) {
        try {
            return extractor.apply(message);
        } catch (RuntimeException | Error e) {
            log.warn("Could not extract the id of a message from {}, so it has none: {}", source, ErrorText.type(e));
            return null;
        }
    }

    /**
     * Checks the headers that say where a message belongs.
     *
     * @throws IllegalArgumentException naming the header and what is wrong with it
     */
    void check() {
        defect().ifPresent(text -> {
            throw new IllegalArgumentException(text);
        });
    }

    private Optional<String> defect() {
        return NAMES.stream()
                .flatMap(name -> value(name).flatMap(ReceivedHeaders::defect).stream()
                        .map(defect -> "The header %s %s".formatted(name, defect)))
                .findFirst();
    }

    // Postrider sends no such names: at least one database cannot store them, or two of them would be taken for one.
    private static Optional<String> defect(String name) {
        if (name.length() > MAX_NAME) {
            return Optional.of("has %d characters but at most %d fit".formatted(name.length(), MAX_NAME));
        }
        OptionalInt refused =
                name.codePoints().filter(ReceivedHeaders::isRefused).findFirst();
        return refused.isPresent()
                ? Optional.of("holds the character U+%04X".formatted(refused.getAsInt()))
                : Optional.empty();
    }

    private static boolean isRefused(int character) {
        return Character.isISOControl(character)
                || Character.getType(character) == Character.SURROGATE
                || character == REPLACEMENT;
    }

    private Optional<String> value(String name) {
        return Optional.ofNullable(headers.get(name)).filter(text -> !text.isEmpty());
    }
}

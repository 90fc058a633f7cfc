package dev.postrider.jdbc.operator;

import dev.postrider.MessageStatus;
import dev.postrider.admin.MessageFilter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A filter as a text that a person can read and a program can read back: {@code status="DEAD" topic="orders"}, in a
 * fixed order, or {@code all}. Inside quotes, a backslash stands before a quote, a backslash and a code.
 */
final class FilterText {

    private static final String ALL = "all";
    private static final Pattern PAIR =
            Pattern.compile("([a-zA-Z]+)=\"((?:[^\"\\\\]|\\\\.)*+)\"(?: |$)", Pattern.DOTALL);
    private static final Pattern ESCAPE = Pattern.compile("\\\\(?:u([0-9a-f]{4})|(.))", Pattern.DOTALL);
    private static final int FIRST_PRINTABLE = 0x20;

    /** A part of the filter, its name, how it is read and how it is set. */
    private record Part(String name, Function<MessageFilter, @Nullable Object> read, Setter set) {}

    @FunctionalInterface
    private interface Setter {
        MessageFilter set(MessageFilter filter, String value);
    }

    private static final List<Part> PARTS = List.of(
            new Part("status", MessageFilter::status, (f, v) -> f.withStatus(MessageStatus.valueOf(v))),
            new Part("namespace", MessageFilter::namespace, MessageFilter::withNamespace),
            new Part("topic", MessageFilter::topic, MessageFilter::withTopic),
            new Part("type", MessageFilter::type, MessageFilter::withType),
            new Part("key", MessageFilter::key, MessageFilter::withKey),
            new Part("tenant", MessageFilter::tenant, MessageFilter::withTenant),
            new Part("failure", MessageFilter::failure, MessageFilter::withFailure),
            new Part("errorText", MessageFilter::errorText, MessageFilter::withErrorText),
            new Part("createdFrom", MessageFilter::createdFrom, (f, v) -> f.withCreatedFrom(Instant.parse(v))),
            new Part("createdBefore", MessageFilter::createdBefore, (f, v) -> f.withCreatedBefore(Instant.parse(v))),
            new Part("diedFrom", MessageFilter::diedFrom, (f, v) -> f.withDiedFrom(Instant.parse(v))),
            new Part("diedBefore", MessageFilter::diedBefore, (f, v) -> f.withDiedBefore(Instant.parse(v))),
            new Part("attemptsFrom", MessageFilter::attemptsFrom, (f, v) -> f.withAttemptsFrom(Integer.valueOf(v))));

    private FilterText() {}

    static String of(MessageFilter filter) {
        List<String> pairs = new ArrayList<>();
        for (Part part : PARTS) {
            Object value = part.read.apply(filter);
            if (value != null) {
                pairs.add("%s=\"%s\"".formatted(part.name, escape(value.toString())));
            }
        }
        return pairs.isEmpty() ? ALL : String.join(" ", pairs);
    }

    /**
     * Reads it back.
     *
     * @throws IllegalArgumentException if it is no such text
     */
    static MessageFilter parse(String text) {
        MessageFilter filter = MessageFilter.all();
        if (text.equals(ALL)) {
            return filter;
        }
        Matcher pair = PAIR.matcher(text);
        int end = 0;
        while (pair.find() && pair.start() == end) {
            filter = part(pair.group(1)).set.set(filter, unescape(pair.group(2)));
            end = pair.end();
        }
        if (end == 0 || end != text.length()) {
            throw new IllegalArgumentException("A filter cannot be read from position %d of '%s'".formatted(end, text));
        }
        return filter;
    }

    private static Part part(String name) {
        return PARTS.stream()
                .filter(each -> each.name.equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("A filter has no part '%s'".formatted(name)));
    }

    private static String escape(String value) {
        StringBuilder escaped = new StringBuilder();
        for (int i = 0; i < value.length(); i++) {
            char each = value.charAt(i);
            if (each == '"' || each == '\\') {
                escaped.append('\\').append(each);
            } else if (each < FIRST_PRINTABLE || Character.isISOControl(each) || Character.isSurrogate(each)) {
                escaped.append("\\u%04x".formatted((int) each));
            } else {
                escaped.append(each);
            }
        }
        return escaped.toString();
    }

    private static String unescape(String value) {
        return ESCAPE.matcher(value)
                .replaceAll(match -> Matcher.quoteReplacement(
                        match.group(1) == null
                                ? match.group(2)
                                : String.valueOf((char) Integer.parseInt(match.group(1), 16))));
    }
}

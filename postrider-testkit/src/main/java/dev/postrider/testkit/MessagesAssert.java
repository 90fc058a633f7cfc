package dev.postrider.testkit;

import dev.postrider.OutboxMessage;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.assertj.core.api.AbstractAssert;

/** Says of some messages, narrower with each step, that at least one is left. */
public final class MessagesAssert extends AbstractAssert<MessagesAssert, List<OutboxMessage>> {

    private final String scope;
    private final List<OutboxMessage> all;
    private final String expected;

    MessagesAssert(String scope, List<OutboxMessage> all) {
        this(scope, all, all, "a message");
    }

    private MessagesAssert(String scope, List<OutboxMessage> all, List<OutboxMessage> left, String expected) {
        super(left, MessagesAssert.class);
        this.scope = scope;
        this.all = all;
        this.expected = expected;
    }

    /** One of them has this type. */
    public MessagesAssert ofType(String type) {
        return that("of type '%s'".formatted(type), message -> message.type().equals(type));
    }

    /** One of them has this key. */
    public MessagesAssert withKey(String key) {
        return that(
                "with key '%s'".formatted(key),
                message -> message.key().filter(key::equals).isPresent());
    }

    /** One of them goes to this topic. */
    public MessagesAssert toTopic(String topic) {
        return that("to topic '%s'".formatted(topic), message -> message.topic().equals(topic));
    }

    /** One of them belongs to this tenant. */
    public MessagesAssert ofTenant(String tenant) {
        return that(
                "of tenant '%s'".formatted(tenant),
                message -> message.tenant().filter(tenant::equals).isPresent());
    }

    /** One of them has this header. */
    public MessagesAssert withHeader(String name, String value) {
        return that(
                "with header %s='%s'".formatted(name, value),
                message -> value.equals(message.headers().get(name)));
    }

    /** One of them has this payload in UTF-8. */
    public MessagesAssert withPayload(String payload) {
        byte[] bytes = payload.getBytes(StandardCharsets.UTF_8);
        return that("with payload '%s'".formatted(payload), message -> Arrays.equals(bytes, message.payload()));
    }

    /** Exactly so many match. */
    public MessagesAssert times(int count) {
        if (actual.size() != count) {
            failWithMessage(
                    "Expected %s exactly %d times, found it %d times: %s",
                    expected, count, actual.size(), describe(scope, all));
        }
        return this;
    }

    /** What is left. */
    public List<OutboxMessage> messages() {
        return List.copyOf(actual);
    }

    static String describe(String scope, List<OutboxMessage> messages) {
        return messages.isEmpty() ? scope + " is empty" : "%s has%s".formatted(scope, lines(messages));
    }

    static String lines(List<OutboxMessage> messages) {
        return messages.stream().map(message -> "%n  %s".formatted(message)).collect(Collectors.joining());
    }

    private MessagesAssert that(String what, Predicate<OutboxMessage> matches) {
        List<OutboxMessage> left = actual.stream().filter(matches).toList();
        String wanted = expected + " " + what;
        if (left.isEmpty()) {
            failWithMessage("Expected %s but %s", wanted, describe(scope, all));
        }
        return new MessagesAssert(scope, all, left, wanted);
    }
}

package dev.postrider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class HeaderSourceTest {

    private static final OutboxMessage MESSAGE = OutboxMessage.to("orders", "placed")
            .namespace("shop")
            .key("42")
            .version(2)
            .tenant("acme")
            .dedupeKey("acme-42")
            .header("colour", "red")
            .contentType("text/plain")
            .payload("payload")
            .deliverAfter(Duration.ofSeconds(3))
            .maxAttempts(7)
            .build();

    @Test
    void completeMessageDiffersInItsMissingHeadersOnly() {
        HeaderSource source =
                message -> Map.of("colour", "blue", "trace", message.id().toString());

        OutboxMessage complete = source.complete(MESSAGE);

        assertThat(complete)
                .usingRecursiveComparison()
                .ignoringFields("headers")
                .isEqualTo(MESSAGE);
        assertThat(complete.headers())
                .containsOnly(
                        Map.entry("colour", "red"),
                        Map.entry("trace", MESSAGE.id().toString()));
    }

    @Test
    void messageThatHasEveryHeaderStaysTheSame() {
        HeaderSource source = message -> Map.of("colour", "blue");

        assertThat(source.complete(MESSAGE)).isSameAs(MESSAGE);
        assertThat(HeaderSource.NONE.complete(MESSAGE)).isSameAs(MESSAGE);
    }

    @Test
    void headerThatCannotBeStoredIsRefused() {
        HeaderSource source = message -> Map.of("trace", "a\u0000b");

        assertThatThrownBy(() -> source.complete(MESSAGE)).isInstanceOf(IllegalArgumentException.class);
    }
}

package dev.postrider.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.postrider.OutboxMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EndpointTest {

    private static final OutboxMessage MESSAGE = OutboxMessage.to("orders/eu", "Order Placed?")
            .namespace("shop")
            .key("a&b=ü#%2F")
            .tenant("acme")
            .build();

    @ParameterizedTest
    @CsvSource({
        "https://example.com, /",
        "https://example.com/, /",
        "https://example.com/a/b?c=d, /a/b?c=d",
        "https://example.com?c=d, /?c=d",
        "https://example.com/{topic}, /orders%2Feu",
        "https://example.com/{type}/x, /Order%20Placed%3F/x",
        "https://example.com/x?k={key}&t={tenant}, /x?k=a%26b%3D%C3%BC%23%252F&t=acme",
        "https://example.com/%7Bx%7D, /%7Bx%7D",
    })
    void valuesOfTheMessageAreOnePieceOfThePath(String url, String target) {
        assertThat(Endpoint.of(url).target(MESSAGE)).isEqualTo(target);
    }

    @ParameterizedTest
    @ValueSource(strings = {".", ".."})
    void noValueLeadsOutOfThePath(String key) {
        OutboxMessage message = OutboxMessage.to("orders", "x").key(key).build();

        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> Endpoint.of("https://example.com/hooks/{key}/x").target(message))
                .withMessageContaining("lead out");
        assertThat(Endpoint.of("https://example.com/hooks?k={key}").target(message))
                .isEqualTo("/hooks?k=" + key);
    }

    @ParameterizedTest
    @CsvSource({"https://example.com/{key}, key", "https://example.com/x?t={tenant}, tenant"})
    void aMissingValueIsNamedWithoutThePath(String url, String field) {
        OutboxMessage bare = OutboxMessage.to("orders", "x").build();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> Endpoint.of(url).target(bare))
                .withMessageContaining("needs a " + field)
                .withMessageNotContaining("example");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "example.com/secret",
                "ftp://example.com/secret",
                "https:/example.com/secret",
                "https:///secret",
                "https://{topic}.example.com/secret",
                "https://example.com:{key}/secret",
                "https://example.com:0/secret",
                "https://example.com:65536/secret",
                "https://example.com:99999999/secret",
                "https://example.com:+443/secret",
                "https://example.com/secret#fragment",
                "https://example.com/secret{",
                "https://example.com/{subject}/secret",
                "https://example.com//secret",
                "https://example.com/a/../secret",
                "https://example.com/a/%2e%2E/secret",
                "https://example.com/./secret",
                "https://example.com/secret path",
                "https://example.com/secret\r\nHost: evil",
                "https://example.com/secret%zz",
                "https://example.com/secret\\",
                "https://exämple.com/secret",
            })
    void whatIsNoPlainUrlIsRefusedWithoutShowingThePath(String url) {
        assertThatIllegalArgumentException().isThrownBy(() -> Endpoint.of(url)).withMessageNotContaining("secret");
    }

    @Test
    void onlySchemeHostAndPortAreShown() {
        assertThat(Endpoint.of("HTTPS://Example.COM:443/secret")).hasToString("https://example.com");
        assertThat(Endpoint.of("https://example.com:8443/secret?x")).hasToString("https://example.com:8443");
        assertThat(Endpoint.of("http://[2606:4700::1111]:80/secret")).hasToString("http://[2606:4700::1111]");
    }
}

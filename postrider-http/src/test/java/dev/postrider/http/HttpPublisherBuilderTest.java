package dev.postrider.http;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class HttpPublisherBuilderTest {

    static Stream<Arguments> badValues() {
        return Stream.of(
                bad("method must be POST or PUT but was GET", builder -> builder.method("GET")),
                bad("port must be between 1 and 65535 but was 0", builder -> builder.allowPort(0)),
                bad("'10/8' is neither", builder -> builder.allowAddresses("10/8")),
                bad("'*' is not a host name", builder -> builder.allowHost("*")),
                bad("'Host' is not a header", builder -> builder.header("Host", "x")),
                bad("'a b' is not a header", builder -> builder.header("a b", "x")),
                bad("'postrider-seq' is not a header", builder -> builder.header("postrider-seq", "1")),
                bad("one secret is needed", HttpPublisherBuilder::signWith),
                bad("between 300 and 499 but one was 500", builder -> builder.successStatuses(409, 500)),
                bad("timeout must be positive but was PT0S", builder -> builder.timeout(Duration.ZERO)),
                bad("connectTimeout must be positive", builder -> builder.connectTimeout(Duration.ofSeconds(-1))),
                bad("maxRetryAfter must be positive", builder -> builder.maxRetryAfter(Duration.ZERO)),
                bad("maxConcurrent must be at least 1 but was 0", builder -> builder.maxConcurrent(0)),
                bad("failures must be at least 1 but was 0", builder -> builder.circuit(0, second(1), second(1))),
                bad("firstPause must be positive", builder -> builder.circuit(1, Duration.ZERO, second(1))),
                bad("longestPause PT1S is shorter", builder -> builder.circuit(1, second(2), second(1))));
    }

    @ParameterizedTest
    @MethodSource("badValues")
    void aBadValueIsNamed(String text, Consumer<HttpPublisherBuilder> setter) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> setter.accept(HttpPublisher.builder("https://example.com")))
                .withMessageContaining(text);
    }

    @Test
    void plaintextHasToBeAllowed() {
        HttpPublisherBuilder builder = HttpPublisher.builder("http://example.com/secret");

        assertThatIllegalArgumentException()
                .isThrownBy(builder::build)
                .withMessage("The endpoint http://example.com is not encrypted; use https or allowPlaintext(true)");
        assertThatNoException()
                .isThrownBy(() -> builder.allowPlaintext(true).build().close());
    }

    @Test
    void anUnusualPortHasToBeAllowed() {
        HttpPublisherBuilder builder = HttpPublisher.builder("https://example.com:8443/secret");

        assertThatIllegalArgumentException()
                .isThrownBy(builder::build)
                .withMessage("The endpoint https://example.com:8443 needs allowPort(8443)");
        assertThatNoException().isThrownBy(() -> builder.allowPort(8443).build().close());
    }

    private static Duration second(int seconds) {
        return Duration.ofSeconds(seconds);
    }

    private static Arguments bad(String text, Consumer<HttpPublisherBuilder> setter) {
        return Arguments.of(text, setter);
    }
}

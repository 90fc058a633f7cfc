package dev.postrider.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.postrider.spi.TopicName;
import org.junit.jupiter.api.Test;

class TopicRoutesTest {

    @Test
    void theFirstMatchWins() {
        TopicRoutes<String> routes = routes("orders", "order*", "*");

        assertThat(routes.find(topic("orders"))).contains("orders");
        assertThat(routes.find(topic("orders2"))).contains("order*");
        assertThat(routes.find(topic("other"))).contains("*");
        assertThat(routes.find(new TopicName("billing", "orders"))).isEmpty();
    }

    @Test
    void aRouteNobodyCanReachIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> routes("order*", "orders"))
                .withMessageContaining("'default/orders' is never reached: 'default/order*' comes before it");
    }

    @Test
    void anyNumberOfTopicsIsRememberedInBoundedSpace() {
        TopicRoutes<String> routes = routes("real", "made-up-*");
        for (int i = 0; i < 10_000; i++) {
            assertThat(routes.find(topic("made-up-" + i))).contains("made-up-*");
            assertThat(routes.find(topic("unknown-" + i))).isEmpty();
        }

        assertThat(routes.remembered()).isBetween(1, 1_000);
        assertThat(routes.find(topic("real"))).contains("real");
    }

    @Test
    void topicsAreForgottenTogetherWhenOneIsTooMany() {
        TopicRoutes<String> routes = routes("*");
        for (int i = 0; i < 1_000; i++) {
            assertThat(routes.find(topic("topic-" + i))).isPresent();
        }
        assertThat(routes.remembered()).isEqualTo(1_000);

        assertThat(routes.find(topic("one-more"))).isPresent();

        assertThat(routes.remembered()).isEqualTo(1);
    }

    private static TopicName topic(String topic) {
        return new TopicName("default", topic);
    }

    private static TopicRoutes<String> routes(String... patterns) {
        TopicRoutes.Builder<String> builder = new TopicRoutes.Builder<>();
        for (String pattern : patterns) {
            builder = builder.add(TopicPattern.of(pattern), pattern);
        }
        return builder.build((pattern, target) -> target);
    }
}

package dev.postrider.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.postrider.spi.TopicName;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopicPatternTest {

    @ParameterizedTest
    @CsvSource({
        "orders, default, orders",
        "*, default, anything at all",
        "billing/invoices, billing, invoices",
        "billing/*, billing, invoices",
        "*/*, any, where",
        "*/orders, eu, orders",
        "order*, default, order",
        "order*, default, orders.eu/1",
        "*.eu, default, orders.eu",
        "a*c, default, ac",
        "a*b*c, default, a-b-b-c",
        "*a*, default, bab",
        "shop-*/order*.v*, shop-1, orders.v2",
        "orders.eu, default, orders.eu",
    })
    void aTopicThatIsMeantMatches(String pattern, String namespace, String topic) {
        assertThat(TopicPattern.of(pattern).matches(new TopicName(namespace, topic)))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "orders, default, orders2",
        "orders, default, Orders",
        "orders, billing, orders",
        "*, billing, orders",
        "billing/*, billing2, invoices",
        "ab*ba, default, aba",
        "a*b*c, default, acb",
        "a*bc*c, default, abc",
        "order*, default, an order",
        "orders.eu, default, ordersXeu",
    })
    void anyOtherTopicDoesNot(String pattern, String namespace, String topic) {
        assertThat(TopicPattern.of(pattern).matches(new TopicName(namespace, topic)))
                .isFalse();
    }

    @Test
    void itMatchesWhatTheRegularExpressionMatches() {
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 20_000; i++) {
            String pattern = text(random, "ab*").replaceAll("\\*+", "*");
            String name = text(random, "ab");
            boolean expected = Pattern.matches(pattern.replace("*", ".*"), name);

            assertThat(TopicPattern.of(pattern).matches(new TopicName("default", name)))
                    .as("%s on %s", pattern, name)
                    .isEqualTo(expected);
        }
    }

    @Test
    void aLongNameThatAlmostMatchesIsDecidedAtOnce() {
        TopicPattern pattern = TopicPattern.of("*a".repeat(100));

        assertThat(pattern.matches(new TopicName("default", "a".repeat(100_000) + "b")))
                .isFalse();
    }

    @Test
    void partsWithASlashAreGivenOneByOne() {
        TopicPattern pattern = TopicPattern.of("shop/eu", "orders/*");

        assertThat(pattern.matches(new TopicName("shop/eu", "orders/new"))).isTrue();
        assertThat(pattern.matches(new TopicName("shop", "eu/orders/new"))).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "'', blank",
        "' ', blank",
        "/orders, namespace of a topic pattern must not be blank; write * for any",
        "orders/, topic of a topic pattern must not be blank",
        "a/b/c, has more than one '/'",
        "a**, two stars in a row",
        "' orders', must not begin or end with a space",
        "'a\tb', must not contain control characters",
    })
    void aBadPatternIsRefusedWithTheReason(String pattern, String reason) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TopicPattern.of(pattern))
                .withMessageContaining(reason);
    }

    @Test
    void aPatternLongerThanAnyTopicIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TopicPattern.of("x".repeat(201)))
                .withMessageContaining("at most 200 characters but has 201");
    }

    @ParameterizedTest
    @CsvSource({
        "*, orders, true",
        "a*, ab*, true",
        "a*, a*, true",
        "*/*, billing/*, true",
        "a*b, a*c*b, true",
        "ab*, a*, false",
        "orders, order*, false",
        "*, billing/orders, false",
        "a*c, a*, false",
    })
    void aPatternCoversWhatItLeavesNothingOf(String earlier, String later, boolean covers) {
        assertThat(TopicPattern.of(earlier).covers(TopicPattern.of(later))).isEqualTo(covers);
    }

    private static String text(SplittableRandom random, String alphabet) {
        StringBuilder text = new StringBuilder();
        for (int length = random.nextInt(1, 9); length > 0; length--) {
            text.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return text.toString();
    }
}

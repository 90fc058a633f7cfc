package dev.postrider.jdbc.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.MessageStatus;
import dev.postrider.admin.MessageFilter;
import dev.postrider.jdbc.row.StatusCode;
import java.time.Instant;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is stored with a bulk action must mean the same in another process. */
@Tag("R3.5")
final class FilterTextTest {

    @Test
    void aFilterReadsLikeASentenceOfPairs() {
        MessageFilter filter = MessageFilter.all()
                .withStatus(MessageStatus.DEAD)
                .withTopic("orders")
                .withErrorText("no \"route\"")
                .withDiedBefore(Instant.parse("2026-01-02T03:04:05Z"));

        assertThat(FilterText.of(filter))
                .isEqualTo("status=\"DEAD\" topic=\"orders\" errorText=\"no \\\"route\\\"\""
                        + " diedBefore=\"2026-01-02T03:04:05Z\"");
        assertThat(FilterText.of(MessageFilter.all())).isEqualTo("all");
    }

    @Test
    void everyFilterIsReadBackAsItWas() {
        Random random = new Random(1);
        for (int i = 0; i < 2_000; i++) {
            MessageFilter filter = new MessageFilter(
                    random.nextBoolean() ? null : StatusCode.status(random.nextInt(4)),
                    text(random),
                    text(random),
                    text(random),
                    text(random),
                    text(random),
                    text(random),
                    text(random),
                    time(random),
                    time(random),
                    time(random),
                    time(random),
                    random.nextBoolean() ? null : random.nextInt());

            String written = FilterText.of(filter);

            assertThat(FilterText.parse(written)).as(written).isEqualTo(filter);
            assertThat(written.chars()).allMatch(each -> !Character.isISOControl(each));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "topic",
                "topic=orders",
                "colour=\"red\"",
                "topic=\"a\" x",
                "status=\"GONE\"",
                "all topic=\"a\""
            })
    void whatIsNoFilterIsRefused(String text) {
        assertThatThrownBy(() -> FilterText.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    private static @Nullable String text(Random random) {
        if (random.nextBoolean()) {
            return null;
        }
        String alphabet = "ab =\"\\u0%_'!\n\u0000é🐎{}?";
        StringBuilder text = new StringBuilder();
        int length = random.nextInt(8);
        for (int i = 0; i < length; i++) {
            text.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return text.toString();
    }

    private static @Nullable Instant time(Random random) {
        return random.nextBoolean() ? null : Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000_000));
    }
}

package dev.postrider.console.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.postrider.MessageStatus;
import dev.postrider.admin.MessageFilter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class FilterGrammarTest {

    private static final Instant NOW = Instant.parse("2026-11-19T12:00:00Z");
    private static final String LETTERS = "abcXYZ019 /:\"\\.,=<>-_äé漢'%;\t";

    @Test
    void everyQualifierSetsItsField() {
        MessageQuery query = parse(
                "status:dead ns:shop topic:orders type:Placed key:42 tenant:acme failure:\"Io at A.b\""
                        + " error:\"timed out\" created:2026-11-01..2026-11-02 attempts:>=3 died:>=2026-11-03T10:00:00Z");

        assertThat(query.filter())
                .isEqualTo(new MessageFilter(
                        MessageStatus.DEAD,
                        "shop",
                        "orders",
                        "Placed",
                        "42",
                        "acme",
                        "Io at A.b",
                        "timed out",
                        Instant.parse("2026-11-01T00:00:00Z"),
                        Instant.parse("2026-11-03T00:00:00Z"),
                        Instant.parse("2026-11-03T10:00:00Z"),
                        null,
                        3));
        assertThat(query.id()).isNull();
    }

    @Test
    void emptyFilterFitsEveryMessage() {
        assertThat(parse("  ")).isEqualTo(MessageQuery.all());
        assertThat(FilterGrammar.render(MessageQuery.all())).isEmpty();
    }

    @Test
    void retryingMessagesArePendingOnes() {
        MessageQuery query = parse("status:retrying");

        assertThat(query.filter())
                .isEqualTo(MessageFilter.all().withStatus(MessageStatus.PENDING).withAttemptsFrom(1));
        assertThat(FilterGrammar.render(query)).isEqualTo("status:retrying");
    }

    @Test
    void bareTopicWithSlashNamesTheNamespace() {
        assertThat(parse("topic:shop/orders").filter())
                .isEqualTo(MessageFilter.all().withNamespace("shop").withTopic("orders"));
        assertThat(parse("topic:\"shop/orders\"").filter())
                .isEqualTo(MessageFilter.all().withTopic("shop/orders"));
    }

    @Test
    void bareWordsAreAPartOfTheError() {
        assertThat(parse("timed out topic:orders").filter().errorText()).isEqualTo("timed out");
        assertThat(parse("\"http://x: refused\"").filter().errorText()).isEqualTo("http://x: refused");
    }

    @Test
    void agesCountFromNow() {
        assertThat(parse("age:>5m").filter().createdBefore()).isEqualTo(NOW.minus(5, ChronoUnit.MINUTES));
        assertThat(parse("age:<1h").filter().createdFrom()).isEqualTo(NOW.minus(1, ChronoUnit.HOURS));
        assertThat(parse("died:>1d").filter().diedBefore()).isEqualTo(NOW.minus(1, ChronoUnit.DAYS));
        assertThat(parse("died:<2w").filter().diedFrom()).isEqualTo(NOW.minus(14, ChronoUnit.DAYS));
    }

    @ParameterizedTest
    @CsvSource({
        "created:2026-11-01, 2026-11-01T00:00:00Z, 2026-11-02T00:00:00Z",
        "created:>2026-11-01, 2026-11-02T00:00:00Z,",
        "created:<2026-11-01, , 2026-11-01T00:00:00Z",
        "created:<=2026-11-01, , 2026-11-02T00:00:00Z",
        "created:..2026-11-01T10:00:00Z, , 2026-11-01T10:00:00Z",
        "created:2026-11-01.., 2026-11-01T00:00:00Z,",
        "created:>2026-11-01T10:00:00Z, 2026-11-01T10:00:00.000001Z,",
    })
    void timesHaveTheseBounds(String text, @Nullable Instant from, @Nullable Instant before) {
        MessageFilter filter = parse(text).filter();

        assertThat(filter.createdFrom()).isEqualTo(from);
        assertThat(filter.createdBefore()).isEqualTo(before);
    }

    @Test
    void unknownQualifierIsNamedWithTheNearestOne() {
        BrokenFilterException broken = broken("topic:a staus:dead");

        assertThat(broken).hasMessage("Unknown qualifier 'staus' at 9; did you mean 'status'?");
        assertThat(broken.position()).isEqualTo(9);
        assertThat(broken.length()).isEqualTo(5);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "status:daed | 8 | did you mean 'dead'?",
                "xyzzyxyzzy:1 | 1 | known are status, ns",
                "key:1 key:2 | 7 | A second 'key'",
                "key: | 1 | 'key' needs a value",
                "topic:\"a | 7 | have no end",
                "topic:\"a\"b | 10 | a space must follow",
                "topic:a\"b | 8 | A quote inside a word",
                "age:5m | 5 | No age such as",
                "age:>5y | 5 | No age such as",
                "age:>1h created:2026-11-01 | 1 | exclude each other",
                "created:yesterday | 9 | No time such as",
                "created:2026-02-30 | 9 | No time such as",
                "created:2026-11-02..2026-11-01 | 9 | ends before it begins",
                "created:.. | 9 | without a begin",
                "created:1066-10-14 | 9 | before 1971",
                "died:+1000000000-01-01T00:00:00Z | 6 | before 1971",
                "attempts:3 | 10 | No number of attempts",
                "attempts:>=0 | 10 | No number of attempts",
                "id:1 | 4 | No id such as",
                "id:1-1-1-1-1 | 4 | No id such as",
                "timed error:out | 1 | Words beside 'error'",
                "topic:shop/ | 7 | namespace/topic",
                "ns:a topic:b/c | 6 | A second namespace",
            })
    void brokenFilterNamesThePosition(String text, int position, String why) {
        BrokenFilterException broken = broken(text);

        assertThat(broken.position()).isEqualTo(position);
        assertThat(broken.length()).isPositive();
        assertThat(broken).hasMessageContaining(why);
    }

    @Test
    void tooLongFilterIsRefused() {
        assertThatThrownBy(() -> parse("x".repeat(FilterGrammar.MAX_LENGTH + 1)))
                .isInstanceOf(BrokenFilterException.class)
                .hasMessageContaining("at most 4000");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void writtenFilterReadsBackAsItWas(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 2_000; i++) {
            MessageQuery query = query(random);

            assertThat(parse(FilterGrammar.render(query)))
                    .as("seed %d, try %d: %s", seed, i, FilterGrammar.render(query))
                    .isEqualTo(query);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13})
    void noTextBreaksTheParserItself(long seed) {
        Random random = new Random(seed);
        List<String> parts =
                List.of("status:", "dead", "topic:", "age:>", "5m", "\"", "\\", " ", ":", "..", "id:", "é", "\0");
        for (int i = 0; i < 5_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int part = random.nextInt(12); part > 0; part--) {
                text.append(parts.get(random.nextInt(parts.size())));
            }
            try {
                MessageQuery query = parse(text.toString());
                assertThat(parse(FilterGrammar.render(query))).as("'%s'", text).isEqualTo(query);
            } catch (BrokenFilterException e) {
                assertThat(e.position()).as("'%s'", text).isBetween(1, text.length() + 1);
            }
        }
    }

    private static MessageQuery query(Random random) {
        MessageStatus status =
                random.nextBoolean() ? null : List.of(MessageStatus.values()).get(random.nextInt(4));
        Instant[] created = times(random);
        Instant[] died = times(random);
        MessageFilter filter = new MessageFilter(
                status,
                text(random),
                text(random),
                text(random),
                text(random),
                text(random),
                text(random),
                text(random),
                created[0],
                created[1],
                died[0],
                died[1],
                random.nextBoolean() ? null : (Integer) (1 + random.nextInt(3)));
        return new MessageQuery(filter, random.nextInt(4) == 0 ? UUID.randomUUID() : null);
    }

    private static @Nullable String text(Random random) {
        if (random.nextBoolean()) {
            return null;
        }
        StringBuilder text = new StringBuilder();
        for (int i = 1 + random.nextInt(10); i > 0; i--) {
            text.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        return text.toString();
    }

    private static Instant[] times(Random random) {
        Instant from =
                NOW.minus(random.nextInt(1_000_000), ChronoUnit.MILLIS).plus(random.nextInt(999), ChronoUnit.MICROS);
        Instant before = from.plus(1 + random.nextInt(1_000_000), ChronoUnit.MICROS);
        return new Instant[] {random.nextBoolean() ? from : null, random.nextBoolean() ? before : null};
    }

    private static MessageQuery parse(String text) {
        return FilterGrammar.parse(text, NOW);
    }

    private static BrokenFilterException broken(String text) {
        return catchThrowableOfType(BrokenFilterException.class, () -> parse(text));
    }
}

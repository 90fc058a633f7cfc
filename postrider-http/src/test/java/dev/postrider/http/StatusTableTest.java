package dev.postrider.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.spi.PublishResult;
import dev.postrider.spi.PublishResult.Kind;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StatusTableTest {

    private static final Clock CLOCK = Clock.fixed(Instant.parse("1994-11-06T08:49:37Z"), ZoneOffset.UTC);
    private static final StatusTable TABLE = table(Set.of());

    @Test
    void everyStatusHasItsMeaning() {
        Map<Kind, Set<Integer>> found = IntStream.range(100, 600)
                .boxed()
                .collect(Collectors.groupingBy(
                        status -> result(TABLE, status, null).kind(),
                        () -> new EnumMap<>(Kind.class),
                        Collectors.toSet()));

        assertThat(found.get(Kind.ACKED)).isEqualTo(range(200, 299));
        Set<Integer> unavailable = range(300, 399);
        unavailable.addAll(Set.of(401, 403, 404, 407, 429, 502, 503, 504));
        assertThat(found.get(Kind.UNAVAILABLE)).isEqualTo(unavailable);
        Set<Integer> rejected = range(400, 499);
        rejected.removeAll(Set.of(401, 403, 404, 407, 408, 409, 425, 429));
        assertThat(found.get(Kind.REJECTED)).isEqualTo(rejected);
        Set<Integer> failed = range(500, 599);
        failed.removeAll(Set.of(502, 503, 504));
        failed.addAll(range(100, 199));
        failed.addAll(Set.of(408, 409, 425));
        assertThat(found.get(Kind.FAILED)).isEqualTo(failed);
    }

    @Test
    void aHostIsInTroubleOnlyIfItSaysSo() {
        Set<Integer> trouble = IntStream.range(100, 600)
                .filter(status -> TABLE.outcome(status, null, null).host() == RequestOutcome.Host.IN_TROUBLE)
                .boxed()
                .collect(Collectors.toSet());

        assertThat(trouble).containsExactlyInAnyOrder(429, 502, 503, 504);
    }

    @Test
    @Tag("R0.6")
    void aFailureIsToldFromOthersByItsStatus() {
        assertThat(result(TABLE, 500, null).failure()).startsWith("HTTP 500 from ");
        assertThat(result(TABLE, 422, null).failure()).startsWith("HTTP 422 from ");
        assertThat(result(TABLE, 503, null).failure())
                .as("no message is to blame")
                .isNull();
    }

    @Test
    void aStatusThatWasDeclaredASuccessIsOne() {
        StatusTable table = table(Set.of(409, 410));

        assertThat(result(table, 409, null)).isEqualTo(PublishResult.acked());
        assertThat(result(table, 410, null)).isEqualTo(PublishResult.acked());
        assertThat(result(table, 411, null).kind()).isEqualTo(Kind.REJECTED);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "120 | 120",
                "' 7 ' | 7",
                "0 | 0",
                "3600 | 3600",
                "3601 | 3600",
                "999999999999999999 | 3600",
                "9999999999999999999999999 | 0",
                "-5 | 0",
                "1.5 | 0",
                "soon | 0",
                "'' | 0",
                "Sun, 06 Nov 1994 08:50:37 GMT | 60",
                "Sun, 06 Nov 1994 08:48:37 GMT | 0",
                "Sat, 06 Nov 2094 08:48:37 GMT | 3600",
            })
    void retryAfterIsHonouredUpToTheCap(String retryAfter, long seconds) {
        assertThat(result(TABLE, 429, retryAfter).retryAfter()).isEqualTo(Duration.ofSeconds(seconds));
        assertThat(result(TABLE, 503, retryAfter).retryAfter()).isEqualTo(Duration.ofSeconds(seconds));
    }

    @Test
    void aRedirectNamesTheHostThatIsMeant() {
        String error = TABLE.outcome(302, null, "https://new.example.com/x?token=secret")
                .result()
                .error();

        assertThat(error)
                .contains("redirects to new.example.com are not followed")
                .doesNotContain("secret");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://evil\u001b[31m.example.com/",
                "https://user:pw@example.com/",
                "javascript:alert(1)",
                "/relative",
                "https://ex ample.com/",
                "https://-bad-/"
            })
    void anUnsafeLocationIsNotRepeated(String location) {
        String error = TABLE.outcome(302, null, location).result().error();

        assertThat(error).contains("redirects are not followed");
    }

    private static StatusTable table(Set<Integer> successes) {
        return new StatusTable("https://example.com", successes, Duration.ofHours(1), CLOCK);
    }

    private static PublishResult result(StatusTable table, int status, @Nullable String retryAfter) {
        return table.outcome(status, retryAfter, null).result();
    }

    private static Set<Integer> range(int first, int last) {
        return IntStream.rangeClosed(first, last).boxed().collect(Collectors.toCollection(HashSet::new));
    }
}

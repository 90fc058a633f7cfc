package dev.postrider.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("R0.6")
class FailureTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "Order 4711 not found | Order * not found",
                "Order A-4711/2 not found | Order A-*/* not found",
                "Order 018f3a5c-7d2e-7c31-9b5a-0123456789ab is locked | Order * is locked",
                "Order 018F3A5C-7D2E-7C31-9B5A-0123456789AB is locked | Order * is locked",
                "Order 018f3a5c7d2e7c319b5a0123456789ab is locked | Order * is locked",
                "Order 01ARZ3NDEKTSV4RRFFQ69G5FAV is locked | Order * is locked",
                "Unknown column 'ship_to' in 'field list' | Unknown column '*' in '*'",
                "Unexpected \"shipTo\": expected \"ship to\" | Unexpected \"*\": expected \"*\"",
                "No bean `x` here | No bean `*` here",
                "It isn't there and wasn't | It isn't there and wasn't",
                "It isn't 'there' | It isn't '*'",
                "Cut in \"the mid | Cut in \"*\"",
                "Cut in 'the mid | Cut in '*'",
                "says 'it's me' twice | says '*' twice",
                "Connection to 10.0.0.17:5432 refused | Connection to * refused",
                "Until 2026-11-16T04:38:27.123Z | Until *",
                "Until 2026-11-16 04:38:27,123+01:00 it waits | Until * it waits",
                "On 2026-11-16 it died | On * it died",
                "com.acme.Order@1b2c3d is stale | com.acme.Order@* is stale",
                "at 0x7ffe12 | at *",
                "hash 9f86d081884c7d65 differs | hash * differs",
                "took 12.5 ms, 1,024 bytes | took * ms, * bytes",
                "a deadbeef facade | a deadbeef facade",
                "OAuth2Exception: denied | OAuth*Exception: denied",
                "com.acme.OrderV2HandlerFailure: denied | com.acme.OrderV*HandlerFailure: denied",
                "größe 5 µm | größe * µm",
                "plain words | plain words",
            })
    void whatVariesInATextIsReplaced(String text, String failure) {
        assertThat(Failure.of(text)).isEqualTo(failure);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Order 1 not found", "line 'a' at 2026-11-16", "x \"y\"", "a*b"})
    void aFailureIsItsOwnFailure(String text) {
        String failure = Failure.of(text);

        assertThat(Failure.of(failure)).isEqualTo(failure);
    }

    @Test
    @Tag("S22")
    void aTextIsOneCleanLineOfBoundedLength() {
        String failure = Failure.of("  a\r\n\tb\u0000\u001b[31m c" + "x".repeat(100_000));

        assertThat(failure).startsWith("a b [*m cxx").hasSize(500);
    }

    @Test
    void aTextMadeToBeSlowIsNot() {
        assertThat(Failure.of("'".repeat(100_000))).hasSizeLessThanOrEqualTo(500);
        assertThat(Failure.of(" '".repeat(50_000))).hasSizeLessThanOrEqualTo(500);
        assertThat(Failure.of("1.".repeat(50_000))).hasSizeLessThanOrEqualTo(500);
        assertThat(Failure.of("a1".repeat(50_000))).hasSizeLessThanOrEqualTo(500);
        assertThat(Failure.of("")).isEmpty();
    }

    @Test
    void anExceptionIsItsTypeAndTheFirstFrameOfTheApplication() {
        Throwable error = thrown(
                new IllegalStateException("order 42"),
                "java.util.Objects.requireNonNull",
                "org.springframework.util.Assert.notNull",
                "com.acme.OrderHandler.handle",
                "com.acme.Main.main");

        assertThat(Failure.of(error)).isEqualTo("java.lang.IllegalStateException at com.acme.OrderHandler.handle");
    }

    @Test
    void theInnermostCauseCounts() {
        Throwable root = thrown(new IOException("disk 7"), "com.acme.Disk.write");
        Throwable error = new CompletionException(new ExecutionException(
                thrown(new UncheckedIOException(new IOException(root)), "com.acme.OrderHandler.handle")));

        assertThat(Failure.of(error)).isEqualTo("java.io.IOException at com.acme.Disk.write");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "java.lang.Thread.run",
                "javax.sql.X.y",
                "jakarta.mail.X.y",
                "jdk.internal.X.y",
                "sun.nio.X.y",
                "com.sun.net.X.y",
                "dev.postrider.publish.HandlerPool.run",
                "org.apache.kafka.X.y",
                "com.rabbitmq.client.X.y",
                "org.apache.hc.X.y",
                "org.springframework.X.y",
                "com.acme.Orders$$SpringCGLIB$$0.find",
                "com.acme.$Proxy17.find"
            })
    void framesOfLibrariesAndProxiesDoNotCount(String frame) {
        assertThat(Failure.of(thrown(new IllegalStateException(), frame, frame)))
                .isEqualTo("java.lang.IllegalStateException");
    }

    @ParameterizedTest
    @ValueSource(strings = {"javanese.Tea.brew", "com.sunny.Day.shine", "org.apache.kafkaesque.Trial.go", "Main.main"})
    void framesWithSimilarNamesDo(String frame) {
        assertThat(Failure.of(thrown(new IllegalStateException(), frame)))
                .isEqualTo("java.lang.IllegalStateException at " + frame);
    }

    @Test
    void aLambdaIsNamedByItsMethod() {
        assertThat(Failure.of(thrown(new IllegalStateException(), "com.acme.Orders.lambda$find$17")))
                .isEqualTo("java.lang.IllegalStateException at com.acme.Orders.find");
    }

    @Test
    void theTextOfAnExceptionIsNoPartOfIt() {
        assertThat(Failure.of(thrown(new IllegalStateException("secret"), "com.acme.A.b")))
                .doesNotContain("secret");
    }

    @Test
    void anExceptionWithoutFramesIsItsType() {
        assertThat(Failure.of(thrown(new IllegalStateException("x")))).isEqualTo("java.lang.IllegalStateException");
    }

    @Test
    void causesThatGoInCirclesEnd() {
        Exception one = new IllegalStateException();
        Exception other = new IllegalArgumentException(one);
        one.initCause(other);

        assertThat(Failure.of(one)).startsWith("java.lang.Illegal");
    }

    @Test
    void anExceptionThatCannotSpeakIsNamedAllTheSame() {
        assertThat(Failure.of(new Mute())).isEqualTo(Mute.class.getName());
    }

    @Test
    void aLongNameIsCut() {
        assertThat(Failure.of(thrown(new IllegalStateException(), "com.acme." + "X".repeat(1_000) + ".y")))
                .hasSize(500);
    }

    private static <T extends Throwable> T thrown(T error, String... frames) {
        StackTraceElement[] trace = new StackTraceElement[frames.length];
        for (int i = 0; i < frames.length; i++) {
            int dot = frames[i].lastIndexOf('.');
            trace[i] = new StackTraceElement(frames[i].substring(0, dot), frames[i].substring(dot + 1), "X.java", i);
        }
        error.setStackTrace(trace);
        return error;
    }

    private static final class Mute extends RuntimeException {
        @Override
        public synchronized Throwable getCause() {
            throw new IllegalStateException("not even this");
        }
    }
}

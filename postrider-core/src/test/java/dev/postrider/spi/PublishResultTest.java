package dev.postrider.spi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.spi.PublishResult.Kind;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R0.6")
class PublishResultTest {

    @Test
    void aTextSaysWhatItHasInCommonWithOthers() {
        assertThat(PublishResult.failed("no order 42").failure()).isEqualTo("no order *");
        assertThat(PublishResult.rejected("no order 43").failure()).isEqualTo("no order *");
        assertThat(new PublishResult(Kind.FAILED, "no order 44", Duration.ZERO, null).failure())
                .isEqualTo("no order *");
    }

    @Test
    void whoeverKnowsBetterIsBelieved() {
        assertThat(new PublishResult(Kind.FAILED, "HTTP 500", Duration.ZERO, "HTTP 500").failure())
                .isEqualTo("HTTP 500");
    }

    @Test
    void anExceptionKeepsItsTextAndItsTypeIsTheFailure() {
        IllegalStateException error = new IllegalStateException("no order 42");

        assertThat(PublishResult.failed(error).error()).isEqualTo("java.lang.IllegalStateException: no order 42");
        assertThat(PublishResult.failed(error).failure()).startsWith("java.lang.IllegalStateException");
        assertThat(PublishResult.rejected(error).failure()).isEqualTo(Failure.of(error));
        assertThat(PublishResult.rejected(error).kind()).isEqualTo(Kind.REJECTED);
    }

    @Test
    void nobodyIsToBlameForAnAckOrATopicOutOfReach() {
        assertThat(PublishResult.acked().failure()).isNull();
        assertThat(PublishResult.unavailable("away").failure()).isNull();
    }
}

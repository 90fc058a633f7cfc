package dev.postrider.spi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ErrorTextTest {

    @Test
    void theTypeAndTheMessageAreNamed() {
        assertThat(ErrorText.of(new IllegalStateException("no stock")))
                .isEqualTo("java.lang.IllegalStateException: no stock");
        assertThat(ErrorText.of(new IllegalStateException())).isEqualTo("java.lang.IllegalStateException");
    }

    @Test
    void itIsBoundedAndOneLine() {
        String text = ErrorText.of(new IllegalStateException("a\r\nb\u202Ec\u2028d\ud800e" + "x".repeat(100_000)));

        assertThat(text)
                .startsWith("java.lang.IllegalStateException: a  b c d ex")
                .hasSize(500);
    }

    @Test
    @Tag("S22")
    void nothingThatControlsATerminalIsLeft() {
        assertThat(ErrorText.clean("a\r\nb\u0000c\u001b[31md\u0085")).isEqualTo("a  b c [31md ");
    }

    @Test
    void aCharacterThatDoesNotFitIsLeftOutWhole() {
        assertThat(ErrorText.clean("x".repeat(1_999) + "🐎", 2_000)).isEqualTo("x".repeat(1_999));
        assertThat(ErrorText.clean("x".repeat(1_998) + "🐎", 2_000))
                .endsWith("x🐎")
                .hasSize(2_000);
    }

    @Test
    void aCharacterOutsideTheBasicPlaneIsKeptWhole() {
        assertThat(ErrorText.clean("ok \uD83D\uDE80")).isEqualTo("ok \uD83D\uDE80");
    }

    @Test
    void anExceptionThatCannotSpeakIsNamedAllTheSame() {
        assertThat(ErrorText.of(new Mute())).isEqualTo(Mute.class.getName());
    }

    private static final class Mute extends RuntimeException {
        @Override
        public String getMessage() {
            throw new IllegalStateException("not even this");
        }
    }
}

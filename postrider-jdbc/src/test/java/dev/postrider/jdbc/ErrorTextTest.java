package dev.postrider.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class ErrorTextTest {

    @Test
    @Tag("S22")
    void controlCharactersBecomeSpaces() {
        assertThat(ErrorText.clean("a\r\nb\u0000c\u001b[31md\u0085")).isEqualTo("a  b c [31md ");
    }

    @Test
    void aLongTextIsCut() {
        assertThat(ErrorText.clean("x".repeat(5_000))).hasSize(2_000);
    }

    @Test
    void aSurrogateWithoutItsPartnerIsReplaced() {
        assertThat(ErrorText.clean("🐎")).isEqualTo("🐎");
        assertThat(ErrorText.clean("a\ud83d")).isEqualTo("a\ufffd");
        assertThat(ErrorText.clean("\udc0ea")).isEqualTo("\ufffda");
        assertThat(ErrorText.clean("x".repeat(1_999) + "🐎")).isEqualTo("x".repeat(1_999) + "\ufffd");
        assertThat(ErrorText.clean(null)).isNull();
    }
}

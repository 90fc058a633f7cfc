package dev.postrider.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.database.HeaderCodec;
import dev.postrider.publish.MessageHeaders;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class IncomingTest {

    private static final ReceivedMessage MESSAGE = ReceivedMessage.from("bestellungen-ü")
            .id("m1")
            .key("schlüssel 😀")
            .header("grüße", "\"an alle\"\n")
            .build();

    @Test
    void headersArePlainTextForADatabaseThatRefusesOthersAndMeanTheSame() {
        Incoming incoming = Incoming.of(MESSAGE, "billing").inPlainText();

        String json = incoming.headers();

        assertThat(json).matches("[ -~]+").contains("gr\\u00fc\\u00dfe");
        assertThat(HeaderCodec.decode(json))
                .isEqualTo(Map.of(
                        "grüße",
                        "\"an alle\"\n",
                        MessageHeaders.TOPIC,
                        "bestellungen-ü",
                        MessageHeaders.KEY,
                        "schlüssel 😀"));
    }

    @Test
    void headersKeepTheirTextOtherwise() {
        String json = Incoming.of(MESSAGE, "billing").headers();

        assertThat(json).contains("grüße");
        assertThat(HeaderCodec.decode(json)).isEqualTo(Map.of("grüße", "\"an alle\"\n"));
    }

    @Test
    void nothingIsKnownOfAMessageButItsId() {
        Incoming incoming = Incoming.of("m1", "billing");

        assertThat(incoming.headers()).isNull();
        assertThat(incoming.topic()).isNull();
        assertThat(incoming.key()).isNull();
        assertThat(incoming.source()).isNull();
        assertThat(incoming.type()).isNull();
        assertThat(incoming.sequence()).isNull();
    }
}

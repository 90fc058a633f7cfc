package dev.postrider.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.postrider.OutboxMessage;
import dev.postrider.publish.RejectedMessageException;
import dev.postrider.spi.PayloadCodec;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class ReceivedMessageTest {

    private static final PayloadCodec CODEC = new PayloadCodec() {

        @Override
        public OutboxMessage.Builder message(String topic, Object value) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Object decode(String type, int version, byte[] payload) {
            return type + " v" + version + " " + new String(payload, StandardCharsets.UTF_8);
        }
    };

    @Test
    void payloadIsReadByTypeAndVersion() {
        assertThat(message().build().payload(CODEC, String.class)).isEqualTo("Placed v1 secret");
        assertThat(message().header("postrider-version", "7").build().payload(CODEC, String.class))
                .isEqualTo("Placed v7 secret");
    }

    @Test
    void payloadWithoutATypeOrWithAVersionThatIsNoNumberIsRejected() {
        ReceivedMessage untyped = ReceivedMessage.from("orders").build();
        ReceivedMessage misversioned =
                message().header("postrider-version", "seven").build();

        assertThatExceptionOfType(RejectedMessageException.class)
                .isThrownBy(() -> untyped.payload(CODEC, String.class))
                .withMessageContaining("no type");
        assertThatExceptionOfType(RejectedMessageException.class)
                .isThrownBy(() -> misversioned.payload(CODEC, String.class))
                .withMessageContaining("'seven'");
    }

    @Test
    void textNamesTheMessageWithoutItsPayloadAndHeaders() {
        assertThat(message().header("token", "hidden").build().toString())
                .contains("m1", "orders", "Placed", "6 bytes")
                .doesNotContain("secret", "hidden");
    }

    private static ReceivedMessage.Builder message() {
        return ReceivedMessage.from("orders")
                .id("m1")
                .type("Placed")
                .payload("secret".getBytes(StandardCharsets.UTF_8));
    }
}

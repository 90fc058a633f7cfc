package dev.postrider.jdbc.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.postrider.OutboxMessage;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R4.2")
final class CanonicalFormTest {

    // Few and confusable on purpose: what could be told apart only by a separator collides here often.
    private static final String[] TEXTS = {
        "", "a", "b", "ab", "ba", "|", "a|b", "\u0000", "\u0000\u0000\u0000\u0001a", "ä🐎"
    };
    private static final UUID[] IDS = {new UUID(0, 1), new UUID(1, 0)};

    @Test
    void noTwoDifferentMessagesShareTheirSignedBytes() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        Map<String, List<Object>> seen = new HashMap<>();
        for (int i = 0; i < 200_000; i++) {
            Sample sample = new Sample(random);

            List<Object> other = seen.putIfAbsent(sample.signed(), sample.fields());

            if (other != null) {
                assertThat(sample.fields()).as("seed %d, message %d", seed, i).isEqualTo(other);
            }
        }
        assertThat(seen).hasSizeGreaterThan(100_000);
    }

    @Test
    void equalMessagesHaveEqualBytesWhateverTheOrderOfTheirHeaders() {
        OutboxMessage one = OutboxMessage.to("t", "y")
                .id(IDS[0])
                .header("a", "1")
                .header("b", "2")
                .header("🐎", "3")
                .restore();
        OutboxMessage other = OutboxMessage.to("t", "y")
                .id(IDS[0])
                .header("🐎", "3")
                .header("b", "2")
                .header("a", "1")
                .restore();

        assertThat(CanonicalForm.signed(one, null, 7)).isEqualTo(CanonicalForm.signed(other, null, 7));
    }

    @Test
    void theFormIsTheOneThatIsDocumented() {
        OutboxMessage message = OutboxMessage.to("t", "y")
                .id(new UUID(0x0102030405060708L, 0x090a0b0c0d0e0f10L))
                .namespace("n")
                .version(2)
                .contentType("c")
                .dedupeKey("d")
                .header("h", "v")
                .restore();

        assertThat(HexFormat.of().formatHex(CanonicalForm.signed(message, "k", 5)))
                .isEqualTo(hex("postrider signature 1")
                        + "0102030405060708090a0b0c0d0e0f10"
                        + hex("n")
                        + hex("t")
                        + "ffffffff"
                        + hex("y")
                        + "00000002"
                        + hex("c")
                        + hex("k")
                        + "ffffffff"
                        + hex("d")
                        + "00000001"
                        + hex("h")
                        + hex("v")
                        + "00000005");
    }

    @Test
    void theBytesOfOneUseNeverServeTheOther() {
        OutboxMessage message = OutboxMessage.to("t", "y").id(IDS[0]).restore();

        assertThat(CanonicalForm.encrypted(message, "k")).startsWith(prefix("postrider payload 1"));
        assertThat(CanonicalForm.signed(message, "k", 0)).startsWith(prefix("postrider signature 1"));
    }

    @Test
    void textWithoutAUtf8FormIsRefusedBecauseItWouldLookLikeAnother() {
        for (String lone : new String[] {"\ud83d", "\udc0e", "a\udc0e\ud83d", "\ud83d\ud83d\udc0e"}) {
            OutboxMessage message =
                    OutboxMessage.to("t", "y").id(IDS[0]).header("h", lone).restore();

            assertThatIllegalArgumentException().isThrownBy(() -> CanonicalForm.signed(message, null, 0));
        }
    }

    private static byte[] prefix(String text) {
        return HexFormat.of().parseHex(hex(text));
    }

    private static String hex(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        return "%08x".formatted(utf8.length) + HexFormat.of().formatHex(utf8);
    }

    /** A message with the parts that are signed, each of a few values. */
    private static final class Sample {

        private final List<Object> fields = new ArrayList<>();
        private final OutboxMessage message;
        private final @Nullable String payloadKey;

        Sample(Random random) {
            String topic = note(text(random));
            String type = note(text(random));
            OutboxMessage.Builder builder = OutboxMessage.to(topic, type)
                    .id(note(IDS[random.nextInt(IDS.length)]))
                    .namespace(note(text(random)))
                    .key(noteNullable(optional(random)))
                    .version(note(1 + random.nextInt(2)))
                    .tenant(noteNullable(optional(random)))
                    .dedupeKey(noteNullable(optional(random)))
                    .contentType(note(text(random)));
            Map<String, String> headers = new HashMap<>();
            for (int i = random.nextInt(3); i > 0; i--) {
                headers.put(text(random), text(random));
            }
            builder.headers(note(headers));
            builder.payload(note(text(random)));
            payloadKey = noteNullable(optional(random));
            message = builder.restore();
        }

        String signed() {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            bytes.writeBytes(CanonicalForm.signed(message, payloadKey, message.payloadSize()));
            bytes.writeBytes(message.payload());
            return bytes.toString(StandardCharsets.ISO_8859_1);
        }

        List<Object> fields() {
            return fields;
        }

        private <T> T note(T value) {
            fields.add(value);
            return value;
        }

        private @Nullable String noteNullable(@Nullable String value) {
            fields.add(String.valueOf(value == null ? 0 : value));
            fields.add(value == null);
            return value;
        }

        private static String text(Random random) {
            return TEXTS[random.nextInt(TEXTS.length)];
        }

        private static @Nullable String optional(Random random) {
            return random.nextInt(3) == 0 ? null : text(random);
        }
    }
}

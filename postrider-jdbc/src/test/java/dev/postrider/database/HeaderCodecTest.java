package dev.postrider.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class HeaderCodecTest {

    @Test
    void noHeadersAreNull() {
        assertThat(HeaderCodec.encode(Map.of())).isNull();
        assertThat(HeaderCodec.decode(null)).isEmpty();
    }

    @Test
    void headersAreAFlatObjectInTheOrderOfTheirNames() {
        assertThat(HeaderCodec.encode(Map.of("b", "2", "a", "say \"hi\"\\")))
                .isEqualTo("{\"a\":\"say \\\"hi\\\"\\\\\",\"b\":\"2\"}");
    }

    @Test
    void whatIsEncodedIsDecoded() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 500; i++) {
            Map<String, String> headers = new HashMap<>();
            for (int j = random.nextInt(5); j > 0; j--) {
                headers.put(text(random), text(random));
            }

            String json = HeaderCodec.encode(headers);

            assertThat(HeaderCodec.decode(json)).as("seed %d, %s", seed, json).isEqualTo(headers);
        }
    }

    @Test
    void whatOtherLanguagesWriteIsRead() {
        assertThat(HeaderCodec.decode(" { \"a\" : \"\\u00e9\\n\\/\" ,\r\n\"b\":\"\" } "))
                .containsExactly(Map.entry("a", "é\n/"), Map.entry("b", ""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "{",
                "{}x",
                "{\"a\"}",
                "{\"a\":}",
                "{\"a\":1}",
                "{\"a\":null}",
                "{\"a\":{}}",
                "{\"a\":\"b\",}",
                "{\"a\":\"\\x\"}",
                "{\"a\":\"\\u12g4\"}",
                "{\"a\":\"\n\"}",
                "{\"a\":\"b\" \"c\":\"d\"}",
                "{a:\"b\"}"
            })
    void anythingElseIsRefusedWithoutShowingIt(String json) {
        assertThatThrownBy(() -> HeaderCodec.decode(json))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("Expected");
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(12); i >= 0; i--) {
            text.appendCodePoint(
                    switch (random.nextInt(4)) {
                        case 0 -> random.nextInt(0x80);
                        case 1 -> "\"\\/{}:,".charAt(random.nextInt(7));
                        case 2 -> 0xA0 + random.nextInt(0x5000);
                        default -> 0x1F400 + random.nextInt(0x100);
                    });
        }
        return text.toString();
    }
}

package dev.postrider.console.message;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** A payload: a text if it is one in UTF-8, else base64. It is never parsed, so its numbers keep all their digits. */
record PayloadView(@Nullable String text, @Nullable String base64) {

    static PayloadView of(byte[] payload) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(payload))
                    .toString();
            if (text.indexOf(0) < 0) {
                return new PayloadView(text, null);
            }
        } catch (CharacterCodingException e) {
            return new PayloadView(null, Base64.getEncoder().encodeToString(payload));
        }
        return new PayloadView(null, Base64.getEncoder().encodeToString(payload));
    }
}

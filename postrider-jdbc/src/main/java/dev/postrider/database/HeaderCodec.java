package dev.postrider.database;

import dev.postrider.spi.JsonText;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Headers as a flat JSON object of strings, in the order of their names; no headers are null. */
public final class HeaderCodec {

    private HeaderCodec() {}

    /** Encodes headers. */
    public static @Nullable String encode(Map<String, String> headers) {
        if (headers.isEmpty()) {
            return null;
        }
        StringBuilder json = new StringBuilder("{");
        new TreeMap<>(headers).forEach((name, value) -> {
            json.append(json.length() == 1 ? "" : ",");
            JsonText.quote(json, name);
            JsonText.quote(json.append(':'), value);
        });
        return json.append('}').toString();
    }

    /**
     * Decodes what {@link #encode} or another language wrote.
     *
     * @throws IllegalArgumentException if it is anything but a flat object of strings
     */
    public static Map<String, String> decode(@Nullable String json) {
        Map<String, String> headers = new LinkedHashMap<>();
        if (json == null) {
            return headers;
        }
        JsonText text = new JsonText(json);
        text.expect('{');
        if (!text.accept('}')) {
            do {
                String name = text.string();
                text.expect(':');
                headers.put(name, text.string());
            } while (text.accept(','));
            text.expect('}');
        }
        text.expectEnd();
        return headers;
    }
}

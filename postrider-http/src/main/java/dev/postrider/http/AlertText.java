package dev.postrider.http;

import dev.postrider.alert.Alert;
import dev.postrider.spi.ErrorText;
import dev.postrider.spi.JsonText;
import java.util.LinkedHashMap;
import java.util.Map;

/** What an alert looks like to each kind of receiver, within the limits they document. */
final class AlertText {

    static final String SOURCE = "postrider";

    private static final int RED = 0xD32F2F;
    private static final int YELLOW = 0xF9A825;
    private static final int GREEN = 0x388E3C;

    private static final int TITLE = 256;
    private static final int DESCRIPTION = 4_096;
    private static final int FIELDS = 25;
    private static final int FIELD_NAME = 256;
    private static final int FIELD_VALUE = 1_024;
    private static final int EMBED = 6_000;

    private static final int SLACK_TEXT = 4_000;
    private static final int JSON_TEXT = 4_000;
    private static final String MARKDOWN = "\\*_~`|[]<>";

    private AlertText() {}

    /** A message of a Discord webhook: one embed, and nobody is mentioned whatever the texts say. */
    static String discord(Alert alert, String username) {
        StringBuilder json = new StringBuilder("{\"username\":");
        JsonText.quote(json, username);
        json.append(",\"allowed_mentions\":{\"parse\":[]},\"embeds\":[{\"title\":");
        String title = plain(heading(alert), TITLE);
        String description = plain(alert.summary(), DESCRIPTION);
        JsonText.quote(json, title);
        json.append(",\"description\":");
        JsonText.quote(json, description);
        json.append(",\"color\":").append(color(alert)).append(",\"timestamp\":");
        JsonText.quote(json, alert.at().toString());
        json.append(",\"fields\":[");
        fields(json, alert.details(), EMBED - title.length() - description.length());
        return json.append("]}]}").toString();
    }

    // All texts of an embed count together; what does not fit any more is left out as a whole.
    private static void fields(StringBuilder json, Map<String, String> details, int room) {
        int left = room;
        int written = 0;
        for (Map.Entry<String, String> detail : details.entrySet()) {
            String name = notEmpty(plain(detail.getKey(), FIELD_NAME));
            String value = notEmpty(plain(detail.getValue(), FIELD_VALUE));
            left -= name.length() + value.length();
            if (left < 0 || written == FIELDS) {
                return;
            }
            json.append(written++ == 0 ? "{\"name\":" : ",{\"name\":");
            JsonText.quote(json, name);
            json.append(",\"value\":");
            JsonText.quote(json, value);
            json.append(",\"inline\":false}");
        }
    }

    /** A message of a Slack webhook. */
    static String slack(Alert alert) {
        StringBuilder lines = new StringBuilder();
        lines.append('*').append(escaped(heading(alert), TITLE)).append("*\n");
        lines.append(escaped(alert.summary(), DESCRIPTION / 2));
        for (Map.Entry<String, String> detail : alert.details().entrySet()) {
            String line = "\n• %s: %s"
                    .formatted(escaped(detail.getKey(), FIELD_NAME), escaped(detail.getValue(), FIELD_VALUE));
            if (lines.length() + line.length() > SLACK_TEXT) {
                break;
            }
            lines.append(line);
        }
        StringBuilder json = new StringBuilder("{\"text\":");
        JsonText.quote(json, lines.toString());
        return json.append('}').toString();
    }

    /** A flat object of strings. */
    static String json(Alert alert) {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("source", SOURCE);
        values.put("name", alert.name());
        values.put("severity", alert.severity().name());
        values.put("state", alert.state().name());
        values.put("summary", alert.summary());
        values.put("at", alert.at().toString());
        alert.details().forEach((name, value) -> values.put("detail." + name, value));
        StringBuilder json = new StringBuilder("{");
        values.forEach((name, value) -> {
            json.append(json.length() == 1 ? "" : ",");
            JsonText.quote(json, ErrorText.clean(name, FIELD_NAME));
            json.append(':');
            JsonText.quote(json, ErrorText.clean(value, JSON_TEXT));
        });
        return json.append('}').toString();
    }

    private static String heading(Alert alert) {
        String state = alert.state() == Alert.State.RESOLVED
                ? "RESOLVED"
                : alert.severity().name();
        return state + ": " + alert.name();
    }

    private static int color(Alert alert) {
        if (alert.state() == Alert.State.RESOLVED) {
            return GREEN;
        }
        return alert.severity() == Alert.Severity.CRITICAL ? RED : YELLOW;
    }

    private static String notEmpty(String text) {
        return text.isBlank() ? "-" : text;
    }

    // A text of others may look like a link to somewhere else; what is escaped is shown as it is.
    private static String plain(String text, int most) {
        StringBuilder plain = new StringBuilder();
        for (int character : ErrorText.clean(text, most).codePoints().toArray()) {
            boolean escape = MARKDOWN.indexOf(character) >= 0;
            if (plain.length() + Character.charCount(character) + (escape ? 1 : 0) > most) {
                break;
            }
            plain.append(escape ? "\\" : "").appendCodePoint(character);
        }
        return plain.toString();
    }

    private static String escaped(String text, int most) {
        return ErrorText.clean(text, most)
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;");
    }
}

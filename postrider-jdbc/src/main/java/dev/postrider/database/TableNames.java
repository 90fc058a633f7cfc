package dev.postrider.database;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * What the tables are called. This is the only place where a name enters the text of a statement, so its grammar is
 * strict: a letter or an underscore, then up to 30 letters, digits or underscores.
 *
 * @param schema where the tables are; null means where the connection looks
 * @param prefix what every name begins with
 */
public record TableNames(@Nullable String schema, String prefix) {

    private static final String DEFAULT_PREFIX = "outbox_";
    private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,30}");
    private static final Pattern PLACEHOLDER = Pattern.compile(
            "\\{(message|claim|shard|relay|attempt|audit|archive|gate|control|enqueue|shard_of|id_of|bulk|bulk_row|schema_version|message_view|prefix|channel"
                    + "|position|failure|definition|instance|step|participant)}");

    /**
     * Checks the grammar.
     *
     * @throws IllegalArgumentException naming the value that breaks it
     */
    public TableNames {
        if (schema != null) {
            check("schema", schema);
        }
        check("prefix", prefix);
    }

    /** Returns {@code outbox_message} and its companions, where the connection looks. */
    public static TableNames defaults() {
        return new TableNames(null, DEFAULT_PREFIX);
    }

    /** Returns names with this prefix, where the connection looks. */
    public static TableNames of(String prefix) {
        return new TableNames(null, prefix);
    }

    /** Returns these names in another schema. */
    public TableNames withSchema(String name) {
        return new TableNames(name, prefix);
    }

    /** Returns these names with another prefix. */
    public TableNames withPrefix(String value) {
        return new TableNames(schema, value);
    }

    /** Returns the statement with its placeholders, for example {@code {message}}, replaced by names. */
    public String in(String statement) {
        return PLACEHOLDER.matcher(statement).replaceAll(match -> name(match.group(1)));
    }

    /** Returns a name for things that are not tables, for example a lock or a channel. */
    public String label() {
        return schema == null ? prefix : schema + "." + prefix;
    }

    /** Returns the channel on which relays of these tables are woken. */
    public String channel() {
        CRC32 crc = new CRC32();
        crc.update(label().toLowerCase(Locale.ROOT).getBytes(StandardCharsets.UTF_8));
        return "postrider_%08x".formatted(crc.getValue());
    }

    private String name(String placeholder) {
        if (placeholder.equals("channel")) {
            return channel();
        }
        if (placeholder.equals("prefix")) {
            return prefix;
        }
        return schema == null ? prefix + placeholder : schema + "." + prefix + placeholder;
    }

    private static void check(String what, String value) {
        if (!IDENTIFIER.matcher(value).matches()) {
            throw new IllegalArgumentException("%s must match %s but was '%s'".formatted(what, IDENTIFIER, value));
        }
    }
}

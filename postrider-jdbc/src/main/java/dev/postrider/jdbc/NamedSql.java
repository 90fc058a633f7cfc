package dev.postrider.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A statement whose parameters have names such as {@code :after}, so that each can be used several times.
 *
 * @param template the statement as it was written
 * @param text the statement as the driver takes it
 * @param names the names of the parameters in the order in which they are bound
 */
record NamedSql(String template, String text, List<String> names) {

    // Not the second colon of a cast.
    private static final Pattern NAME = Pattern.compile("(?<!:):([a-z_]+)");

    static NamedSql of(String template) {
        List<String> names = new ArrayList<>();
        Matcher name = NAME.matcher(template);
        String text = name.replaceAll(found -> {
            names.add(found.group(1));
            return "?";
        });
        return new NamedSql(template, text, List.copyOf(names));
    }

    void bind(PreparedStatement statement, Map<String, @Nullable Object> values) throws SQLException {
        int place = 1;
        for (Object value : inOrder(values)) {
            statement.setObject(place++, value);
        }
    }

    /** Returns the values in the order in which they are bound. */
    List<@Nullable Object> inOrder(Map<String, @Nullable Object> values) {
        List<@Nullable Object> ordered = new ArrayList<>();
        for (String name : names) {
            if (!values.containsKey(name)) {
                throw new IllegalArgumentException("No value for parameter " + name);
            }
            ordered.add(values.get(name));
        }
        return ordered;
    }
}

package dev.postrider.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A statement whose parameters have names such as {@code :after}, so that each can be used several times. */
record NamedSql(String text, List<String> names) {

    // Not the second colon of a cast.
    private static final Pattern NAME = Pattern.compile("(?<!:):([a-z_]+)");

    static NamedSql of(String template) {
        List<String> names = new ArrayList<>();
        Matcher name = NAME.matcher(template);
        String text = name.replaceAll(found -> {
            names.add(found.group(1));
            return "?";
        });
        return new NamedSql(text, List.copyOf(names));
    }

    void bind(PreparedStatement statement, Map<String, Object> values) throws SQLException {
        for (int i = 0; i < names.size(); i++) {
            statement.setObject(i + 1, Objects.requireNonNull(values.get(names.get(i)), names.get(i)));
        }
    }
}

package dev.postrider.jdbc;

import dev.postrider.admin.MessageFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A filter as a condition on rows {@code m}. The status is not part of it: statements name it themselves.
 *
 * @param sql constants and question marks, true if there is nothing to check
 * @param values what the question marks stand for
 */
record FilterConditions(String sql, List<Object> values) {

    static FilterConditions of(MessageFilter filter, Dialect dialect) {
        Collector all = new Collector();
        all.add("m.namespace = ?", filter.namespace());
        all.add("m.topic = ?", filter.topic());
        all.add("m.type = ?", filter.type());
        all.add("m.message_key = ?", filter.key());
        all.add("m.tenant = ?", filter.tenant());
        all.add("m.failure = ?", filter.failure());
        String part = filter.errorText();
        all.add("lower(m.last_error) like ? escape '!'", part == null ? null : pattern(part));
        all.add("m.created_at >= ?", filter.createdFrom() == null ? null : dialect.time(filter.createdFrom()));
        all.add("m.created_at < ?", filter.createdBefore() == null ? null : dialect.time(filter.createdBefore()));
        all.add("m.died_at >= ?", filter.diedFrom() == null ? null : dialect.time(filter.diedFrom()));
        all.add("m.died_at < ?", filter.diedBefore() == null ? null : dialect.time(filter.diedBefore()));
        return all.parts.isEmpty()
                ? new FilterConditions("1 = 1", List.of())
                : new FilterConditions(String.join(" and ", all.parts), all.values);
    }

    private static String pattern(String part) {
        String escaped = part.toLowerCase(Locale.ROOT)
                .replace("!", "!!")
                .replace("%", "!%")
                .replace("_", "!_");
        return "%" + escaped + "%";
    }

    private static final class Collector {
        private final List<String> parts = new ArrayList<>();
        private final List<Object> values = new ArrayList<>();

        void add(String condition, @Nullable Object value) {
            if (value != null) {
                parts.add(condition);
                values.add(value);
            }
        }
    }
}

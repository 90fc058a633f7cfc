package dev.postrider.jdbc.operator;

import dev.postrider.MessageStatus;
import dev.postrider.admin.DeadGroup;
import dev.postrider.admin.MessageFilter;
import dev.postrider.database.Dialect;
import dev.postrider.jdbc.row.StatusCode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Conditions on a row {@code m} of the message table, each with an {@code and} in front, and their values. */
final class Criteria {

    private final Dialect dialect;
    private final StringBuilder sql = new StringBuilder();
    private final List<Object> values = new ArrayList<>();

    private Criteria(Dialect dialect) {
        this.dialect = dialect;
    }

    /** Returns everything the filter asks for. */
    static Criteria of(MessageFilter filter, Dialect dialect) {
        Criteria criteria = deaths(filter, dialect);
        MessageStatus status = filter.status();
        criteria.add("{status} = ?", status == null ? null : StatusCode.of(status));
        criteria.add("m.namespace = ?", filter.namespace());
        criteria.add("m.topic = ?", filter.topic());
        criteria.add("m.type = ?", filter.type());
        criteria.add("m.message_key = ?", filter.key());
        criteria.add("m.tenant = ?", filter.tenant());
        if (DeadGroup.UNKNOWN.equals(filter.failure())) {
            criteria.sql.append(" and m.failure is null");
        } else {
            criteria.add("m.failure = ?", filter.failure());
        }
        // Not lower(?), which would be taken for a list.
        criteria.add(
                "lower(m.last_error) like lower(concat('%', ?, '%')) escape '!'",
                filter.errorText() == null ? null : literally(filter.errorText()));
        criteria.add("m.created_at >= ?", criteria.time(filter.createdFrom()));
        criteria.add("m.created_at < ?", criteria.time(filter.createdBefore()));
        criteria.add("m.attempts >= ?", filter.attemptsFrom());
        return criteria;
    }

    /** Returns only what the filter says about the time of death. */
    static Criteria deaths(MessageFilter filter, Dialect dialect) {
        Criteria criteria = new Criteria(dialect);
        criteria.add("m.died_at >= ?", criteria.time(filter.diedFrom()));
        criteria.add("m.died_at < ?", criteria.time(filter.diedBefore()));
        return criteria;
    }

    /** Returns the statement with the conditions in place of {@code {criteria}}. */
    String in(String statement) {
        return statement.replace("{criteria}", sql);
    }

    List<Object> values() {
        return Collections.unmodifiableList(values);
    }

    private void add(String condition, @Nullable Object value) {
        if (value != null) {
            sql.append(" and ").append(condition);
            values.add(value);
        }
    }

    private @Nullable Object time(@Nullable Instant time) {
        return time == null ? null : dialect.time(nextMicro(time));
    }

    // The databases round what they cannot hold: a time between two microseconds separates rows as the later one does.
    static Instant nextMicro(Instant time) {
        Instant micro = time.truncatedTo(ChronoUnit.MICROS);
        return micro.equals(time) ? micro : micro.plus(1, ChronoUnit.MICROS);
    }

    private static String literally(String text) {
        return text.replace("!", "!!").replace("%", "!%").replace("_", "!_");
    }
}

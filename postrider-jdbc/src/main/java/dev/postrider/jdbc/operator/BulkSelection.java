package dev.postrider.jdbc.operator;

import dev.postrider.MessageStatus;
import dev.postrider.admin.BulkPlan;
import dev.postrider.database.Session;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * The messages a plan covers. Dead ones are found by the time of their death, delivered ones by sequence. A message
 * leaves the selection when the action is done to it, and none enters it, because the cut-off is in the past.
 */
final class BulkSelection {

    private static final int CHUNK = 2_000;

    // Rows are not enqueued exactly in the order of their sequences.
    private static final Duration MARGIN = Duration.ofMinutes(1);

    private static final String COUNT_DEAD =
            "select count(*) from {message} m {by_death} where m.died_at <= ? and m.status = 3{criteria}";

    private static final String COUNT_DELIVERED =
            "select count(*) from {message} m {by_seq} where m.delivered_at <= ? and m.status = 2{criteria}";

    static final String LOOK_DEAD = """
            select m.seq, m.id, m.died_at as moment, case when m.status = 3{criteria} then 1 else 0 end as fits
              from {message} m {by_death}
             where {after_death} and m.died_at <= ?
             order by m.died_at, m.seq
             limit ?
            """;

    // Rows enqueued well after the cut-off end the walk: everything behind them is younger still.
    private static final String LOOK_DELIVERED = """
            select m.seq, m.id, m.created_at as moment,
                   case when m.status = 2 and m.delivered_at <= ?{criteria} then 1 else 0 end as fits
              from {message} m {by_seq}
             where m.seq > ?
             order by m.seq
             limit ?
            """;

    private static final String STILL_DEAD = """
            select m.seq
              from {message} m {by_seq}
             where m.status = 3 and m.died_at <= ? and m.seq in (?)
             order by m.seq
            """;

    private static final String STILL_DELIVERED = """
            select m.seq
              from {message} m {by_seq}
             where m.status = 2 and m.delivered_at <= ? and m.seq in (?)
             order by m.seq
            """;

    private static final String LOCKED = "   for update skip locked\n";

    /**
     * A stretch of the walk.
     *
     * @param found the messages that fit, by sequence
     * @param next where the next stretch begins
     * @param dense whether nearly everything that was read fitted
     * @param ended whether there is no next one
     */
    record Stretch(Map<Long, UUID> found, PageCursor next, boolean dense, boolean ended) {}

    private final Session session;
    private final boolean dead;
    private final Object cutOff;
    private final Instant lastEnqueue;
    private final Criteria criteria;

    BulkSelection(Session session, BulkPlan plan) {
        this.session = session;
        this.dead = plan.action().from() == MessageStatus.DEAD;
        this.lastEnqueue = plan.cutOff().plus(MARGIN);
        this.cutOff = session.dialect().time(plan.cutOff());
        this.criteria = Criteria.of(plan.filter(), session.dialect());
    }

    long count() throws SQLException {
        List<Object> values = new ArrayList<>(List.of(cutOff));
        values.addAll(criteria.values());
        String sql = criteria.in(dead ? COUNT_DEAD : COUNT_DELIVERED);
        try (PreparedStatement statement = session.prepare(sql)) {
            Session.bind(statement, values.toArray());
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? row.getLong(1) : 0;
            }
        }
    }

    /**
     * Finds up to {@code limit} messages behind {@code from}, without reading far for them in one go.
     *
     * @param dense whether nearly everything fits, as far as is known
     */
    Stretch look(PageCursor from, int limit, boolean dense) throws SQLException {
        int asked = dense ? limit : Math.max(limit, CHUNK);
        try (PreparedStatement statement = session.prepare(criteria.in(dead ? LOOK_DEAD : LOOK_DELIVERED))) {
            Session.bind(statement, lookValues(from, asked).toArray());
            try (ResultSet rows = statement.executeQuery()) {
                return read(rows, from, limit, asked);
            }
        }
    }

    private Stretch read(ResultSet rows, PageCursor from, int limit, int asked) throws SQLException {
        Map<Long, UUID> found = new LinkedHashMap<>();
        PageCursor next = from;
        int seen = 0;
        boolean beyond = false;
        while (found.size() < limit && rows.next()) {
            seen++;
            Instant at = session.dialect().time(rows, "moment");
            beyond |= !dead && Objects.requireNonNull(at).isAfter(lastEnqueue);
            next = new PageCursor(dead ? Objects.requireNonNull(at) : from.at(), rows.getLong("seq"));
            if (rows.getInt("fits") == 1) {
                found.put(rows.getLong("seq"), session.dialect().id(rows, "id"));
            }
        }
        return new Stretch(found, next, seen < 2 * found.size(), beyond || (seen < asked && found.size() < limit));
    }

    private List<Object> lookValues(PageCursor from, int asked) {
        List<Object> values = new ArrayList<>();
        if (!dead) {
            values.add(cutOff);
        }
        values.addAll(criteria.values());
        if (dead) {
            Object at = session.dialect().time(from.at());
            values.addAll(List.of(at, at, from.seq(), cutOff, asked));
        } else {
            values.addAll(List.of(from.seq(), asked));
        }
        return values;
    }

    /** Locks those of the messages that still are in the selection and that nobody else has locked. */
    List<Long> lock(List<Long> seqs) throws SQLException {
        return seqs((dead ? STILL_DEAD : STILL_DELIVERED) + LOCKED, seqs);
    }

    /** Returns those of the messages that still are in the selection. */
    List<Long> still(List<Long> seqs) throws SQLException {
        return seqs(dead ? STILL_DEAD : STILL_DELIVERED, seqs);
    }

    private List<Long> seqs(String sql, List<Long> seqs) throws SQLException {
        List<Long> found = new ArrayList<>();
        if (!seqs.isEmpty()) {
            try (PreparedStatement statement = session.prepareList(sql, List.of(cutOff), seqs);
                    ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    found.add(rows.getLong(1));
                }
            }
        }
        return found;
    }
}

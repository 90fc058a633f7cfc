package dev.postrider.inbox;

import dev.postrider.database.Session;
import dev.postrider.spi.ErrorText;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The messages that failed, and those that are put aside. */
final class FailureRows {

    /** Takes consumer and id: the message itself is not parked, released or discarded. */
    static final String NOT_PUT_ASIDE = """
               and not exists (select 1
                                 from {failure} f
                                where f.consumer = ? and f.message_id = ? and f.state <> 'FAILING')
            """;

    // The first row of the key in one state is the first entry of its index, however many follow.
    private static final String FIRST_IN_STATE = """
            coalesce((select h.place
                                      from {failure} h
                                     where h.consumer = ? and h.namespace = ? and h.topic = ? and h.message_key = ?
                                       and h.state = '%s'%s
                                     order by h.place
                                     limit 1), 9223372036854775807)""";

    private static final String OWN_PLACE = """
            coalesce((select o.place
                                       from {failure} o
                                      where o.consumer = ? and o.message_id = ?), 9223372036854775807)
            """;

    /**
     * Whether the sequence of the row {@code h} is still to be handled. A failure may be counted after another delivery
     * has handled the message, and must hold nobody then.
     */
    static final String UNREACHED = """
            h.seq is not null
                                       and not exists (select 1
                                                         from {position} r
                                                        where r.consumer = h.consumer and r.namespace = h.namespace
                                                          and r.topic = h.topic and r.message_key = h.message_key
                                                          and r.last_seq >= h.seq)
            """;

    /**
     * Takes {@link #ofKey}: no message of the key is parked or about to be tried again, except those that came after
     * the message itself had failed.
     */
    static final String KEY_NOT_HELD = """
               and least(%s,
                         %s,
                         %s) >= %s""".formatted(first("PARKED"), first("BEHIND"), first("RELEASED"), OWN_PLACE);

    /**
     * Takes {@link #ofKeyBySequence}: as {@link #KEY_NOT_HELD}; an {@code unreached} message that failed holds it too.
     */
    static String keyNotFailing(String unreached) {
        String failing = FIRST_IN_STATE.formatted("FAILING", " and " + unreached.strip());
        return KEY_NOT_HELD.replace("and least(", "and least(" + failing + ",\n                         ");
    }

    private static String first(String state) {
        return FIRST_IN_STATE.formatted(state, "");
    }

    private static final String COUNT_AGAIN = """
            update {failure}
               set attempts = attempts + 1, error = ?, updated_at = {now}
             where consumer = ? and message_id = ? and state <> 'DISCARDED'
            """;

    private static final String COUNT_FIRST = """
            insert into {failure} (consumer, message_id, namespace, topic, message_key, seq, state, attempts, created_at,
                                   updated_at, error, source)
            values (?, ?, ?, ?, ?, ?, 'FAILING', 1, {now}, {now}, ?, ?)
            """;

    private static final String PARK_KNOWN = """
            update {failure}
               set state = ?, reason = ?, type = ?, headers = ?, payload = ?, updated_at = {now}
             where consumer = ? and message_id = ? and state <> 'DISCARDED'
            """;

    private static final String PARK_NEW = """
            insert into {failure} (consumer, message_id, namespace, topic, message_key, seq, source, state, reason, type,
                                   headers, payload, attempts, created_at, updated_at)
            values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, {now}, {now})
            """;

    private static final String FIND = """
            select f.state, f.reason, f.attempts, f.updated_at, f.error, f.source
              from {failure} f
             where f.consumer = ? and f.message_id = ?
            """;

    private static final String DELETE = "delete from {failure} where consumer = ? and message_id = ?";

    private static final int MAX_ERROR = 500;

    private final Session session;

    /** What is noted about a message. */
    record Row(
            InboxEntry.State state,
            @Nullable ParkReason reason,
            int attempts,
            Instant updatedAt,
            @Nullable String error,
            @Nullable String source) {}

    FailureRows(Session session) {
        this.session = session;
    }

    /** Returns what tells whether earlier messages hold the key of a message. */
    static List<@Nullable Object> ofKey(Incoming incoming) {
        return ofKey(incoming, 3);
    }

    /** As {@link #ofKey}, for messages that go by their sequence. */
    static List<@Nullable Object> ofKeyBySequence(Incoming incoming) {
        return ofKey(incoming, 4);
    }

    private static List<@Nullable Object> ofKey(Incoming incoming, int states) {
        List<@Nullable Object> values = new ArrayList<>();
        for (int i = 0; i < states; i++) {
            values.addAll(Arrays.asList(incoming.consumer(), incoming.namespace(), incoming.topic(), incoming.key()));
        }
        values.add(incoming.consumer());
        values.add(incoming.id());
        return values;
    }

    Optional<Row> find(String consumer, String id) throws SQLException {
        return session.first(FIND, row -> row(row), consumer, id);
    }

    private Row row(ResultSet row) throws SQLException {
        String reason = row.getString("reason");
        return new Row(
                InboxEntry.State.valueOf(row.getString("state")),
                reason == null ? null : ParkReason.valueOf(reason),
                row.getInt("attempts"),
                Objects.requireNonNull(session.dialect().time(row, "updated_at")),
                row.getString("error"),
                row.getString("source"));
    }

    /** Notes one more failure and returns what is noted now. */
    Row count(Incoming incoming, Throwable failure) throws SQLException {
        String error = incoming.text(ErrorText.of(failure), MAX_ERROR);
        String consumer = incoming.consumer();
        String id = incoming.id();
        boolean counted = session.update(COUNT_AGAIN, error, consumer, id) == 1
                || session.insertOnce(
                        COUNT_FIRST,
                        consumer,
                        id,
                        incoming.namespace(),
                        incoming.topic(),
                        incoming.key(),
                        incoming.sequence(),
                        error,
                        incoming.source());
        if (!counted) {
            session.update(COUNT_AGAIN, error, consumer, id);
        }
        return find(consumer, id).orElseThrow(() -> new SQLException("The failure just counted is gone", "40001"));
    }

    /** Puts the message aside with its payload, unless it was discarded. */
    void park(Incoming incoming, ReceivedMessage message, ParkReason reason) throws SQLException {
        String state = (reason == ParkReason.BEHIND ? InboxEntry.State.BEHIND : InboxEntry.State.PARKED).name();
        String type = incoming.type();
        String headers = incoming.headers();
        byte[] payload = message.payload();
        if (session.update(PARK_KNOWN, state, reason.name(), type, headers, payload, incoming.consumer(), incoming.id())
                == 1) {
            return;
        }
        session.insertOnce(
                PARK_NEW,
                incoming.consumer(),
                incoming.id(),
                incoming.namespace(),
                incoming.topic(),
                incoming.key(),
                incoming.sequence(),
                incoming.source(),
                state,
                reason.name(),
                type,
                headers,
                payload);
    }

    void delete(Incoming incoming) throws SQLException {
        session.update(DELETE, incoming.consumer(), incoming.id());
    }
}

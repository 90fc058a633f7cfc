package dev.postrider.inbox;

import dev.postrider.database.HeaderCodec;
import dev.postrider.database.Session;
import dev.postrider.publish.MessageHeaders;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Messages that are put aside, with all that was kept of them. */
final class ReleasedRows {

    private static final String COLUMNS = """
            select f.place, f.message_id, f.topic, f.message_key, f.seq, f.type, f.state, f.reason, f.attempts,
                   f.updated_at, f.error, f.source, f.headers, f.payload
              from {failure} f
            """;

    private static final String PUT_ASIDE = COLUMNS + """
             where f.consumer = ? and f.place > ? and f.state in ('PARKED', 'BEHIND', 'RELEASED')
             order by f.place
             limit ?
            """;

    private static final String READY = COLUMNS + """
             where f.consumer = ?
               and f.place > ?
               and f.state in ('RELEASED', 'BEHIND')
               and not exists (select 1
                                 from {failure} e
                                where e.consumer = f.consumer and e.namespace = f.namespace
                                  and e.topic = f.topic and e.message_key = f.message_key
                                  and e.state in ('PARKED', 'BEHIND', 'RELEASED') and e.place < f.place)
             order by f.place
             limit ?
            """;

    // Without an order a released message waits for nobody.
    private static final String READY_IN_ANY_ORDER = READY.replace(
                    "and not exists (select 1", "and (f.state = 'RELEASED' or not exists (select 1")
            .replace("e.place < f.place)", "e.place < f.place))");

    private static final String READY_BY_SEQUENCE = READY.replace(
            "e.state in ('PARKED', 'BEHIND', 'RELEASED')",
            "(e.state in ('PARKED', 'BEHIND', 'RELEASED') or (e.state = 'FAILING' and %s))"
                    .formatted(FailureRows.UNREACHED.strip().replace("h.", "e.")));

    private static final String LOCK = """
            select f.place
              from {failure} f
             where f.consumer = ? and f.message_id = ? and f.state in ('RELEASED', 'BEHIND')
               for update skip locked
            """;

    private final Session session;

    ReleasedRows(Session session) {
        this.session = session;
    }

    /** Returns what waits for a decision or for its turn, from {@code after} on. */
    List<ParkedMessage> putAside(String consumer, long after, int limit) throws SQLException {
        return read(PUT_ASIDE, consumer, after, limit);
    }

    /** Returns what may be handled now. */
    List<ParkedMessage> ready(String consumer, long after, int limit, InboxSettings settings) throws SQLException {
        if (settings.ordering() == InboxOrdering.NONE) {
            return read(READY_IN_ANY_ORDER, consumer, after, limit);
        }
        return read(settings.dedupe() == Dedupe.SEQUENCE ? READY_BY_SEQUENCE : READY, consumer, after, limit);
    }

    /** Keeps others from handling the message at the same time; false if somebody does, or it is not released. */
    boolean lock(Incoming incoming) throws SQLException {
        try (PreparedStatement query = session.prepare(LOCK)) {
            Session.bind(query, incoming.consumer(), incoming.id());
            try (ResultSet row = query.executeQuery()) {
                return row.next();
            }
        }
    }

    private List<ParkedMessage> read(String sql, String consumer, long after, int limit) throws SQLException {
        try (PreparedStatement query = session.prepare(sql)) {
            Session.bind(query, consumer, after, limit);
            try (ResultSet row = query.executeQuery()) {
                List<ParkedMessage> messages = new ArrayList<>();
                while (row.next()) {
                    messages.add(parked(row));
                }
                return messages;
            }
        }
    }

    private ParkedMessage parked(ResultSet row) throws SQLException {
        String id = row.getString("message_id");
        ParkReason reason = ParkReason.valueOf(row.getString("reason"));
        return new ParkedMessage(
                row.getLong("place"),
                id,
                InboxEntry.State.valueOf(row.getString("state")),
                reason,
                row.getInt("attempts"),
                Objects.requireNonNull(session.dialect().time(row, "updated_at")),
                row.getString("error"),
                message(row, id));
    }

    // A message without a usable id comes back with the one that was made up for it.
    private static ReceivedMessage message(ResultSet row, String id) throws SQLException {
        Map<String, String> headers = new HashMap<>(HeaderCodec.decode(row.getString("headers")));
        String stored = row.getString("message_key");
        String whole = headers.get(MessageHeaders.KEY);
        boolean hashed = whole != null && !whole.equals(stored) && Objects.equals(stored, MessageNames.key(whole));
        long sequence = row.getLong("seq");
        boolean sequenced = !row.wasNull();
        byte[] payload = row.getBytes("payload");
        return ReceivedMessage.from(row.getString("topic"))
                .id(id)
                .key(hashed ? whole : stored)
                .sequence(sequenced ? sequence : null)
                .type(row.getString("type"))
                .source(row.getString("source"))
                .headers(headers)
                .payload(payload == null ? new byte[0] : payload)
                .build();
    }
}

package dev.postrider.inbox;

import dev.postrider.database.HeaderCodec;
import dev.postrider.database.Session;
import dev.postrider.publish.MessageHeaders;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Messages that are put aside, with all that was kept of them. */
final class ReleasedRows {

    private static final String COLUMNS = """
            select f.place, f.message_id, f.topic, f.message_key, f.seq, f.type, f.state, f.reason, f.attempts,
                   f.updated_at, f.error, f.source, f.headers, f.payload
              from {failure} f
            """;

    // Each state by itself: together their order would need all rows of the consumer.
    private static final String PUT_ASIDE = """
            select u.place
              from (%s
                     union all
                    %s
                     union all
                    %s) u
             order by u.place
             limit ?
            """.formatted(inState("PARKED"), inState("BEHIND"), inState("RELEASED"));

    private static final String AT = COLUMNS + """
             where f.consumer = ? and f.state in ('PARKED', 'BEHIND', 'RELEASED') and f.place in (?)
            """;

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

    private static String inState(String state) {
        return """
                (select c.place
                                     from {failure} c
                                    where c.consumer = ? and c.state = '%s' and c.place > ?
                                    order by c.place
                                    limit ?)""".formatted(state);
    }

    /** Returns what waits for a decision or for its turn, from {@code after} on. */
    List<ParkedMessage> putAside(String consumer, long after, int limit) throws SQLException {
        List<Long> places = session.list(
                PUT_ASIDE,
                row -> row.getLong("place"),
                consumer,
                after,
                limit,
                consumer,
                after,
                limit,
                consumer,
                after,
                limit,
                limit);
        return places.isEmpty() ? List.of() : at(consumer, places);
    }

    /** Returns a message that is released or behind another one; empty if it is not any more. */
    Optional<ParkedMessage> waiting(String consumer, long place) throws SQLException {
        return at(consumer, List.of(place)).stream()
                .filter(parked -> parked.state() != InboxEntry.State.PARKED)
                .findFirst();
    }

    /** Keeps others from handling the message at the same time; false if somebody does, or it is not released. */
    boolean lock(Incoming incoming) throws SQLException {
        return session.any(LOCK, incoming.consumer(), incoming.id());
    }

    private List<ParkedMessage> at(String consumer, List<Long> places) throws SQLException {
        try (PreparedStatement query = session.prepareList(AT, List.of(consumer), places);
                ResultSet row = query.executeQuery()) {
            List<ParkedMessage> messages = new ArrayList<>();
            while (row.next()) {
                messages.add(parked(row));
            }
            messages.sort(Comparator.comparingLong(ParkedMessage::place));
            return messages;
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
        long sequence = row.getLong("seq");
        boolean sequenced = !row.wasNull();
        byte[] payload = row.getBytes("payload");
        return ReceivedMessage.from(
                        Objects.requireNonNull(whole(row.getString("topic"), headers.get(MessageHeaders.TOPIC))))
                .id(id)
                .key(whole(row.getString("message_key"), headers.get(MessageHeaders.KEY)))
                .sequence(sequenced ? sequence : null)
                .type(row.getString("type"))
                .source(row.getString("source"))
                .headers(headers)
                .payload(payload == null ? new byte[0] : payload)
                .build();
    }

    private static @Nullable String whole(@Nullable String stored, @Nullable String whole) {
        return whole != null && MessageNames.standsFor(whole).equals(stored) ? whole : stored;
    }
}

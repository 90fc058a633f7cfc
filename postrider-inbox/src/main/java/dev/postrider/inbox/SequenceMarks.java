package dev.postrider.inbox;

import dev.postrider.database.Session;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** One row for each key, with the highest sequence handled. It is never removed, so nothing is beyond its horizon. */
final class SequenceMarks implements Marks {

    private static final String ADVANCE = """
            update {position} p
               set last_seq = ?, mark = ?, updated_at = {now}
             where p.consumer = ? and p.namespace = ? and p.topic = ? and p.message_key = ? and p.last_seq < ?
            """;

    private static final String ADVANCE_UNHELD =
            ADVANCE + FailureRows.NOT_PUT_ASIDE + FailureRows.keyNotFailing("h.seq > p.last_seq");

    private static final String FIRST = """
            insert into {position} (last_seq, mark, consumer, namespace, topic, message_key, updated_at)
            select ?, ?, ?, ?, ?, ?, {now}
            {dual}
             where 1 = 1
            """;

    private static final String FIRST_UNHELD =
            FIRST + FailureRows.NOT_PUT_ASIDE + FailureRows.keyNotFailing("h.seq is not null");

    private static final String REACHED = """
            select last_seq
              from {position}
             where consumer = ? and namespace = ? and topic = ? and message_key = ? and last_seq >= ?
            """;

    private static final String CHECK = """
            select (select count(*) from {failure} f where f.consumer = ? and f.message_id = ?) as failures
              from {position}
             where consumer = ? and namespace = ? and topic = ? and message_key = ? and last_seq = ? and mark = ?
            """;

    // The first message of a key may meet another first one, and is then no longer the first.
    private static final int TRIES = 2;

    private final long mark = ThreadLocalRandom.current().nextLong();

    @Override
    public boolean claim(Session session, Incoming incoming) throws SQLException {
        List<@Nullable Object> unheld = new ArrayList<>(List.of(incoming.consumer(), incoming.id()));
        unheld.addAll(FailureRows.ofKeyBySequence(incoming));
        return claim(session, incoming, ADVANCE_UNHELD, FIRST_UNHELD, unheld);
    }

    @Override
    public boolean claimReleased(Session session, Incoming incoming) throws SQLException {
        return claim(session, incoming, ADVANCE, FIRST, List.of());
    }

    private boolean claim(
            Session session, Incoming incoming, String advance, String first, List<@Nullable Object> conditions)
            throws SQLException {
        List<@Nullable Object> insert = new ArrayList<>(Arrays.asList(incoming.sequence(), mark));
        insert.addAll(position(incoming));
        List<@Nullable Object> update = new ArrayList<>(insert);
        update.add(incoming.sequence());
        insert.addAll(conditions);
        update.addAll(conditions);
        for (int i = 0; i < TRIES; i++) {
            if (session.update(advance, update.toArray()) == 1 || session.insertOnce(first, insert.toArray())) {
                return true;
            }
        }
        return false;
    }

    private static List<@Nullable Object> position(Incoming incoming) {
        return Arrays.asList(incoming.consumer(), incoming.namespace(), incoming.topic(), incoming.key());
    }

    @Override
    public boolean exists(Session session, Incoming incoming) throws SQLException {
        List<@Nullable Object> values = new ArrayList<>(position(incoming));
        values.add(incoming.sequence());
        return session.any(REACHED, values.toArray());
    }

    @Override
    public OptionalInt check(Session session, Incoming incoming) throws SQLException {
        List<@Nullable Object> values = new ArrayList<>(List.of(incoming.consumer(), incoming.id()));
        values.addAll(position(incoming));
        values.add(incoming.sequence());
        values.add(mark);
        try (PreparedStatement query = session.prepare(CHECK)) {
            Session.bind(query, values.toArray());
            try (ResultSet row = query.executeQuery()) {
                return row.next() ? OptionalInt.of(row.getInt("failures")) : OptionalInt.empty();
            }
        }
    }
}

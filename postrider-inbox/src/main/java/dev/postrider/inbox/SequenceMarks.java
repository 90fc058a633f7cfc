package dev.postrider.inbox;

import dev.postrider.database.Session;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.OptionalInt;
import java.util.concurrent.ThreadLocalRandom;

/** One row for each key, with the highest sequence handled. It is never removed, so nothing is beyond its horizon. */
final class SequenceMarks implements Marks {

    private static final String ADVANCE = """
            update {position}
               set last_seq = ?, mark = ?, updated_at = {now}
             where consumer = ? and topic = ? and message_key = ? and last_seq < ?
            """;

    private static final String ADVANCE_UNHELD = ADVANCE + FailureRows.NOT_PUT_ASIDE + FailureRows.KEY_NOT_FAILING;

    private static final String FIRST = """
            insert into {position} (consumer, topic, message_key, last_seq, mark, updated_at)
            select ?, ?, ?, ?, ?, {now}
            {dual}
             where 1 = 1
            """;

    private static final String FIRST_UNHELD = FIRST + FailureRows.NOT_PUT_ASIDE + FailureRows.KEY_NOT_FAILING;

    private static final String REACHED = """
            select last_seq from {position} where consumer = ? and topic = ? and message_key = ? and last_seq >= ?
            """;

    private static final String CHECK = """
            select (select count(*) from {failure} f where f.consumer = ? and f.message_id = ?) as failures
              from {position}
             where consumer = ? and topic = ? and message_key = ? and last_seq = ? and mark = ?
            """;

    // The first message of a key may meet another first one, and is then no longer the first.
    private static final int TRIES = 2;

    private final long mark = ThreadLocalRandom.current().nextLong();

    @Override
    public boolean claim(Session session, Incoming incoming) throws SQLException {
        String consumer = incoming.consumer();
        String id = incoming.id();
        Long sequence = incoming.sequence();
        for (int i = 0; i < TRIES; i++) {
            if (session.update(
                            ADVANCE_UNHELD,
                            sequence,
                            mark,
                            consumer,
                            incoming.topic(),
                            incoming.key(),
                            sequence,
                            consumer,
                            id,
                            consumer,
                            incoming.topic(),
                            incoming.key(),
                            id)
                    == 1) {
                return true;
            }
            if (session.insertOnce(
                    FIRST_UNHELD,
                    consumer,
                    incoming.topic(),
                    incoming.key(),
                    sequence,
                    mark,
                    consumer,
                    id,
                    consumer,
                    incoming.topic(),
                    incoming.key(),
                    id)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean claimReleased(Session session, Incoming incoming) throws SQLException {
        Long sequence = incoming.sequence();
        for (int i = 0; i < TRIES; i++) {
            if (session.update(ADVANCE, sequence, mark, incoming.consumer(), incoming.topic(), incoming.key(), sequence)
                            == 1
                    || session.insertOnce(
                            FIRST, incoming.consumer(), incoming.topic(), incoming.key(), sequence, mark)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean exists(Session session, Incoming incoming) throws SQLException {
        try (PreparedStatement query = session.prepare(REACHED)) {
            Session.bind(query, incoming.consumer(), incoming.topic(), incoming.key(), incoming.sequence());
            try (ResultSet row = query.executeQuery()) {
                return row.next();
            }
        }
    }

    @Override
    public OptionalInt check(Session session, Incoming incoming) throws SQLException {
        try (PreparedStatement query = session.prepare(CHECK)) {
            Session.bind(
                    query,
                    incoming.consumer(),
                    incoming.id(),
                    incoming.consumer(),
                    incoming.topic(),
                    incoming.key(),
                    incoming.sequence(),
                    mark);
            try (ResultSet row = query.executeQuery()) {
                return row.next() ? OptionalInt.of(row.getInt("failures")) : OptionalInt.empty();
            }
        }
    }
}

package dev.postrider.inbox;

import dev.postrider.database.Micros;
import dev.postrider.database.Session;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One row for each message. */
final class IdMarks implements Marks {

    private static final String INSERT = """
            insert into {message} (consumer, message_id, processed_at, source, mark)
            """;

    // Everything that speaks against a message is asked in the statement that decides, by the database's clock.
    static final String CLAIM = INSERT + """
            select ?, ?, {now}, ?, ?
            {dual}
             where {at} > {now}
            """ + FailureRows.NOT_PUT_ASIDE;

    static final String CLAIM_OF_KEY = CLAIM + FailureRows.KEY_NOT_HELD;

    private static final String RELEASED = INSERT + "values (?, ?, {now}, ?, ?)";

    private static final String EXISTS = """
            select 1 from {message} where consumer = ? and message_id = ?
            """;

    private static final String CHECK = """
            select (select count(*)
                      from {failure} f
                     where f.consumer = m.consumer and f.message_id = m.message_id) as failures
              from {message} m
             where m.consumer = ? and m.message_id = ? and m.mark = ?
            """;

    // The year 5138: later than any retention ends, early enough for every database.
    private static final long NEVER = TimeUnit.SECONDS.toMicros(100_000_000_000L);

    private final InboxSettings settings;
    private final long mark = ThreadLocalRandom.current().nextLong();

    IdMarks(InboxSettings settings) {
        this.settings = settings;
    }

    @Override
    public boolean claim(Session session, Incoming incoming) throws SQLException {
        String claim = settings.keepsOrder(incoming) ? CLAIM_OF_KEY : CLAIM;
        return session.insertOnce(claim, values(incoming).toArray());
    }

    /** Returns the number by which the marks of this transaction differ from all others. */
    long mark() {
        return mark;
    }

    /** Returns what a claim takes. */
    List<@Nullable Object> values(Incoming incoming) {
        List<@Nullable Object> values = new ArrayList<>();
        values.add(incoming.consumer());
        values.add(incoming.id());
        values.add(incoming.source());
        values.add(mark);
        values.add(until(incoming.id()));
        values.add(incoming.consumer());
        values.add(incoming.id());
        if (settings.keepsOrder(incoming)) {
            values.addAll(FailureRows.ofKey(incoming));
        }
        return values;
    }

    @Override
    public boolean claimReleased(Session session, Incoming incoming) throws SQLException {
        return session.insertOnce(RELEASED, incoming.consumer(), incoming.id(), incoming.source(), mark);
    }

    @Override
    public boolean exists(Session session, Incoming incoming) throws SQLException {
        return exists(session, incoming.consumer(), incoming.id());
    }

    static boolean exists(Session session, String consumer, String id) throws SQLException {
        return session.any(EXISTS, consumer, id);
    }

    @Override
    public OptionalInt check(Session session, Incoming incoming) throws SQLException {
        try (PreparedStatement query = session.prepare(CHECK)) {
            Session.bind(query, incoming.consumer(), incoming.id(), mark);
            try (ResultSet row = query.executeQuery()) {
                return row.next() ? OptionalInt.of(row.getInt("failures")) : OptionalInt.empty();
            }
        }
    }

    /** Returns until when, in microseconds since 1970, a mark of the message would surely be kept. */
    long until(String id) {
        OptionalLong millis = MessageNames.millis(id);
        if (settings.horizon() == Horizon.PROCESS || millis.isEmpty()) {
            return NEVER;
        }
        return Math.min(NEVER, TimeUnit.MILLISECONDS.toMicros(millis.getAsLong()) + Micros.of(settings.retention()));
    }
}

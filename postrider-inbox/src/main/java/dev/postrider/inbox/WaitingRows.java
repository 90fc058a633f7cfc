package dev.postrider.inbox;

import dev.postrider.database.Session;
import java.sql.SQLException;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds messages that are put aside and may be handled now: the first of their key. Every statement looks at a bounded
 * number of rows, however many are put aside.
 */
final class WaitingRows {

    private static final String WINDOW = """
            select c.place, c.consumer, c.namespace, c.topic, c.message_key
                      from {failure} c
                     where c.consumer = ? and c.state = ? and c.place > ?
                     order by c.place
                     limit ?""";

    private static final String NEXT = """
            select c.place, c.consumer, c.namespace, c.topic, c.message_key
                      from {failure} c
                     where c.consumer = ? and c.namespace = ? and c.topic = ? and c.message_key = ?
                       and c.state = 'BEHIND'
                     order by c.place
                     limit 1""";

    private static final String READY = """
            select f.place,
                   case when %s then 1 else 0 end as ready
              from (%s) f
             order by f.place
            """;

    // The first row of the key in one state is the first entry of its index.
    private static final String NOT_AFTER = """
            coalesce((select h.place
                                        from {failure} h
                                       where h.consumer = f.consumer and h.namespace = f.namespace
                                         and h.topic = f.topic and h.message_key = f.message_key
                                         and h.state = '%s'%s
                                       order by h.place
                                       limit 1), f.place) >= f.place""";

    private static final String FIRST_PUT_ASIDE = Stream.of("PARKED", "BEHIND", "RELEASED")
            .map(state -> NOT_AFTER.formatted(state, ""))
            .collect(Collectors.joining("\n                    and "));

    private static final String FIRST_BY_SEQUENCE = FIRST_PUT_ASIDE + "\n                    and "
            + NOT_AFTER.formatted("FAILING", " and " + FailureRows.UNREACHED.strip());

    private static final String READY_WINDOW = READY.formatted(FIRST_PUT_ASIDE, WINDOW);
    private static final String READY_WINDOW_BY_SEQUENCE = READY.formatted(FIRST_BY_SEQUENCE, WINDOW);
    // Without an order a released message waits for nobody.
    private static final String READY_WINDOW_IN_ANY_ORDER = READY.formatted("1 = 1", WINDOW);
    private static final String READY_NEXT = READY.formatted(FIRST_PUT_ASIDE, NEXT);
    private static final String READY_NEXT_BY_SEQUENCE = READY.formatted(FIRST_BY_SEQUENCE, NEXT);

    private static final String PROMOTE = """
            update {failure} set state = 'RELEASED', updated_at = {now} where place = ? and state = 'BEHIND'
            """;

    private final Session session;

    WaitingRows(Session session) {
        this.session = session;
    }

    /** A message that waits, and whether it is its turn. */
    record Waiting(long place, boolean ready) {}

    /** Returns the first {@code limit} messages after a place that are released, or are behind another one. */
    List<Waiting> window(InboxSettings settings, String consumer, InboxEntry.State state, long after, int limit)
            throws SQLException {
        String ready = settings.dedupe() == Dedupe.SEQUENCE ? READY_WINDOW_BY_SEQUENCE : READY_WINDOW;
        boolean anyOrder = settings.ordering() == InboxOrdering.NONE && state == InboxEntry.State.RELEASED;
        return read(anyOrder ? READY_WINDOW_IN_ANY_ORDER : ready, consumer, state.name(), after, limit);
    }

    /** Returns the message of the same key that was behind the given one, if it is its turn now. */
    OptionalLong next(InboxSettings settings, Incoming handled) throws SQLException {
        boolean bySequence = settings.dedupe() == Dedupe.SEQUENCE;
        return next(
                bySequence ? READY_NEXT_BY_SEQUENCE : READY_NEXT,
                handled.consumer(),
                handled.namespace(),
                handled.topic(),
                handled.key());
    }

    /** Releases the message that was behind one that is given up, if it is its turn now. */
    void promote(String consumer, String namespace, @Nullable String topic, @Nullable String key) throws SQLException {
        OptionalLong place = next(READY_NEXT, consumer, namespace, topic, key);
        if (place.isPresent()) {
            session.update(PROMOTE, place.getAsLong());
        }
    }

    private OptionalLong next(String sql, @Nullable Object... values) throws SQLException {
        return read(sql, values).stream()
                .filter(Waiting::ready)
                .mapToLong(Waiting::place)
                .findFirst();
    }

    private List<Waiting> read(String sql, @Nullable Object... values) throws SQLException {
        return session.list(sql, row -> new Waiting(row.getLong("place"), row.getInt("ready") == 1), values);
    }
}

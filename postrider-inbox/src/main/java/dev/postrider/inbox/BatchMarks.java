package dev.postrider.inbox;

import dev.postrider.database.Dialect;
import dev.postrider.database.Placeholders;
import dev.postrider.database.Session;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Marks of many messages at once. Their ids are sorted, so that batches with the same ids do not block each other. */
final class BatchMarks {

    private static final String CLAIM_POSTGRES = """
            insert into {message} (consumer, message_id, processed_at, source, mark)
            select ?, u.id, {now}, u.source, ?
              from unnest(?::varchar[], ?::varchar[]) as u(id, source)
             order by u.id
                on conflict do nothing
            returning message_id
            """;

    // IGNORE cuts what is too long, but no id is; a row that is repeated to fill up the statement it skips.
    private static final String CLAIM_MARIADB = """
            insert ignore into {message} (consumer, message_id, processed_at, source, mark)
            values (?, ?, {now}, ?, ?){more}
            returning message_id
            """;

    private static final String CLAIM_ONE = """
            insert into {message} (consumer, message_id, processed_at, source, mark)
            values (?, ?, {now}, ?, ?)
            """;

    private static final String NOW = """
            select {now} as moment,
                   case when exists (select 1
                                       from {failure} f
                                      where f.consumer = ?
                                        and f.state in ('PARKED', 'BEHIND', 'RELEASED', 'DISCARDED'))
                        then 1
                        else 0
                    end as put_aside
            {dual}
            """;

    private static final String IDS_PUT_ASIDE = """
            select f.place from {failure} f where f.consumer = ? and f.state <> 'FAILING' and f.message_id in (?)
            """;

    private static final String KEYS_HELD = """
            select f.place
              from {failure} f
             where f.consumer = ? and f.topic = ? and f.state in ('PARKED', 'BEHIND', 'RELEASED')
               and f.message_key in (?)
            """;

    private final Session session;
    private final InboxSettings settings;
    private final IdMarks marks;

    BatchMarks(Session session, InboxSettings settings, IdMarks marks) {
        this.session = session;
        this.settings = settings;
        this.marks = marks;
    }

    /** Tells whether nothing but a mark can speak against any of the messages. */
    boolean ordinary(String consumer, List<Incoming> sorted) throws SQLException {
        try (PreparedStatement query = session.prepare(NOW)) {
            Session.bind(query, consumer);
            try (ResultSet row = query.executeQuery()) {
                row.next();
                Instant now = Objects.requireNonNull(session.dialect().time(row, "moment"));
                boolean putAside = row.getInt("put_aside") == 1;
                return young(sorted, now) && (!putAside || free(consumer, sorted));
            }
        }
    }

    private boolean young(List<Incoming> messages, Instant now) {
        long micros = TimeUnit.MILLISECONDS.toMicros(now.toEpochMilli());
        return messages.stream().allMatch(each -> marks.until(each.id()) > micros);
    }

    private boolean free(String consumer, List<Incoming> messages) throws SQLException {
        if (!none(IDS_PUT_ASIDE, List.of(consumer), messages.stream().map(Incoming::id))) {
            return false;
        }
        // The index of held keys begins with the topic.
        Map<String, List<Incoming>> topics = messages.stream()
                .filter(settings::keepsOrder)
                .collect(Collectors.groupingBy(each -> Objects.requireNonNull(each.topic())));
        for (var topic : topics.entrySet()) {
            Stream<String> keys = topic.getValue().stream()
                    .map(each -> Objects.requireNonNull(each.key()))
                    .distinct();
            if (!none(KEYS_HELD, List.of(consumer, topic.getKey()), keys)) {
                return false;
            }
        }
        return true;
    }

    private boolean none(String sql, List<String> before, Stream<String> names) throws SQLException {
        try (PreparedStatement query = session.prepareList(sql, before, names.toList());
                ResultSet row = query.executeQuery()) {
            return !row.next();
        }
    }

    /** Makes the marks that are new and returns their ids. */
    Set<String> claim(String consumer, List<Incoming> sorted) throws SQLException {
        if (session.dialect() == Dialect.POSTGRESQL) {
            return claimPostgres(consumer, sorted);
        }
        return session.dialect() == Dialect.MARIADB ? claimMariaDb(consumer, sorted) : claimOneByOne(consumer, sorted);
    }

    private Set<String> claimPostgres(String consumer, List<Incoming> sorted) throws SQLException {
        Object[] ids = sorted.stream().map(Incoming::id).toArray();
        Object[] sources = sorted.stream().map(Incoming::source).toArray();
        try (PreparedStatement insert = session.prepare(CLAIM_POSTGRES)) {
            insert.setString(1, consumer);
            insert.setLong(2, marks.mark());
            insert.setArray(3, session.connection().createArrayOf("varchar", ids));
            insert.setArray(4, session.connection().createArrayOf("varchar", sources));
            return ids(insert);
        }
    }

    private Set<String> claimMariaDb(String consumer, List<Incoming> sorted) throws SQLException {
        int width = Placeholders.width(sorted.size());
        String sql = CLAIM_MARIADB.replace("{more}", ", (?, ?, {now}, ?, ?)".repeat(width - 1));
        try (PreparedStatement insert = session.prepare(sql)) {
            for (int i = 0; i < width; i++) {
                Incoming each = sorted.get(Math.min(i, sorted.size() - 1));
                insert.setString(4 * i + 1, consumer);
                insert.setString(4 * i + 2, each.id());
                insert.setString(4 * i + 3, each.source());
                insert.setLong(4 * i + 4, marks.mark());
            }
            return ids(insert);
        }
    }

    private static Set<String> ids(PreparedStatement insert) throws SQLException {
        try (ResultSet row = insert.executeQuery()) {
            Set<String> ids = new HashSet<>();
            while (row.next()) {
                ids.add(row.getString(1));
            }
            return ids;
        }
    }

    private Set<String> claimOneByOne(String consumer, List<Incoming> sorted) throws SQLException {
        List<String> ids = new ArrayList<>();
        for (Incoming each : sorted) {
            if (session.insertOnce(CLAIM_ONE, consumer, each.id(), each.source(), marks.mark())) {
                ids.add(each.id());
            }
        }
        return new HashSet<>(ids);
    }
}

package dev.postrider.inbox;

import dev.postrider.admin.Decision;
import dev.postrider.database.Dialect;
import dev.postrider.database.Session;
import dev.postrider.database.TableNames;
import dev.postrider.database.Transactions;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import javax.sql.DataSource;

/** What a person may see of the inbox tables and do to parked messages. Thread-safe. */
public final class JdbcInboxAdmin implements InboxAdmin {

    private static final String MARK = """
            select m.processed_at, m.source from {message} m where m.consumer = ? and m.message_id = ?
            """;

    private static final String RELEASE = """
            update {failure}
               set state = 'RELEASED', attempts = 0, updated_at = {now}
             where consumer = ? and message_id = ? and state = 'PARKED'
            """;

    // The row stays, without what it held, so that the message is known when it comes again.
    private static final String DISCARD = """
            update {failure}
               set state = 'DISCARDED', headers = null, payload = null, updated_at = {now}
             where consumer = ? and message_id = ? and state in ('FAILING', 'PARKED', 'BEHIND', 'RELEASED')
            """;

    private static final String KEY = """
            select f.namespace, f.topic, f.message_key
              from {failure} f
             where f.consumer = ? and f.message_id = ? and f.message_key is not null
            """;

    private static final String NOTE = """
            insert into {audit} (actor, action, reason, consumer, message_id)
            values (?, ?, ?, ?, ?)
            """;

    // From one name to the next: the tables may hold any number of rows of each.
    private static final String NEXT_CONSUMER = """
            select min(c.consumer)
              from ((select m.consumer from {message} m where m.consumer > ? order by m.consumer limit 1)
                     union all
                    (select p.consumer from {position} p where p.consumer > ? order by p.consumer limit 1)
                     union all
                    (select f.consumer from {failure} f where f.consumer > ? order by f.consumer limit 1)) c
            """;

    private static final int MAX_LIST = 1_000;

    private final Transactions transactions;

    private JdbcInboxAdmin(DataSource dataSource, TableNames names) {
        this.transactions = InboxContext.transactions(dataSource, names);
    }

    /** Returns the admin of the tables with the default names. */
    public static JdbcInboxAdmin of(DataSource dataSource) {
        return new JdbcInboxAdmin(dataSource, InboxSchema.NAMES);
    }

    /** Returns the admin of the tables with these names. */
    public static JdbcInboxAdmin of(DataSource dataSource, TableNames names) {
        return new JdbcInboxAdmin(dataSource, names);
    }

    @Override
    public Optional<InboxEntry> lookup(String consumer, String messageId) {
        return transactions.autoCommitted("look up message " + messageId, session -> {
            Optional<InboxEntry> mark = mark(session, consumer, messageId);
            return mark.isPresent() ? mark : failure(session, consumer, messageId);
        });
    }

    private static Optional<InboxEntry> mark(Session session, String consumer, String id) throws SQLException {
        return session.first(MARK, row -> processed(row, session.dialect()), consumer, id);
    }

    private static InboxEntry processed(ResultSet row, Dialect dialect) throws SQLException {
        Instant at = Objects.requireNonNull(dialect.time(row, "processed_at"));
        return new InboxEntry(InboxEntry.State.PROCESSED, at, 0, row.getString("source"), null);
    }

    private static Optional<InboxEntry> failure(Session session, String consumer, String id) throws SQLException {
        return new FailureRows(session)
                .find(consumer, id)
                .map(row -> new InboxEntry(row.state(), row.updatedAt(), row.attempts(), row.source(), row.error()));
    }

    @Override
    public List<String> consumers(int limit) {
        checkLimit(limit);
        return transactions.autoCommitted("list consumers", session -> {
            List<String> consumers = new ArrayList<>();
            Optional<String> next = next(session, "");
            while (next.isPresent() && consumers.size() < limit) {
                consumers.add(next.get());
                next = next(session, next.get());
            }
            return consumers;
        });
    }

    private static Optional<String> next(Session session, String after) throws SQLException {
        return session.list(NEXT_CONSUMER, row -> Optional.ofNullable(row.getString(1)), after, after, after)
                .get(0);
    }

    private static void checkLimit(int limit) {
        if (limit < 1 || limit > MAX_LIST) {
            throw new IllegalArgumentException("limit must be from 1 to %d but was %d".formatted(MAX_LIST, limit));
        }
    }

    @Override
    public List<ParkedMessage> parked(String consumer, long after, int limit) {
        checkLimit(limit);
        return transactions.autoCommitted(
                "list parked messages", session -> new ReleasedRows(session).putAside(consumer, after, limit));
    }

    @Override
    public int release(String consumer, Collection<String> messageIds, Decision decision) {
        return decide("release", RELEASE, consumer, messageIds, decision);
    }

    @Override
    public int discard(String consumer, Collection<String> messageIds, Decision decision) {
        return decide("discard", DISCARD, consumer, messageIds, decision);
    }

    @Override
    public int purge(Duration age, int limit) {
        return new InboxPurge(transactions).run(age, limit);
    }

    // Sorted, so that two people who decide about the same messages do not block each other.
    private int decide(
            String action, String update, String consumer, Collection<String> messageIds, Decision decision) {
        Objects.requireNonNull(decision, "decision");
        if (messageIds.size() > MAX_LIST) {
            throw new IllegalArgumentException(
                    "messageIds must be at most %d but were %d".formatted(MAX_LIST, messageIds.size()));
        }
        return transactions.transacted(action + " parked messages", session -> {
            int changed = 0;
            for (String id : new TreeSet<>(messageIds)) {
                if (session.update(update, consumer, id) == 1) {
                    session.update(NOTE, decision.by(), action, decision.reason(), consumer, id);
                    changed++;
                    if (update.equals(DISCARD)) {
                        promote(session, consumer, id);
                    }
                }
            }
            return changed;
        });
    }

    private static void promote(Session session, String consumer, String id) throws SQLException {
        try (PreparedStatement query = session.prepare(KEY)) {
            Session.bind(query, consumer, id);
            try (ResultSet row = query.executeQuery()) {
                if (row.next()) {
                    new WaitingRows(session).promote(consumer, row.getString(1), row.getString(2), row.getString(3));
                }
            }
        }
    }
}

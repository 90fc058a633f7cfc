package dev.postrider.jdbc.operator;

import dev.postrider.MessageStatus;
import dev.postrider.admin.BlockedKey;
import dev.postrider.admin.OutboxStats;
import dev.postrider.admin.StoredMessage;
import dev.postrider.database.Session;
import dev.postrider.jdbc.OutboxDialect;
import dev.postrider.jdbc.row.MessageRows;
import dev.postrider.jdbc.row.RowKeys;
import dev.postrider.jdbc.row.StatusCode;
import dev.postrider.spi.TopicName;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/** What a person may see. */
final class Inspection {

    /** Where every count ends. */
    private static final int CAP = 10_000;

    private static final int MOST_BLOCKED_KEYS = 1_000;

    private static final String FIND = "select " + MessageRows.STORED + " from {message} m where m.id = ?";

    private static final String READ =
            "select " + MessageRows.STORED + " from {message} m {by_seq} where m.seq in (?) order by m.seq";

    private static final String LOW_WATER = "select min(low_seq) from {shard}";

    private static final String NOT_WAITING = """
            select m.seq
              from {message} m {by_seq}
             where m.seq > ? and {status} = ? and m.due_at is null
             order by m.seq
             limit ?
            """;

    // The sum keeps the planner from walking the primary key in search of the few rows that the other index knows.
    private static final String WAITING = """
            select m.seq
              from {message} m {by_due}
             where m.due_at is not null and m.seq > ? and {status} = ?
             order by m.seq + 0
             limit ?
            """;

    private static final String DEAD = """
            select m.seq
              from {message} m {by_death}
             where m.died_at is not null and m.seq > ? and m.status = ?
             order by m.seq + 0
             limit ?
            """;

    private static final String COUNT_NOT_WAITING = """
            select count(*), min(p.created_at) as oldest, {now} as current
              from (select m.created_at
                      from {message} m {by_seq}
                     where m.seq > ? and m.due_at is null and m.status in (0, 1)
                     order by m.seq
                     limit ?) p
            """;

    // A message that was enqueued with a delay is late from its due time on; one that is tried again, from the
    // beginning.
    private static final String COUNT_WAITING = """
            select coalesce(sum(w.due), 0), coalesce(sum(1 - w.due), 0),
                   min(case when w.due = 1 then w.since end) as oldest, {now} as current
              from (select case when m.attempts = 0 then m.due_at else m.created_at end as since,
                           case when m.status = 1 or m.due_at <= {now} then 1 else 0 end as due
                      from {message} m {by_due}
                     where m.due_at is not null
                     order by m.due_at, m.seq
                     limit ?) w
            """;

    private static final String COUNT_DEAD = """
            select count(*)
              from (select m.seq
                      from {message} m {by_death}
                     where m.died_at is not null
                     limit ?) d
            """;

    private static final String COUNT_LINE = """
            select count(*)
              from (select m.seq
                      from {message} m {by_holder}
                     where {held_key} = ? and m.topic = ? and m.namespace = ?
                     limit ?) l
            """;

    private static final String COUNT_LIVING = """
            select (select count(*) from {relay} r where r.until > {now}) as relays,
                   (select count(*)
                      from {shard} s
                     where s.owner is null
                        or not exists (select 1 from {relay} r where r.id = s.owner and r.until > {now})) as unowned
            """;

    private static final String LAST = "select max(m.seq) from {message} m";

    private final Session session;
    private final MessageRows reader;

    Inspection(Session session, RowKeys keys) {
        this.session = session;
        this.reader = new MessageRows(session.dialect(), keys);
    }

    Optional<StoredMessage> find(UUID id) throws SQLException {
        return session.first(FIND, row -> reader.stored(row), session.dialect().id(id));
    }

    List<StoredMessage> list(MessageStatus status, long after, int limit) throws SQLException {
        List<Long> seqs = switch (status) {
            case DELIVERED -> seqs(NOT_WAITING, after, status, limit);
            case DEAD -> seqs(DEAD, after, status, limit);
            case PENDING, CLAIMED -> {
                List<Long> both = seqs(NOT_WAITING, Math.max(after, lowWater()), status, limit);
                both.addAll(seqs(WAITING, after, status, limit));
                Collections.sort(both);
                yield both;
            }
        };
        return read(seqs.subList(0, Math.min(limit, seqs.size())));
    }

    private List<Long> seqs(String sql, long after, MessageStatus status, int limit) throws SQLException {
        return session.list(sql, rows -> rows.getLong(1), after, StatusCode.of(status), limit);
    }

    private List<StoredMessage> read(List<Long> seqs) throws SQLException {
        return session.listAll(READ, List.of(), seqs, reader::stored);
    }

    List<BlockedKey> blockedKeys(int limit) throws SQLException {
        List<BlockedKey> blocked = new ArrayList<>();
        for (StoredMessage holder :
                read(OutboxDialect.of(session.dialect()).heldKeys().holders(session, limit))) {
            String key = holder.message().key().orElseThrow();
            TopicName topic = TopicName.of(holder.message());
            long line = count(COUNT_LINE, key, topic.topic(), topic.namespace(), CAP + 1);
            blocked.add(new BlockedKey(
                    topic, key, holder.message().id(), holder.status(), Math.max(0, line - 1), holder.lastError()));
        }
        return blocked;
    }

    OutboxStats stats() throws SQLException {
        long pending;
        long waiting;
        Duration oldest;
        try (PreparedStatement statement = session.prepare(COUNT_NOT_WAITING)) {
            Session.bind(statement, lowWater(), CAP);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                pending = row.getLong(1);
                oldest = age(row);
            }
        }
        try (PreparedStatement statement = session.prepare(COUNT_WAITING)) {
            Session.bind(statement, CAP);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                pending += row.getLong(1);
                waiting = row.getLong(2);
                Duration other = age(row);
                oldest = other.compareTo(oldest) > 0 ? other : oldest;
            }
        }
        long dead = count(COUNT_DEAD, CAP);
        int blockedKeys = OutboxDialect.of(session.dialect())
                .heldKeys()
                .holders(session, MOST_BLOCKED_KEYS)
                .size();
        try (PreparedStatement statement = session.prepare(COUNT_LIVING);
                ResultSet row = statement.executeQuery()) {
            row.next();
            return new OutboxStats(
                    Math.min(pending, CAP),
                    waiting,
                    dead,
                    oldest,
                    CAP,
                    blockedKeys,
                    row.getInt("relays"),
                    row.getInt("unowned"));
        }
    }

    long lastSeq() throws SQLException {
        return count(LAST);
    }

    private Duration age(ResultSet row) throws SQLException {
        Instant oldest = session.dialect().time(row, "oldest");
        Instant now = Objects.requireNonNull(session.dialect().time(row, "current"));
        return oldest == null || oldest.isAfter(now) ? Duration.ZERO : Duration.between(oldest, now);
    }

    private long lowWater() throws SQLException {
        return count(LOW_WATER);
    }

    private long count(String sql, Object... values) throws SQLException {
        return session.first(sql, row -> row.getLong(1), values).orElse(0L);
    }
}

package dev.postrider.jdbc;

import dev.postrider.database.Placeholders;
import dev.postrider.database.Session;
import dev.postrider.spi.ClaimRequest;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.TopicName;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Finds the rows of one claim and locks those nobody else has locked. */
final class Scan {

    private static final String CLAIMABLE = """
               and (m.status = 0
                    or (m.status = 1
                        and (m.claim_until < {now}
                             or m.claim_token = ?
                             or m.claim_epoch < (select s.epoch from {shard} s where s.shard = m.shard))))
               and m.shard in (?)
            """;

    static final String LOOK = "select " + Candidate.COLUMNS + """

              from {message} m {by_seq}
             where m.seq > ?
               and m.seq <= ?
               and m.due_at is null
            """ + CLAIMABLE;

    static final String LOOK_WAITING = "select " + Candidate.COLUMNS + """

              from {message} m {by_due}
             where m.due_at <= {now}
            """ + CLAIMABLE;

    // Rows are locked along the primary key only, as a settlement does: MariaDB waits for the primary key of a row that
    // it has found by another index, whatever it was told about locked rows, and that ends in a deadlock.
    static final String LOCK = "select " + Candidate.COLUMNS + """
            , m.status, m.claim_token, m.claim_epoch,
                   case when m.due_at is null then 0 when m.due_at <= {now} then 1 else 2 end as due,
                   case when m.claim_until < {now} then 1 else 0 end as expired
              from {message} m {by_seq}
             where m.seq in (?)
             order by m.seq
               for update skip locked
            """;

    private static final int AT_ONCE = 0;
    private static final int DUE = 1;

    private final Session session;
    private final ClaimRequest request;
    private final Map<Integer, Long> epochs;
    private final List<Candidate> locked = new ArrayList<>();
    private final List<Candidate> missed = new ArrayList<>();
    private long position;

    Scan(Session session, ClaimRequest request, Map<Integer, Long> epochs) {
        this.session = session;
        this.request = request;
        this.epochs = epochs;
    }

    /** Fills {@link #locked} and {@link #missed}; returns whether the whole range was looked at. */
    boolean run(SeqRange range, int rounds) throws SQLException {
        position = range.after();
        int size = request.size().messages();
        for (int round = 0; round < rounds && locked.size() < size; round++) {
            int wanted = size - locked.size();
            List<Candidate> seen = look(new SeqRange(position, range.upTo()), wanted);
            Set<Long> got = lock(seen, AT_ONCE);
            seen.stream().filter(row -> got.contains(row.seq())).forEach(locked::add);
            seen.stream().filter(row -> !got.contains(row.seq())).forEach(missed::add);
            if (seen.size() < wanted) {
                return true;
            }
            position = seen.get(seen.size() - 1).seq();
        }
        return false;
    }

    List<Candidate> locked() {
        return locked;
    }

    List<Candidate> missed() {
        return missed;
    }

    /** How far the scan came. */
    long position() {
        return position;
    }

    private List<Candidate> look(SeqRange range, int limit) throws SQLException {
        return candidates(LOOK, " order by m.seq limit ?", List.of(range.after(), range.upTo()), limit);
    }

    /** Locks rows whose time has come, in the order of their times; looks further where others have locked them. */
    List<Candidate> lockWaiting(int rounds) throws SQLException {
        int size = request.size().messages();
        Set<Long> tried = new HashSet<>();
        for (int round = 0; round < rounds && locked.size() < size; round++) {
            int wanted = size - locked.size();
            int limit = tried.size() + wanted;
            List<Candidate> seen = candidates(LOOK_WAITING, " order by m.due_at, m.seq limit ?", List.of(), limit);
            List<Candidate> next = seen.stream()
                    .filter(row -> !tried.contains(row.seq()))
                    .limit(wanted)
                    .toList();
            next.forEach(row -> tried.add(row.seq()));
            Set<Long> got = lock(next, DUE);
            next.stream().filter(row -> got.contains(row.seq())).forEach(locked::add);
            if (seen.size() < limit) {
                break;
            }
        }
        return locked;
    }

    private List<Candidate> candidates(String select, String end, List<Object> before, int limit) throws SQLException {
        List<TopicName> closed = new ArrayList<>(request.closedTopics());
        // Repeating one keeps the number of different statements small.
        while (!closed.isEmpty() && closed.size() < Placeholders.width(closed.size())) {
            closed.add(closed.get(0));
        }
        List<Object> values = new ArrayList<>(before);
        values.add(request.token());
        values.addAll(Placeholders.padded(List.copyOf(epochs.keySet())));
        closed.forEach(topic -> values.addAll(List.of(topic.namespace(), topic.topic())));
        values.add(limit);
        String sql = Placeholders.widen(select, epochs.size())
                + " and not (m.namespace = ? and m.topic = ?)".repeat(closed.size())
                + end;
        List<Candidate> rows = new ArrayList<>();
        try (PreparedStatement statement = session.prepare(sql)) {
            Session.bind(statement, values.toArray());
            try (ResultSet found = statement.executeQuery()) {
                while (found.next()) {
                    rows.add(Candidate.of(found));
                }
            }
        }
        return rows;
    }

    private Set<Long> lock(List<Candidate> seen, int due) throws SQLException {
        Set<Long> got = new HashSet<>();
        if (seen.isEmpty()) {
            return got;
        }
        List<Long> seqs = seen.stream().map(Candidate::seq).toList();
        try (PreparedStatement statement = session.prepareList(LOCK, List.of(), seqs);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                if (rows.getInt("due") == due && claimable(rows)) {
                    got.add(rows.getLong("seq"));
                }
            }
        }
        return got;
    }

    // The row may have changed since it was seen.
    private boolean claimable(ResultSet row) throws SQLException {
        int status = row.getInt("status");
        if (status != 1) {
            return status == 0;
        }
        if (row.getInt("expired") == 1 || row.getLong("claim_token") == request.token()) {
            return true;
        }
        Long current = epochs.get(row.getInt("shard"));
        return current != null && row.getLong("claim_epoch") < current;
    }
}

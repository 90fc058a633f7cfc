package dev.postrider.jdbc;

import dev.postrider.database.Micros;
import dev.postrider.database.Session;
import dev.postrider.database.Transactions;
import dev.postrider.spi.ClaimRequest;
import dev.postrider.spi.ClaimedBatch;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.Outlook;
import dev.postrider.spi.SeqRange;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Claims in a short transaction: look, lock by primary key what can be locked, decide, update by primary key. */
final class LockingClaims implements Claims {

    // How often a claim looks further when what it saw turned out to be locked by somebody else.
    private static final int ROUNDS = 8;

    private static final String OWNED = """
            select s.shard, s.epoch
              from {shard} s
             where s.owner = ?
               and exists (select 1 from {relay} r where r.id = ? and r.until > {now})
            """;

    private static final String LAST = "select max(m.seq) from {message} m where m.seq > ? and m.seq <= ?";

    // Usually no message holds its key, or few do. To read all of those is cheaper than to ask for each key of a claim.
    private static final int FEW_HOLDERS = 100;

    static final String SOME_HOLDERS = """
            select m.held_key, m.topic, m.namespace, m.seq
              from {message} m {by_holder}
             where m.held_key is not null
             limit ?
            """;

    static final String HOLDERS = """
            select m.held_key, m.topic, m.namespace, min(m.seq)
              from {message} m {by_holder}
             where m.held_key in (?)
             group by m.held_key, m.topic, m.namespace
            """;

    static final String PIN =
            "select m.seq from {message} m {by_seq} where m.holds_key and m.seq in (?) for update skip locked";

    // MySQL and MariaDB assign from left to right and then read the new value: the state comes after what depends on
    // it.
    static final String TAKE = """
            update {message} {by_seq}
               set attempts = attempts + case when status = 0 then 1 else 0 end,
                   lost_claims = lost_claims + case when status = 0 or claim_token = ? then 0 else 1 end,
                   status = 1, claim_token = ?, claim_epoch = ?, claim_until = {later},
                   updated_at = {now}
             where seq in (?)
            """;

    private static final String PUT_BEHIND = """
            update {message} {by_seq}
               set lost_claims = lost_claims + case when status = 0 or claim_token = ? then 0 else 1 end,
                   attempts = attempts - case when status = 1 then 1 else 0 end,
                   status = 0, claim_token = 0, due_at = {infinity}, holds_key = true, updated_at = {now}
             where seq in (?)
            """;

    static final String READ =
            "select " + MessageRows.CLAIMED + " from {message} m {by_seq} where m.seq in (?) order by m.seq";

    static final String LOCK_UNSHARDED = """
            select m.seq, case when m.attempts >= coalesce(m.max_attempts, ?) then 1 else 0 end as exhausted
              from {message} m {by_seq}
             where m.seq > ?
               and m.namespace = coalesce(?, m.namespace)
               and ((m.status = 0 and (m.due_at is null or m.due_at <= {now})
                     and m.attempts < coalesce(m.max_attempts, ?))
                    or (m.status = 1 and m.claim_epoch = {no_shard} and m.claim_until < {now}))
             order by m.seq
             limit ?
               for update skip locked
            """;

    private static final String BURY = """
            update {message} {by_seq}
               set status = 3, died_at = {now}, due_at = null, claim_token = 0, last_error = ?, failure = ?,
                   updated_at = {now}
             where seq in (?)
            """;

    private static final String TAKE_UNSHARDED = """
            update {message} {by_seq}
               set attempts = attempts + 1, lost_claims = lost_claims + case when status = 1 then 1 else 0 end,
                   status = 1, claim_token = ?, claim_epoch = {no_shard}, claimed_by = ?, claim_until = {later},
                   updated_at = {now}
             where seq in (?)
            """;

    private final Transactions transactions;
    private final RowKeys keys;

    LockingClaims(Transactions transactions, RowKeys keys) {
        this.transactions = transactions;
        this.keys = keys;
    }

    @Override
    public Outlook look(long after, int limit, List<SeqRange> gaps) {
        return transactions.autoCommitted("look at messages", session -> Look.at(session, after, limit, gaps));
    }

    @Override
    public ClaimedBatch claim(ClaimRequest request, SeqRange range) {
        return transactions.transacted("claim messages", session -> {
            Map<Integer, Long> epochs = owned(session, request);
            if (epochs.isEmpty()) {
                return new ClaimedBatch(List.of(), range.after(), false);
            }
            // Before the rows are looked at: a row that is committed in between must not be passed over.
            long last = last(session, range);
            Scan scan = new Scan(session, request, epochs);
            boolean toTheEnd = scan.run(range, ROUNDS);
            Verdict verdict = judge(session, request, scan.locked(), scan.missed());
            write(session, request, epochs, verdict);
            boolean full = verdict.cut() || !toTheEnd;
            long scannedTo = toTheEnd ? last : scan.position();
            if (verdict.firstLeft() != null) {
                scannedTo = Math.min(scannedTo, verdict.cut() ? lastBefore(scan, verdict) : verdict.firstLeft() - 1);
            }
            if (epochs.size() < request.shards().size()) {
                scannedTo = range.after();
            }
            return new ClaimedBatch(read(session, verdict.taken(), request), Math.max(range.after(), scannedTo), full);
        });
    }

    @Override
    public List<ClaimedMessage> claimWaiting(ClaimRequest request) {
        return transactions.transacted("claim waiting messages", session -> {
            Map<Integer, Long> epochs = owned(session, request);
            if (epochs.isEmpty()) {
                return List.of();
            }
            List<Candidate> locked = new Scan(session, request, epochs).lockWaiting(ROUNDS);
            Verdict verdict = judge(session, request, locked, List.of());
            write(session, request, epochs, verdict);
            return read(session, verdict.taken(), request);
        });
    }

    @Override
    public List<ClaimedMessage> claimUnsharded(UnshardedRequest request) {
        return transactions.transacted("claim messages", session -> {
            List<Long> exhausted = new ArrayList<>();
            List<Long> taken = new ArrayList<>();
            try (PreparedStatement lock = session.prepare(LOCK_UNSHARDED)) {
                Session.bind(
                        lock,
                        request.maxAttempts(),
                        request.after(),
                        request.namespace(),
                        request.maxAttempts(),
                        request.limit());
                try (ResultSet rows = lock.executeQuery()) {
                    while (rows.next()) {
                        (rows.getInt("exhausted") == 1 ? exhausted : taken).add(rows.getLong("seq"));
                    }
                }
            }
            session.updateAll(BURY, List.of(UnshardedRequest.EXPIRED, UnshardedRequest.EXPIRED), exhausted);
            session.updateAll(
                    TAKE_UNSHARDED, List.of(request.token(), request.owner(), Micros.of(request.claimFor())), taken);
            return readSeqs(session, taken, request.token(), request.owner());
        });
    }

    private static Map<Integer, Long> owned(Session session, ClaimRequest request) throws SQLException {
        Map<Integer, Long> epochs = new HashMap<>();
        try (PreparedStatement statement = session.prepare(OWNED)) {
            Session.bind(statement, request.relay(), request.relay());
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    epochs.put(rows.getInt(1), rows.getLong(2));
                }
            }
        }
        epochs.keySet().retainAll(request.shards());
        return epochs;
    }

    private static long last(Session session, SeqRange range) throws SQLException {
        try (PreparedStatement statement = session.prepare(LAST)) {
            Session.bind(statement, range.after(), range.upTo());
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? Math.max(range.after(), rows.getLong(1)) : range.after();
            }
        }
    }

    private static Verdict judge(Session session, ClaimRequest request, List<Candidate> locked, List<Candidate> missed)
            throws SQLException {
        Map<KeyName, Long> holders = holders(session, locked);
        Set<Long> pinned = pinned(session, holders.values());
        return Verdict.of(locked, missed, holders, pinned, request.size());
    }

    private static Map<KeyName, Long> holders(Session session, List<Candidate> rows) throws SQLException {
        Set<KeyName> keys = new HashSet<>();
        for (Candidate row : rows) {
            if (row.key() != null) {
                keys.add(row.key());
            }
        }
        if (keys.isEmpty()) {
            return Map.of();
        }
        Map<KeyName, Long> holders = new HashMap<>();
        if (!readAll(session, holders)) {
            Set<String> names = keys.stream().map(KeyName::key).collect(Collectors.toSet());
            try (PreparedStatement statement = session.prepareList(HOLDERS, List.of(), names)) {
                read(statement, holders);
            }
        }
        holders.keySet().retainAll(keys);
        return holders;
    }

    /** Returns whether there were no more. */
    private static boolean readAll(Session session, Map<KeyName, Long> holders) throws SQLException {
        try (PreparedStatement statement = session.prepare(SOME_HOLDERS)) {
            Session.bind(statement, FEW_HOLDERS + 1);
            return read(statement, holders) <= FEW_HOLDERS;
        }
    }

    private static int read(PreparedStatement statement, Map<KeyName, Long> holders) throws SQLException {
        int rows = 0;
        try (ResultSet found = statement.executeQuery()) {
            while (found.next()) {
                rows++;
                KeyName key = new KeyName(found.getString(3), found.getString(2), found.getString(1));
                holders.merge(key, found.getLong(4), Math::min);
            }
        }
        return rows;
    }

    // Were a holder settled at this moment, nobody would call the row that was just put behind it.
    private static Set<Long> pinned(Session session, Iterable<Long> holders) throws SQLException {
        List<Long> wanted = new ArrayList<>();
        holders.forEach(wanted::add);
        Set<Long> pinned = new HashSet<>();
        if (!wanted.isEmpty()) {
            try (PreparedStatement statement = session.prepareList(PIN, List.of(), wanted);
                    ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    pinned.add(rows.getLong(1));
                }
            }
        }
        return pinned;
    }

    private static void write(Session session, ClaimRequest request, Map<Integer, Long> epochs, Verdict verdict)
            throws SQLException {
        long token = request.token();
        session.updateAll(PUT_BEHIND, List.of(token), seqs(verdict.behind()));
        Map<Long, List<Candidate>> byEpoch = new HashMap<>();
        for (Candidate row : verdict.taken()) {
            byEpoch.computeIfAbsent(epochs.get(row.shard()), epoch -> new ArrayList<>())
                    .add(row);
        }
        for (Map.Entry<Long, List<Candidate>> group : byEpoch.entrySet()) {
            List<Object> values = List.of(token, token, group.getKey(), Micros.of(request.claimFor()));
            session.updateAll(TAKE, values, seqs(group.getValue()));
        }
    }

    private static long lastBefore(Scan scan, Verdict verdict) {
        long first = verdict.firstLeft() == null ? Long.MAX_VALUE : verdict.firstLeft();
        return scan.locked().stream()
                .mapToLong(Candidate::seq)
                .filter(seq -> seq < first)
                .max()
                .orElse(first - 1);
    }

    private List<ClaimedMessage> read(Session session, List<Candidate> rows, ClaimRequest request) throws SQLException {
        return readSeqs(session, seqs(rows), request.token(), request.relay());
    }

    private List<ClaimedMessage> readSeqs(Session session, List<Long> seqs, long token, String claimedBy)
            throws SQLException {
        List<ClaimedMessage> messages = new ArrayList<>();
        if (!seqs.isEmpty()) {
            try (PreparedStatement statement = session.prepareList(READ, List.of(), seqs);
                    ResultSet rows = statement.executeQuery()) {
                MessageRows reader = new MessageRows(session.dialect(), keys);
                while (rows.next()) {
                    messages.add(reader.claimed(rows, token, claimedBy));
                }
            }
        }
        return messages;
    }

    private static List<Long> seqs(List<Candidate> rows) {
        return rows.stream().map(Candidate::seq).toList();
    }
}

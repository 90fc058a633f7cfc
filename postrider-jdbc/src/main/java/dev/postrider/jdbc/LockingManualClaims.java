package dev.postrider.jdbc;

import dev.postrider.database.Micros;
import dev.postrider.database.Session;
import dev.postrider.database.Transactions;
import dev.postrider.jdbc.row.MessageRows;
import dev.postrider.jdbc.row.RowKeys;
import dev.postrider.spi.ClaimedMessage;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Claims rows for a caller that drives its own loop, in a short transaction. */
final class LockingManualClaims implements ManualClaims {

    static final String LOCK = """
            select m.seq, case when m.attempts >= coalesce(m.max_attempts, ?) then 1 else 0 end as exhausted
              from {message} m {by_seq}
             where m.namespace = coalesce(?, m.namespace)
               and ((m.status = 0 and (m.due_at is null or m.due_at <= {now})
                     and m.attempts < coalesce(m.max_attempts, ?)
                     and not exists (select 1
                                       from {claim} c
                                       join {relay} r on r.id = c.relay
                                      where r.until > {now}
                                        and c.first_seq <= m.seq
                                        and c.last_seq >= m.seq
                                        and locate(concat(',', m.seq, ':', m.attempts, ','), c.seqs) > 0))
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

    // MySQL and MariaDB assign from left to right and then read the new value: the state comes after what depends on
    // it.
    private static final String TAKE = """
            update {message} {by_seq}
               set attempts = attempts + 1, lost_claims = lost_claims + case when status = 1 then 1 else 0 end,
                   status = 1, claim_token = ?, claim_epoch = {no_shard}, claimed_by = ?, claim_until = {later},
                   updated_at = {now}
             where seq in (?)
            """;

    private static final String READ =
            "select " + MessageRows.CLAIMED + " from {message} m {by_seq} where m.seq in (?) order by m.seq";

    private final Transactions transactions;
    private final RowKeys keys;

    LockingManualClaims(Transactions transactions, RowKeys keys) {
        this.transactions = transactions;
        this.keys = keys;
    }

    @Override
    public List<ClaimedMessage> claim(UnshardedRequest request) {
        return transactions.transacted("claim messages", session -> {
            List<Long> exhausted = new ArrayList<>();
            List<Long> taken = new ArrayList<>();
            try (PreparedStatement lock = session.prepare(LOCK)) {
                Session.bind(lock, request.maxAttempts(), request.namespace(), request.maxAttempts(), request.limit());
                try (ResultSet rows = lock.executeQuery()) {
                    while (rows.next()) {
                        (rows.getInt("exhausted") == 1 ? exhausted : taken).add(rows.getLong("seq"));
                    }
                }
            }
            session.updateAll(BURY, List.of(UnshardedRequest.EXPIRED, UnshardedRequest.EXPIRED), exhausted);
            session.updateAll(TAKE, List.of(request.token(), request.owner(), Micros.of(request.claimFor())), taken);
            return read(session, taken, request);
        });
    }

    private List<ClaimedMessage> read(Session session, List<Long> seqs, UnshardedRequest request) throws SQLException {
        MessageRows reader = new MessageRows(session.dialect(), keys);
        return session.listAll(READ, List.of(), seqs, row -> reader.claimed(row, request.token(), request.owner()));
    }
}

package dev.postrider.jdbc;

import dev.postrider.database.Micros;
import dev.postrider.database.Session;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.OwnedShard;
import dev.postrider.spi.Settled;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.Settlement.Outcome;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Settles row by row inside a transaction. The locks on the shards exclude a take-over until the transaction ends. Rows
 * that another session has locked are left alone.
 */
final class RowWiseSettlement {

    private static final String LOCK_SHARDS =
            "select s.shard, s.epoch from {shard} s where s.owner = ? and s.shard in (?) order by s.shard {share}";

    // Rows are locked along the primary key only, as by every other statement that settles.
    static final String LOCK_ROWS = """
            select m.seq, m.status, m.attempts, m.claim_token, m.holds_key, m.due_at,
                   case when m.status = 0 or (m.status = 1 and m.claim_until < {now}) then 1 else 0 end as is_open
              from {message} m {by_seq}
             where m.seq in (?)
             order by m.seq
               for update skip locked
            """;

    private static final String PRESENT = "select m.seq from {message} m {by_seq} where m.seq in (?)";

    private static final String DELIVER = """
            update {message}
               set status = 2, attempts = ?, lost_claims = 0, on_trial = false, holds_key = false, claim_token = 0,
                   due_at = null, delivered_at = {now}, died_at = null, updated_at = {now}, last_error = null,
                   failure = null
             where seq = ?
            """;

    private static final String DELETE = "delete from {message} where seq = ?";

    private static final String RETRY = """
            update {message}
               set due_at = {later}, status = 0, attempts = ?, lost_claims = 0, on_trial = false, claim_token = 0,
                   holds_key = case when message_key is null then false else ? end, updated_at = {now},
                   last_error = ?, failure = ?
             where seq = ?
            """;

    private static final String BURY = """
            update {message}
               set status = 3, attempts = ?, lost_claims = 0, on_trial = false, claim_token = 0,
                   holds_key = case when message_key is null then false else ? end, due_at = null, died_at = {now},
                   updated_at = {now}, last_error = ?, failure = ?
             where seq = ?
            """;

    private static final String PUT_BEHIND = """
            update {message}
               set status = 0, claim_token = 0, due_at = {infinity}, holds_key = true, updated_at = {now}
             where seq = ?
            """;

    private static final String END_TRIAL = "update {message} set on_trial = false where seq = ?";
    private static final String GIVE_BACK =
            "update {message} set on_trial = false, status = 0, claim_token = 0, updated_at = {now} where seq = ?";
    private static final String BEGIN_TRIAL = "update {message} set on_trial = true where seq = ?";

    /** A row that is locked. */
    private record Row(
            boolean open,
            int status,
            int attempts,
            long token,
            boolean holdsKey,
            @Nullable Instant dueAt) {}

    private final Session session;
    private final Set<OwnedShard> owned = new HashSet<>();
    private final Map<Long, Row> rows = new HashMap<>();
    private final Set<Long> locked = new HashSet<>();

    private RowWiseSettlement(Session session) {
        this.session = session;
    }

    /** Writes outcomes of one relay, or of one owner of claims. */
    static Settled settle(Session session, List<Settlement> outcomes, boolean deleteDelivered) throws SQLException {
        RowWiseSettlement settlement = new RowWiseSettlement(session);
        settlement.lock(outcomes);
        List<Settlement> left = new ArrayList<>();
        int written = 0;
        for (Settlement outcome : outcomes) {
            if (settlement.isLocked(outcome)) {
                left.add(outcome);
            } else if (settlement.fits(outcome)) {
                settlement.write(outcome, deleteDelivered);
                written++;
            }
        }
        return new Settled(written, left);
    }

    static boolean beginTrial(Session session, ClaimedMessage claimed) throws SQLException {
        RowWiseSettlement settlement = new RowWiseSettlement(session);
        Settlement trial = Settlement.released(claimed);
        settlement.lock(List.of(trial));
        return !settlement.isLocked(trial) && settlement.fits(trial) && session.update(BEGIN_TRIAL, claimed.seq()) == 1;
    }

    private void lock(List<Settlement> outcomes) throws SQLException {
        Set<Integer> shards = new TreeSet<>();
        Set<Long> seqs = new TreeSet<>();
        for (Settlement outcome : outcomes) {
            shards.add(outcome.claimed().shard());
            seqs.add(outcome.claimed().seq());
            if (outcome.holder() != null) {
                seqs.add(outcome.holder());
            }
        }
        lockShards(outcomes.get(0).claimed().claimedBy(), shards);
        lockRows(seqs);
        Set<Long> missing = new TreeSet<>(seqs);
        missing.removeAll(rows.keySet());
        if (!missing.isEmpty()) {
            try (PreparedStatement statement = session.prepareList(PRESENT, List.of(), missing);
                    ResultSet present = statement.executeQuery()) {
                while (present.next()) {
                    locked.add(present.getLong(1));
                }
            }
        }
    }

    private void lockShards(String relay, Set<Integer> shards) throws SQLException {
        try (PreparedStatement statement = session.prepareList(LOCK_SHARDS, List.of(relay), shards);
                ResultSet found = statement.executeQuery()) {
            while (found.next()) {
                owned.add(new OwnedShard(found.getInt("shard"), found.getLong("epoch"), 0));
            }
        }
    }

    private void lockRows(Set<Long> seqs) throws SQLException {
        try (PreparedStatement statement = session.prepareList(LOCK_ROWS, List.of(), seqs);
                ResultSet found = statement.executeQuery()) {
            while (found.next()) {
                rows.put(
                        found.getLong("seq"),
                        new Row(
                                found.getInt("is_open") == 1,
                                found.getInt("status"),
                                found.getInt("attempts"),
                                found.getLong("claim_token"),
                                found.getBoolean("holds_key"),
                                session.dialect().time(found, "due_at")));
            }
        }
    }

    private boolean isLocked(Settlement outcome) {
        return locked.contains(outcome.claimed().seq())
                || (outcome.holder() != null && locked.contains(outcome.holder()));
    }

    private boolean fits(Settlement outcome) {
        ClaimedMessage claimed = outcome.claimed();
        Row row = rows.get(claimed.seq());
        if (row == null || (outcome.outcome() == Outcome.BEHIND && !holdsKey(outcome.holder()))) {
            return false;
        }
        return claimed.epoch() == ClaimedMessage.NO_EPOCH
                ? row.status == 1 && row.token == claimed.token()
                : row.open
                        && row.attempts == claimed.attempt() - 1
                        && Objects.equals(row.dueAt, claimed.dueAt())
                        && owned.contains(new OwnedShard(claimed.shard(), claimed.epoch(), 0));
    }

    private boolean holdsKey(@Nullable Long holder) {
        Row row = rows.get(Objects.requireNonNull(holder, "holder"));
        return row != null && row.holdsKey;
    }

    private void write(Settlement outcome, boolean deleteDelivered) throws SQLException {
        ClaimedMessage claimed = outcome.claimed();
        long seq = claimed.seq();
        int attempt = claimed.attempt();
        String error = FailedAttempt.error(outcome);
        String failure = FailedAttempt.failure(outcome);
        switch (outcome.outcome()) {
            case DELIVERED -> {
                if (deleteDelivered) {
                    session.update(DELETE, seq);
                } else {
                    session.update(DELIVER, attempt, seq);
                }
            }
            case RETRY ->
                session.update(RETRY, Micros.of(outcome.delay()), attempt, outcome.holdsKey(), error, failure, seq);
            case DEAD -> session.update(BURY, attempt, outcome.holdsKey(), error, failure, seq);
            case RELEASED -> session.update(claimed.epoch() == ClaimedMessage.NO_EPOCH ? GIVE_BACK : END_TRIAL, seq);
            case BEHIND -> session.update(PUT_BEHIND, seq);
        }
    }
}

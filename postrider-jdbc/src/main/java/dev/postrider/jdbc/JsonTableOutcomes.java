package dev.postrider.jdbc;

import dev.postrider.database.Micros;
import dev.postrider.database.SqlErrors;
import dev.postrider.database.SqlWork;
import dev.postrider.database.Transactions;
import dev.postrider.jdbc.row.KeyName;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.JsonText;
import dev.postrider.spi.Settled;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.Settlement.Outcome;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Settles on MariaDB and MySQL, which have no arrays but JSON. Each statement that writes outcomes commits on its own:
 * a client that freezes leaves no lock on them behind.
 *
 * <p>The share lock on the row of the shard is the fence. A take-over that runs beside a settlement waits for it. A
 * settlement that waited for a take-over reads the new owner, because a locking read sees the last committed version.
 * The straight joins go from the outcomes to the rows by primary key, whatever the statistics say.
 */
final class JsonTableOutcomes implements Outcomes {

    static final String SETTLE = """
            update json_table(?, '$[*]' columns (seq bigint path '$.seq',
                                                 token bigint path '$.token',
                                                 shard smallint path '$.shard',
                                                 epoch bigint path '$.epoch',
                                                 attempt int path '$.attempt',
                                                 due char(26) path '$.due',
                                                 status smallint path '$.status',
                                                 holds smallint path '$.holds',
                                                 delay bigint path '$.delay',
                                                 error varchar(2000) character set utf8mb4 path '$.error',
                                                 failure varchar(500) character set utf8mb4 path '$.failure')) o
            straight_join {message} m {by_seq} on m.seq = o.seq
               set m.status = o.status,
                   m.attempts = o.attempt,
                   m.lost_claims = 0,
                   m.on_trial = false,
                   m.claim_token = 0,
                   m.holds_key = m.message_key is not null and o.holds = 1,
                   m.due_at = case when o.status = 0 then {now} + interval o.delay microsecond end,
                   m.delivered_at = case when o.status = 2 then {now} else {not_delivered} end,
                   m.died_at = case when o.status = 3 then {now} end,
                   m.updated_at = {now},
                   m.last_error = o.error,
                   m.failure = o.failure
             where (o.epoch = -1 and m.status = 1 and m.claim_token = o.token)
                or (m.attempts = o.attempt - 1
                    and m.due_at <=> cast(o.due as datetime(6))
                    and (m.status = 0 or (m.status = 1 and m.claim_until < {now}))
                    and o.epoch = (select s.epoch
                                     from {shard} s
                                    where s.shard = o.shard
                                      and s.owner = ?
                                     lock in share mode))
            """;

    static final String DELETE_DELIVERED = """
            delete m
              from json_table(?, '$[*]' columns (seq bigint path '$.seq',
                                                 token bigint path '$.token',
                                                 shard smallint path '$.shard',
                                                 epoch bigint path '$.epoch',
                                                 attempt int path '$.attempt',
                                                 due char(26) path '$.due')) o
            straight_join {message} m {by_seq} on m.seq = o.seq
             where (o.epoch = -1 and m.status = 1 and m.claim_token = o.token)
                or (m.attempts = o.attempt - 1
                    and m.due_at <=> cast(o.due as datetime(6))
                    and (m.status = 0 or (m.status = 1 and m.claim_until < {now}))
                    and o.epoch = (select s.epoch
                                     from {shard} s
                                    where s.shard = o.shard
                                      and s.owner = ?
                                     lock in share mode))
            """;

    // A multi-table update takes share locks on the rows that it joins and does not change. So the holder cannot be
    // delivered, discarded or requeued before this statement ends.
    static final String PUT_BEHIND = """
            update json_table(?, '$[*]' columns (seq bigint path '$.seq',
                                                 shard smallint path '$.shard',
                                                 epoch bigint path '$.epoch',
                                                 attempt int path '$.attempt',
                                                 due char(26) path '$.due',
                                                 holder bigint path '$.holder')) o
            straight_join {message} h {by_seq} on h.seq = o.holder and h.holds_key
            straight_join {message} m {by_seq} on m.seq = o.seq
               set m.status = 0,
                   m.claim_token = 0,
                   m.due_at = {infinity},
                   m.holds_key = true,
                   m.updated_at = {now}
             where m.attempts = o.attempt - 1
               and m.due_at <=> cast(o.due as datetime(6))
               and (m.status = 0 or (m.status = 1 and m.claim_until < {now}))
               and o.epoch = (select s.epoch
                                from {shard} s
                               where s.shard = o.shard
                                 and s.owner = ?
                                lock in share mode)
            """;

    // Not INSERT IGNORE, which would hide other errors too.
    private static final String ATTEMPTS = """
            insert into {attempt} (seq, token, message_id, attempt, relay, outcome, took_ms, failure, error)
            select o.seq, o.token, unhex(replace(o.id, '-', '')), o.tried, o.who, o.result, o.took, o.cause, o.why
              from json_table(?, '$[*]' columns (seq bigint path '$.seq',
                                                 token bigint path '$.token',
                                                 id char(36) character set utf8mb4 path '$.id',
                                                 tried int path '$.attempt',
                                                 who varchar(200) character set utf8mb4 path '$.relay',
                                                 result smallint path '$.outcome',
                                                 took bigint path '$.took',
                                                 cause varchar(500) character set utf8mb4 path '$.failure',
                                                 why varchar(2000) character set utf8mb4 path '$.error')) o
                on duplicate key update {attempt}.outcome = {attempt}.outcome
            """;

    private static final String LIMIT_LOCK_WAIT =
            "set @postrider_lock_wait = @@session.innodb_lock_wait_timeout, session innodb_lock_wait_timeout = 1";
    private static final String RESTORE_LOCK_WAIT = "set session innodb_lock_wait_timeout = @postrider_lock_wait";

    private static final DateTimeFormatter DUE = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private final Transactions transactions;
    private final boolean deleteDelivered;

    JsonTableOutcomes(Transactions transactions, boolean deleteDelivered) {
        this.transactions = transactions;
        this.deleteDelivered = deleteDelivered;
    }

    @Override
    public Settled settle(List<Settlement> outcomes) {
        String what = "settle %d messages".formatted(outcomes.size());
        addAttempts(what, FailedAttempt.all(outcomes));
        int written = 0;
        List<Settlement> locked = new ArrayList<>();
        for (SettledTogether group : SettledTogether.groups(outcomes)) {
            for (Settled settled : settle(what, group)) {
                written += settled.written();
                locked.addAll(settled.locked());
            }
            promote(what, Batch.freed(group.outcomes()));
        }
        return new Settled(written, locked);
    }

    // The trials of a relay are rare: a short transaction is good enough for them.
    @Override
    public boolean beginTrial(ClaimedMessage claimed) {
        return transactions.transacted("begin a trial", session -> RowWiseSettlement.beginTrial(session, claimed));
    }

    private List<Settled> settle(String what, SettledTogether group) {
        List<Settlement> outcomes = group.outcomes();
        return switch (group.kind()) {
            case FINISHED ->
                List.of(
                        write(what, DELETE_DELIVERED, outcomes, this::isDeleted),
                        write(what, SETTLE, outcomes, each -> !isDeleted(each)));
            case BEHIND -> List.of(write(what, PUT_BEHIND, outcomes, each -> true));
            case RELEASED -> List.of(writeRowWise(what, outcomes));
        };
    }

    private boolean isDeleted(Settlement outcome) {
        return deleteDelivered && outcome.outcome() == Outcome.DELIVERED;
    }

    private Settled write(String what, String sql, List<Settlement> outcomes, Predicate<Settlement> which) {
        List<Settlement> some = outcomes.stream().filter(which).toList();
        if (some.isEmpty()) {
            return new Settled(0, List.of());
        }
        String relay = some.get(0).claimed().claimedBy();
        return unlessLocked(what, session -> session.update(sql, json(some), relay))
                .map(written -> new Settled(written, List.of()))
                .orElseGet(() -> writeRowWise(what, some));
    }

    private Settled writeRowWise(String what, List<Settlement> outcomes) {
        return transactions.transacted(what, session -> RowWiseSettlement.settle(session, outcomes, deleteDelivered));
    }

    /** Runs a statement that waits for a lock no longer than a second; empty if it waited in vain. */
    private Optional<Integer> unlessLocked(String what, SqlWork<Integer> statement) {
        return transactions.autoCommitted(what, session -> {
            try (Statement settings = session.connection().createStatement()) {
                settings.execute(LIMIT_LOCK_WAIT);
                try {
                    return Optional.of(statement.run(session));
                } catch (SQLException e) {
                    if (SqlErrors.lockTimeout(e)) {
                        return Optional.empty();
                    }
                    throw e;
                } finally {
                    settings.execute(RESTORE_LOCK_WAIT);
                }
            }
        });
    }

    private void promote(String what, List<KeyName> keys) {
        if (!keys.isEmpty()) {
            transactions.transacted(what, session -> {
                OutboxDialect.of(session.dialect()).heldKeys().promote(session, keys);
                return keys.size();
            });
        }
    }

    // Written before the outcomes: an attempt has happened, whether or not its outcome can be written. A repeated
    // settlement adds it once.
    private void addAttempts(String what, List<FailedAttempt> attempts) {
        if (!attempts.isEmpty()) {
            transactions.autoCommitted(what, session -> {
                session.update(ATTEMPTS, attempts(attempts));
                AttemptRows.trim(session, attempts);
                return attempts.size();
            });
        }
    }

    private static String json(List<Settlement> outcomes) {
        StringBuilder json = new StringBuilder("[");
        for (Settlement outcome : outcomes) {
            ClaimedMessage claimed = outcome.claimed();
            begin(json, claimed);
            number(json, "shard", claimed.shard());
            number(json, "epoch", claimed.epoch());
            number(json, "attempt", claimed.attempt());
            text(json, "due", due(claimed));
            number(json, "status", Batch.statusCode(outcome.outcome()));
            number(json, "holds", outcome.holdsKey() ? 1 : 0);
            number(json, "delay", Micros.of(outcome.delay()));
            if (outcome.holder() != null) {
                number(json, "holder", outcome.holder());
            }
            text(json, "error", FailedAttempt.error(outcome));
            text(json, "failure", FailedAttempt.failure(outcome));
            json.append('}');
        }
        return json.append(']').toString();
    }

    private static @Nullable String due(ClaimedMessage claimed) {
        Instant due = claimed.dueAt();
        return due == null ? null : DUE.format(due);
    }

    private static String attempts(List<FailedAttempt> attempts) {
        StringBuilder json = new StringBuilder("[");
        for (FailedAttempt attempt : attempts) {
            begin(json, attempt.claimed());
            text(json, "id", attempt.messageId().toString());
            number(json, "attempt", attempt.number());
            text(json, "relay", attempt.relay());
            number(json, "outcome", attempt.outcomeCode());
            number(json, "took", attempt.tookMillis());
            text(json, "failure", attempt.failure());
            text(json, "error", attempt.error());
            json.append('}');
        }
        return json.append(']').toString();
    }

    private static void begin(StringBuilder json, ClaimedMessage claimed) {
        json.append(json.length() == 1 ? "{" : ",{").append("\"seq\":").append(claimed.seq());
        number(json, "token", claimed.token());
    }

    private static void text(StringBuilder json, String name, @Nullable String value) {
        if (value != null) {
            JsonText.quote(json.append(",\"").append(name).append("\":"), value);
        }
    }

    private static void number(StringBuilder json, String name, long value) {
        json.append(",\"").append(name).append("\":").append(value);
    }
}

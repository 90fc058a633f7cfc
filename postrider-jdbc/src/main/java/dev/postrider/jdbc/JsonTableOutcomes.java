package dev.postrider.jdbc;

import dev.postrider.MessageStatus;
import dev.postrider.database.Micros;
import dev.postrider.database.Session;
import dev.postrider.database.SqlWork;
import dev.postrider.database.Transactions;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.JsonText;
import dev.postrider.spi.Settlement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Settles all outcomes in one statement on MariaDB and MySQL, which have no arrays but JSON. */
final class JsonTableOutcomes implements Outcomes {

    // Usually all were claimed together and delivered, so that nothing has to be joined.
    static final String SETTLE_DELIVERED = """
            update {message} {by_seq}
               set status = 2, lost_claims = 0, on_trial = false, claim_token = 0, holds_key = false, due_at = null,
                   delivered_at = {now}, died_at = null, updated_at = {now}, last_error = null, failure = null
             where claim_token = ?
               and seq in (?)
            """;

    // The straight join goes from the outcomes to the rows by primary key, whatever the statistics say.
    static final String SETTLE = """
            update json_table(?, '$[*]' columns (seq bigint path '$.seq',
                                                 token bigint path '$.token',
                                                 status smallint path '$.status',
                                                 given_back int path '$.back',
                                                 holds smallint path '$.holds',
                                                 trial smallint path '$.trial',
                                                 due smallint path '$.due',
                                                 delay bigint path '$.delay',
                                                 error varchar(2000) character set utf8mb4 path '$.error',
                                                 failure varchar(500) character set utf8mb4 path '$.failure')) o
            straight_join {message} m {by_seq} on m.seq = o.seq
               set m.status = o.status,
                   m.attempts = m.attempts - o.given_back,
                   m.lost_claims = case when o.trial is null then 0 else m.lost_claims end,
                   m.on_trial = coalesce(o.trial, 0),
                   m.claim_token = 0,
                   m.holds_key = m.message_key is not null and coalesce(o.holds, m.holds_key),
                   m.due_at = case o.due when 0 then null
                                         when 1 then {now} + interval o.delay microsecond
                                         when 2 then m.due_at
                                         else {infinity} end,
                   m.delivered_at = case when o.status = 2 then {now} else {not_delivered} end,
                   m.died_at = case when o.status = 3 then {now} end,
                   m.updated_at = {now},
                   m.last_error = case when o.status = 2 then null else coalesce(o.error, m.last_error) end,
                   m.failure = case when o.status = 2 then null when o.error is null then m.failure else o.failure end
             where m.claim_token = o.token
            """;

    private static final String CLAIMS = """
            json_table(?, '$[*]' columns (seq bigint path '$.seq', token bigint path '$.token')) o
            straight_join {message} m {by_seq} on m.seq = o.seq
            """;

    static final String DELETE_DELIVERED = "delete m from " + CLAIMS + " where m.claim_token = o.token";
    static final String EXTEND = "update " + CLAIMS + " set m.claim_until = {later} where m.claim_token = o.token";

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

    private final Transactions transactions;
    private final boolean deleteDelivered;

    JsonTableOutcomes(Transactions transactions, boolean deleteDelivered) {
        this.transactions = transactions;
        this.deleteDelivered = deleteDelivered;
    }

    @Override
    public int settle(List<Settlement> outcomes) {
        Batch batch = Batch.of(outcomes, deleteDelivered);
        String what = "settle %d messages".formatted(outcomes.size());
        // One statement needs no transaction around it, and a client that freezes leaves no lock behind.
        boolean single = batch.freed().isEmpty()
                && batch.attempts().isEmpty()
                && (batch.updated().isEmpty() || batch.deleted().isEmpty());
        SqlWork<Integer> work = session -> {
            int written = 0;
            if (!batch.updated().isEmpty()) {
                written += update(session, batch.updated());
            }
            if (!batch.deleted().isEmpty()) {
                written += session.update(DELETE_DELIVERED, claims(batch.deleted()));
            }
            if (!batch.freed().isEmpty()) {
                OutboxDialect.of(session.dialect()).heldKeys().promote(session, batch.freed());
            }
            if (!batch.attempts().isEmpty()) {
                session.update(ATTEMPTS, attempts(batch.attempts()));
                AttemptRows.trim(session, batch.attempts());
            }
            return written;
        };
        return single ? transactions.autoCommitted(what, work) : transactions.transacted(what, work);
    }

    @Override
    public int extend(List<ClaimedMessage> claims, Duration claimFor) {
        return transactions.autoCommitted(
                "extend %d claims".formatted(claims.size()),
                session -> session.update(EXTEND, claims(claims), Micros.of(claimFor)));
    }

    private static int update(Session session, List<Transition> transitions) throws SQLException {
        long token = transitions.get(0).token();
        boolean together = transitions.stream()
                .allMatch(each -> each.status() == MessageStatus.DELIVERED && each.token() == token);
        return together
                ? session.updateAll(
                        SETTLE_DELIVERED,
                        List.of(token),
                        transitions.stream().map(Transition::seq).toList())
                : session.update(SETTLE, transitions(transitions));
    }

    private static String transitions(List<Transition> transitions) {
        StringBuilder json = new StringBuilder("[");
        for (Transition transition : transitions) {
            begin(json, transition.claimed());
            number(json, "status", (long) transition.statusCode());
            number(json, "back", (long) transition.givenBack());
            flag(json, "holds", transition.holdsKey());
            flag(json, "trial", transition.trial());
            number(json, "due", (long) transition.dueCode());
            number(json, "delay", transition.delayMicros());
            text(json, "error", transition.error());
            text(json, "failure", transition.failure());
            json.append('}');
        }
        return json.append(']').toString();
    }

    private static String attempts(List<FailedAttempt> attempts) {
        StringBuilder json = new StringBuilder("[");
        for (FailedAttempt attempt : attempts) {
            begin(json, attempt.claimed());
            text(json, "id", attempt.messageId().toString());
            number(json, "attempt", (long) attempt.number());
            text(json, "relay", attempt.relay());
            number(json, "outcome", (long) attempt.outcomeCode());
            number(json, "took", attempt.tookMillis());
            text(json, "failure", attempt.failure());
            text(json, "error", attempt.error());
            json.append('}');
        }
        return json.append(']').toString();
    }

    private static String claims(List<ClaimedMessage> claims) {
        StringBuilder json = new StringBuilder("[");
        for (ClaimedMessage claimed : claims) {
            begin(json, claimed);
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

    private static void flag(StringBuilder json, String name, @Nullable Boolean value) {
        if (value != null) {
            number(json, name, value ? 1L : 0L);
        }
    }

    private static void number(StringBuilder json, String name, @Nullable Long value) {
        if (value != null) {
            json.append(",\"").append(name).append("\":").append(value);
        }
    }
}

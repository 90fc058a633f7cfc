package dev.postrider.jdbc;

import dev.postrider.database.Micros;
import dev.postrider.database.Session;
import dev.postrider.database.SqlErrors;
import dev.postrider.spi.ClaimRequest;
import dev.postrider.spi.ClaimedBatch;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Sighting;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Claims a few messages at rest by writing into their rows, which takes less time than to note them beside: the
 * statement has few parts, and every part costs when it begins. It claims all rows it sees or none. None if any asks
 * for more, be it care, another relay or more room; then {@link PostgresFreeClaim} decides.
 */
final class PostgresFewClaim {

    /** The most messages that are claimed in this way; more of them cost less if they are noted. */
    static final int MOST = 32;

    // A row that somebody else changes or locks after it was seen is not claimed and so not told: the relay takes it
    // for one that has not been committed yet, and looks for it before it sends anything of this claim.
    static final NamedSql CLAIM = NamedSql.of(PostgresSql.FIXED_IMPATIENT_CLAIM.replace("?", ":relay")
            + """
            update {message} m
               set status = 1, attempts = m.attempts + 1, claim_token = :token, claim_epoch = s.epoch,
                   claimed_by = :relay, claim_until = clock_timestamp() + :micros::bigint * interval '1 microsecond',
                   updated_at = clock_timestamp()
              from {shard} s
             where m.seq > :after
               and m.seq <= :up_to
               and m.status = 0
               and m.due_at is null
               and s.shard = m.shard
               and s.owner = :relay
               and exists (select from {relay} r where r.id = :relay and r.until > clock_timestamp())
               and not exists (select
                                 from {claim} c
                                where c.last_seq > :after
                                  and c.last_seq <= :furthest
                                  and c.first_seq <= :up_to)
               and (select bool_and(l.status = 0 and l.due_at is null and l.lost_claims = 0 and not l.on_trial
                                    and not l.holds_key and l.xmax = 0 and l.shard = any (:shards::int[])
                                    and
            """
            + PostgresSql.HOLDER
            + """
                                    is null)
                           and sum(octet_length(l.payload)) <= :bytes
                      from {message} l
                     where l.seq > :after
                       and l.seq <= :up_to)
            returning
            """
            + MessageRows.CLAIMED.indent(10)
            + PostgresSql.COMMIT);

    private PostgresFewClaim() {}

    /** Whether a request may be tried in this way. */
    static boolean fits(ClaimRequest request) {
        return request.size().messages() <= MOST && request.closedTopics().isEmpty();
    }

    /** Claims what there is in the first part of the range; empty if there is nothing, or nothing so simple. */
    static Optional<Sighting> run(Session session, RowKeys keys, ClaimRequest request, SeqRange range)
            throws SQLException {
        long end = range.after()
                + Math.min(range.upTo() - range.after(), request.size().messages());
        try (PreparedStatement claim = session.prepare(CLAIM.text())) {
            CLAIM.bind(claim, values(session, request, new SeqRange(range.after(), end)));
            try (ResultSet rows = Results.after(2, claim)) {
                MessageRows reader = new MessageRows(session.dialect(), keys);
                List<ClaimedMessage> messages = new ArrayList<>();
                while (rows.next()) {
                    messages.add(reader.claimed(rows, request.token(), request.relay()));
                }
                return messages.isEmpty() ? Optional.empty() : Optional.of(sighting(messages, end));
            }
        } catch (SQLException e) {
            if (!SqlErrors.lockTimeout(e)) {
                throw e;
            }
            session.abandon();
            return Optional.empty();
        }
    }

    private static Map<String, Object> values(Session session, ClaimRequest request, SeqRange range)
            throws SQLException {
        return Map.of(
                "relay", request.relay(),
                "shards",
                        session.connection()
                                .createArrayOf("int4", request.shards().toArray()),
                "token", request.token(),
                "bytes", request.size().bytes(),
                "micros", Micros.of(request.claimFor()),
                "after", range.after(),
                "up_to", range.upTo(),
                "furthest", PostgresNotes.furthest(range));
    }

    private static Sighting sighting(List<ClaimedMessage> messages, long end) {
        List<ClaimedMessage> inOrder = PostgresClaims.inOrder(messages);
        List<Long> seen = inOrder.stream().map(ClaimedMessage::seq).toList();
        long last = seen.get(seen.size() - 1);
        return new Sighting(seen, new ClaimedBatch(inOrder, last, last == end));
    }
}

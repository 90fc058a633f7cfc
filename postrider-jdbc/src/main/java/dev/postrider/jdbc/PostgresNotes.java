package dev.postrider.jdbc;

import dev.postrider.spi.ClaimRequest;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.SeqRange;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;

/**
 * Claims that are noted in {@code {claim}} instead of their rows. Whoever wants more of such a claim than to deliver it
 * writes it into its rows first, and then finds it there. A note is locked before its rows, and notes in the order of
 * their tokens, so that nobody waits for each other.
 */
final class PostgresNotes {

    /**
     * How far the sequences of a note may be apart; a claim that is wider is written into its rows. Nobody has to look
     * further for notes, however many old versions of them a long transaction keeps alive. The view of the schema has
     * the same number.
     */
    static final int WIDEST = 65_536;

    // Two notes about one row: one of them was made by a relay that had lost the shard already.
    private static final String WRITE = """
            with noted as materialized (
                select c.token, c.claimed_at, c.until, c.relay, c.epochs, c.seqs
                  from {claim} c
                 where %s
                 order by c.token
                   for update of c
            ), gone as (
                delete
                  from {claim} c
                 where c.token in (select n.token from noted n)
            ), claimed as materialized (
                select distinct on (s.seq) s.seq, n.token, n.claimed_at, n.until, n.relay, n.epochs
                  from noted n
                 cross join unnest(n.seqs) as s (seq)
                 order by s.seq, %s
            )
            update {message} m
               set status = 1, attempts = m.attempts + 1, claim_token = n.token,
                   claim_epoch = n.epochs[m.shard + 1], claimed_by = n.relay, claim_until = n.until,
                   updated_at = n.claimed_at
              from claimed n
             where m.seq = any (array(select n.seq from claimed n))
               and m.seq = n.seq
               and m.status = 0
               and m.due_at is null
               %s
            """;

    // Guards against a note that a relay wrote after it had lost the shard: nothing of it may reach a row.
    private static final String STILL_OWNED = """
            and n.epochs[m.shard + 1] = (select s.epoch from {shard} s where s.shard = m.shard)""";

    private static final String NEWEST = "n.claimed_at desc";

    static final String WRITE_CLAIMS = WRITE.formatted("c.token = any (?::bigint[])", NEWEST, STILL_OWNED);

    static final String WRITE_ALL = WRITE.formatted("true", NEWEST, "");

    // What keeps a relay from claiming rows of a range without a second look: its own notes, and those of others whose
    // shards it has got since.
    static final String WRITE_RANGE = WRITE.formatted("""
            c.last_seq > ?
                   and c.last_seq <= ?
                   and c.first_seq <= ?
                   and (c.relay = ?
                        or exists (select
                                     from {shard} s
                                    where s.owner = ?
                                      and c.epochs[s.shard + 1] >= 0
                                      and (c.epochs[s.shard + 1] < s.epoch or c.until < clock_timestamp())))""", "n.relay = ?", "");

    private PostgresNotes() {}

    // A take-over locks the shards for update, so it waits for the statements that follow, or they see its epochs.
    // The result is a number for the reason given at FIXED_PLAN.
    private static final String KEEP_SHARDS = """
            select count(*)
              from (select s.shard
                      from {shard} s
                     where s.shard = any (?::int[])
                     order by s.shard
                       for key share) k
            """;

    private static final String LOCK = """
            select count(*)
              from (select c.token
                      from {claim} c
                     where c.token = any (?::bigint[])
                     order by c.token
                       for update) k
            """;

    /** Locks the notes of all these claims at once, so that two statements never wait for each other's notes. */
    static void addLock(Pipeline pipeline, Collection<Long> tokens) throws SQLException {
        pipeline.add(LOCK, pipeline.array("int8", List.copyOf(tokens), token -> token));
    }

    /** Keeps the owners of these shards until the transaction ends. */
    static void addFence(Pipeline pipeline, Collection<ClaimedMessage> claims) throws SQLException {
        List<Integer> shards =
                claims.stream().map(ClaimedMessage::shard).distinct().toList();
        pipeline.add(KEEP_SHARDS, pipeline.array("int4", shards, shard -> shard));
    }

    /** Writes claims into their rows. */
    static void addClaims(Pipeline pipeline, Collection<Long> tokens) throws SQLException {
        pipeline.add(WRITE_CLAIMS, pipeline.array("int8", List.copyOf(tokens), token -> token));
    }

    /** Binds {@link #WRITE_RANGE} and returns the number of the next parameter. */
    static int bindRange(PreparedStatement statement, int first, ClaimRequest request, SeqRange range)
            throws SQLException {
        statement.setLong(first, range.after());
        statement.setLong(first + 1, furthest(range));
        statement.setLong(first + 2, range.upTo());
        statement.setString(first + 3, request.relay());
        statement.setString(first + 4, request.relay());
        statement.setString(first + 5, request.relay());
        return first + 6;
    }

    /** Returns the highest sequence in which a note about rows of the range can end. */
    static long furthest(SeqRange range) {
        return range.upTo() > Long.MAX_VALUE - WIDEST ? Long.MAX_VALUE : range.upTo() + WIDEST;
    }
}

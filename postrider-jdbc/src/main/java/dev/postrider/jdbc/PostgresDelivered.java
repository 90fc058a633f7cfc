package dev.postrider.jdbc;

import dev.postrider.database.Session;
import java.sql.Array;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** Settles what was delivered. What was claimed together has one token, so usually nothing has to be joined. */
final class PostgresDelivered {

    private static final String DELIVERED = """
            update {message} m
               set status = 2, lost_claims = 0, on_trial = false, claim_token = null, holds_key = false, due_at = null,
                   delivered_at = statement_timestamp(), died_at = null, updated_at = statement_timestamp(),
                   last_error = null, failure = null
            """;

    private static final String NOTED_DELIVERED = """
            update {message} m
               set status = 2, attempts = m.attempts + 1, delivered_at = statement_timestamp(),
                   updated_at = statement_timestamp(), last_error = null, failure = null
            """;

    private static final String DELETED = """
            delete
              from {message} m
            """;

    /** Fenced by the token alone: a further condition on a state makes the planner leave the primary key. */
    static final String SETTLE = DELIVERED + """
             where m.seq = any (?::bigint[])
               and m.claim_token = ?
            """;

    private static final String BY_TOKENS = """
             %s unnest(?::bigint[], ?::bigint[]) as o (seq, token)
             where m.seq = any (?::bigint[])
               and m.seq = o.seq
               and m.claim_token = o.token
            """;

    static final String SETTLE_ALL = DELIVERED + BY_TOKENS.formatted("from");

    static final String DELETE_ALL = DELETED + BY_TOKENS.formatted("using");

    // The note is locked before its rows, and goes with the last of them.
    private static final String NOTES = """
            with noted as materialized (
                select c.token, c.epochs
                  from {claim} c
                 where c.token = any (?::bigint[])
                 order by c.token
                   for update of c
            ), gone as (
                delete
                  from {claim} c
                 where c.token = any (?::bigint[])
                   and c.token in (select n.token from noted n)
            ), current as materialized (
                select array_agg(s.epoch order by s.shard) as epochs
                  from {shard} s
            )
            """;

    // Nobody else writes to such a row as long as its shard has the epoch of the note.
    private static final String STILL_NOTED = """
               and m.status = 0
               and m.due_at is null
            """;

    static final String SETTLE_NOTED = NOTES + NOTED_DELIVERED + """
             where m.seq = any (?::bigint[])
               and (select n.epochs from noted n)[m.shard + 1] = (select c.epochs from current c)[m.shard + 1]
            """ + STILL_NOTED;

    private static final String BY_NOTES = """
             %s unnest(?::bigint[], ?::bigint[]) as o (seq, token), noted n
             where m.seq = any (?::bigint[])
               and m.seq = o.seq
               and n.token = o.token
               and n.epochs[m.shard + 1] = (select c.epochs from current c)[m.shard + 1]
            """ + STILL_NOTED;

    static final String SETTLE_ALL_NOTED = NOTES + NOTED_DELIVERED + BY_NOTES.formatted("from");

    static final String DELETE_ALL_NOTED = NOTES + DELETED + BY_NOTES.formatted("using");

    private final boolean deleted;
    private final NotedClaims notes;

    PostgresDelivered(boolean deleted, NotedClaims notes) {
        this.deleted = deleted;
        this.notes = notes;
    }

    /** Adds at most one statement for either kind of claim. */
    void add(Pipeline pipeline, Deliveries deliveries) throws SQLException {
        if (!deliveries.noted().isEmpty()) {
            addNoted(pipeline, deliveries.noted());
        }
        if (!deliveries.inRows().isEmpty()) {
            addInRows(pipeline, deliveries.inRows());
        }
    }

    /**
     * Returns how many were settled, by the counts of what {@link #add} added. What was not found where it should be is
     * looked for in the other place: somebody may have written the claim into its rows, or noted it elsewhere.
     */
    int settled(Session session, Deliveries deliveries, Iterator<Integer> counts) throws SQLException {
        int settled = 0;
        if (!deliveries.noted().isEmpty()) {
            int found = counts.next();
            settled += found;
            deliveries.noted().forEach((token, seqs) -> notes.settled(token, seqs.size()));
            if (found < size(deliveries.noted())) {
                Pipeline again = new Pipeline(session, PostgresSql.FIXED_JOIN);
                addInRows(again, deliveries.noted());
                settled += again.counts().get(0);
            }
        }
        if (!deliveries.inRows().isEmpty()) {
            int found = counts.next();
            settled += found;
            if (found < size(deliveries.inRows())) {
                Pipeline again = new Pipeline(session, PostgresSql.FIXED_JOIN);
                addNoted(again, deliveries.inRows());
                settled += again.counts().get(0);
            }
        }
        return settled;
    }

    private void addInRows(Pipeline pipeline, Map<Long, List<Long>> claims) throws SQLException {
        if (claims.size() == 1 && !deleted) {
            Map.Entry<Long, List<Long>> only = claims.entrySet().iterator().next();
            pipeline.add(SETTLE, pipeline.array("int8", only.getValue(), seq -> seq), only.getKey());
        } else {
            Rows rows = Rows.of(claims);
            Array seqs = rows.seqs(pipeline);
            pipeline.add(deleted ? DELETE_ALL : SETTLE_ALL, seqs, rows.tokens(pipeline), seqs);
        }
    }

    private void addNoted(Pipeline pipeline, Map<Long, List<Long>> claims) throws SQLException {
        Array tokens = pipeline.array("int8", List.copyOf(claims.keySet()), token -> token);
        List<Long> ended = claims.entrySet().stream()
                .filter(claim -> notes.isRest(claim.getKey(), claim.getValue().size()))
                .map(Map.Entry::getKey)
                .toList();
        Array last = pipeline.array("int8", ended, token -> token);
        if (claims.size() == 1 && !deleted) {
            List<Long> only = claims.values().iterator().next();
            pipeline.add(SETTLE_NOTED, tokens, last, pipeline.array("int8", only, seq -> seq));
        } else {
            Rows rows = Rows.of(claims);
            Array seqs = rows.seqs(pipeline);
            pipeline.add(
                    deleted ? DELETE_ALL_NOTED : SETTLE_ALL_NOTED, tokens, last, seqs, rows.tokens(pipeline), seqs);
        }
    }

    private static int size(Map<Long, List<Long>> claims) {
        return claims.values().stream().mapToInt(List::size).sum();
    }

    /** Sequences, each with the token of its claim. */
    private record Rows(List<Long> seqs, List<Long> tokens) {

        static Rows of(Map<Long, List<Long>> claims) {
            List<Long> seqs = new ArrayList<>();
            List<Long> tokens = new ArrayList<>();
            claims.forEach((token, rows) -> rows.forEach(seq -> {
                seqs.add(seq);
                tokens.add(token);
            }));
            return new Rows(seqs, tokens);
        }

        Array seqs(Pipeline pipeline) throws SQLException {
            return pipeline.array("int8", seqs, seq -> seq);
        }

        Array tokens(Pipeline pipeline) throws SQLException {
            return pipeline.array("int8", tokens, token -> token);
        }
    }
}

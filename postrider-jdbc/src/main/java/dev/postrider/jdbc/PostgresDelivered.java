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
    private static final String NOTED = """
            with noted as materialized (
                select c.token, c.epochs
                  from {claim} c
                 where c.token = any (?::bigint[])
                 order by c.token
                   for update of c
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

    // Usually no shard of the claims has changed hands since; then no row has to be compared with the note of its
    // claim.
    private static final String UNCHANGED = NOTED + """
            , unchanged as materialized (
                select
                  from noted n
                 cross join current c
                having count(*) = cardinality(?::bigint[])
                   and bool_and(not exists (select
                                              from unnest(n.epochs, c.epochs) as e (noted, current)
                                             where e.noted >= 0
                                               and e.noted <> e.current))
            ), gone as (
                delete
                  from {claim} c
                 where c.token = any (?::bigint[])
                   and exists (select from unchanged)
            )
            %s
             where m.seq = any (?::bigint[])
               and exists (select from unchanged)
            """ + STILL_NOTED;

    static final String SETTLE_NOTED = UNCHANGED.formatted(NOTED_DELIVERED);

    static final String DELETE_NOTED = UNCHANGED.formatted(DELETED);

    private static final String BY_NOTES = NOTED + """
            , gone as (
                delete
                  from {claim} c
                 where c.token = any (?::bigint[])
                   and c.token in (select n.token from noted n)
            )
            %s unnest(?::bigint[], ?::bigint[]) as o (seq, token), noted n
             where m.seq = any (?::bigint[])
               and m.seq = o.seq
               and n.token = o.token
               and n.epochs[m.shard + 1] = (select c.epochs from current c)[m.shard + 1]
            """ + STILL_NOTED;

    static final String SETTLE_ALL_NOTED = BY_NOTES.formatted(NOTED_DELIVERED + " from");

    static final String DELETE_ALL_NOTED = BY_NOTES.formatted(DELETED + " using");

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
     * Returns how many were settled, by the counts of what {@link #add} added. If not all were, each is settled by its
     * own note and shard, and what is not found where it should be is looked for in the other place: somebody may have
     * written the claim into its rows, or noted it elsewhere.
     */
    int settled(Session session, Deliveries deliveries, Iterator<Integer> counts) throws SQLException {
        int settled = 0;
        if (!deliveries.noted().isEmpty()) {
            int all = size(deliveries.noted());
            int found = counts.next();
            if (found < all) {
                found += again(session, pipeline -> addNotedApart(pipeline, deliveries.noted()));
            }
            deliveries.noted().forEach((token, seqs) -> notes.settled(token, seqs.size()));
            if (found < all) {
                found += again(session, pipeline -> addInRows(pipeline, deliveries.noted()));
            }
            settled += found;
        }
        if (!deliveries.inRows().isEmpty()) {
            int found = counts.next();
            if (found < size(deliveries.inRows())) {
                found += again(session, pipeline -> addNotedApart(pipeline, deliveries.inRows()));
            }
            settled += found;
        }
        return settled;
    }

    private static int again(Session session, Addition addition) throws SQLException {
        Pipeline pipeline = new Pipeline(session, PostgresSql.FIXED_JOIN);
        addition.to(pipeline);
        return pipeline.counts().get(0);
    }

    /** Adds a statement to a pipeline. */
    @FunctionalInterface
    private interface Addition {

        void to(Pipeline pipeline) throws SQLException;
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

    // All rows at once, or none if a shard has changed hands.
    private void addNoted(Pipeline pipeline, Map<Long, List<Long>> claims) throws SQLException {
        Array tokens = tokens(pipeline, claims);
        Array seqs = pipeline.array(
                "int8", claims.values().stream().flatMap(List::stream).toList(), seq -> seq);
        pipeline.add(deleted ? DELETE_NOTED : SETTLE_NOTED, tokens, tokens, ended(pipeline, claims), seqs);
    }

    // Each row by the note of its own claim.
    private void addNotedApart(Pipeline pipeline, Map<Long, List<Long>> claims) throws SQLException {
        Rows rows = Rows.of(claims);
        Array seqs = rows.seqs(pipeline);
        pipeline.add(
                deleted ? DELETE_ALL_NOTED : SETTLE_ALL_NOTED,
                tokens(pipeline, claims),
                ended(pipeline, claims),
                seqs,
                rows.tokens(pipeline),
                seqs);
    }

    private static Array tokens(Pipeline pipeline, Map<Long, List<Long>> claims) throws SQLException {
        return pipeline.array("int8", List.copyOf(claims.keySet()), token -> token);
    }

    private Array ended(Pipeline pipeline, Map<Long, List<Long>> claims) throws SQLException {
        List<Long> ended = claims.entrySet().stream()
                .filter(claim -> notes.isRest(claim.getKey(), claim.getValue().size()))
                .map(Map.Entry::getKey)
                .toList();
        return pipeline.array("int8", ended, token -> token);
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

package dev.postrider.jdbc;

import dev.postrider.database.Dialect;
import dev.postrider.database.Session;

/** The pieces that PostgreSQL's claiming statements share. */
final class PostgresSql {

    /**
     * Goes in front of statements in the same transaction. A plan that was made and kept while the table was empty must
     * still be right when it holds a million rows, so it may not depend on statistics: with these settings only the
     * indexes that fit are left to choose from. The server limits the time, because a limit of the driver's wakes a
     * thread of its own for every statement. The result is a number because the driver would end its round trip, and
     * with it an implicit transaction, before a statement whose result it cannot bound.
     */
    static final String FIXED_PLAN = limited(Dialect.POSTGRESQL.fixPlan().get(0));

    /**
     * As {@link #FIXED_PLAN}, for claims, which end with {@link #COMMIT}: their commit does not wait for the disk. A
     * server that crashes may forget a claim, which is then made again; what was sent under it meanwhile is sent twice,
     * as after any crash. The parameter is the relay, whose claims come one after the other: nobody else can claim what
     * it does, and it sees its own.
     */
    static final String FIXED_CLAIM = claiming(Session.TIME_LIMIT);

    /** As {@link #FIXED_CLAIM}, for claims that would rather be made in another way than wait for a lock. */
    static final String FIXED_IMPATIENT_CLAIM = claiming("50");

    /** As {@link #FIXED_PLAN}; and a join is a hash join, whose cost does not depend on a wrong estimate. */
    static final String FIXED_JOIN = limited("""
            select length(set_config('enable_seqscan', 'off', true) || set_config('enable_bitmapscan', 'off', true)
                          || set_config('enable_nestloop', 'off', true) || set_config('enable_mergejoin', 'off', true)
                          || set_config('jit', 'off', true)
                          || set_config('plan_cache_mode', 'force_generic_plan', true));
            """);

    /**
     * Begins a transaction in the round trip of its first statement. If the driver did it, the server would answer that
     * before it turns to the statement.
     */
    static final String BEGIN = "begin;\n";

    /**
     * Ends a transaction in the round trip of its last statement. The driver may send a claim, whose result it cannot
     * bound, apart from the settings in front of it, so the transaction has to be explicit; a client that freezes
     * before the claim holds no lock, and after it the server needs no further word to commit.
     */
    static final String COMMIT = """
            ;
            commit
            """;

    /** The relay's parameters, once each, and the epochs of its shards; minus one is a shard it does not own. */
    static final String REQUEST = """
            with request as materialized (
                select ?::text as relay, ?::int[] as shards, ?::bigint as token, ?::int as size, ?::bigint as bytes,
                       clock_timestamp() as now, clock_timestamp() + ?::bigint * interval '1 microsecond' as until,
                       ?::bigint as after, ?::bigint as up_to
            ), closed as materialized (
                select c.namespace, c.topic
                  from unnest(?::text[], ?::text[]) as c (namespace, topic)
            ), owned as materialized (
                select array_agg(case when s.owner = r.relay
                                       and s.shard = any (r.shards)
                                       and exists (select
                                                     from {relay} a
                                                    where a.id = (select relay from request)
                                                      and a.until > clock_timestamp())
                                      then s.epoch else -1 end order by s.shard) as epochs
                  from request r
                 cross join {shard} s
            )""";

    /** Which rows of {@code m} the relay may claim, apart from when they are due. */
    static final String CLAIMABLE = """
                   and (m.status = 0
                        or (m.status = 1
                            and (m.claim_epoch < (select epochs from owned)[m.shard + 1]
                                 or m.claim_until < (select now from request)
                                 or m.claim_token = (select token from request))))
                   and (select epochs from owned)[m.shard + 1] >= 0
                   and (m.namespace, m.topic) not in (select c.namespace, c.topic from closed c)
            """;

    /**
     * The first holder of the key of {@code l}, or null. The comparison of rows and the order by all columns leave the
     * planner no index but the one of the holders.
     */
    static final String HOLDER = """
            (select h.seq
               from (select h.seq, h.message_key, h.topic, h.namespace
                       from {message} h
                      where h.holds_key
                        and (h.message_key, h.topic, h.namespace) >= (l.message_key, l.topic, l.namespace)
                      order by h.message_key, h.topic, h.namespace, h.seq
                      limit 1) h
              where (h.message_key, h.topic, h.namespace) = (l.message_key, l.topic, l.namespace))
            """;

    /** What a claim writes to a row {@code m}. */
    static final String TAKE = """
                update {message} m
                   set status = 1,
                       attempts = m.attempts + case when m.status = 0 then 1 else 0 end,
                       lost_claims = m.lost_claims
                                     + case when m.status = 1
                                             and m.claim_token is distinct from (select token from request)
                                            then 1 else 0 end,
                       claim_token = (select token from request),
                       claim_epoch = (select epochs from owned)[m.shard + 1],
                       claimed_by = (select relay from request),
                       claim_until = (select until from request),
                       updated_at = (select now from request)
            """;

    /**
     * What becomes of the rows in {@code locked}. A row is left alone if an earlier one of its key was missed. A row
     * whose key is held is put behind its holder, and the holder is locked meanwhile: were it settled at this moment,
     * nobody would call the row that was just put behind it. The cast keeps the planner away from the index of the
     * holders where the sequences are known.
     */
    static final String VERDICT = """
            , candidate as materialized (
                select l.*,
            """ + HOLDER + """
                       as holder
                  from locked l
            ), pinned as materialized (
                select h.seq
                  from {message} h
                 where h.seq = any (array(select c.holder from candidate c where c.holder < c.seq))
                   and h.holds_key::int = 1
                   for share skip locked
            ), judged as materialized (
                select c.seq, c.due_at, c.bytes,
                       case when exists (select
                                           from missed x
                                          where (x.message_key, x.topic, x.namespace)
                                                = (c.message_key, c.topic, c.namespace)
                                            and x.seq < c.seq) then 'left'
                            when c.holder is null or c.holder >= c.seq then 'taken'
                            when c.holder in (select p.seq from pinned p) then 'behind'
                            else 'left' end as verdict
                  from candidate c
            ), ranked as materialized (
                select j.seq, row_number() over place as rank, sum(j.bytes) over place as bytes
                  from judged j
                 where j.verdict = 'taken'
                window place as (order by j.due_at, j.seq)
            ), cut as materialized (
                select min(k.seq) as seq
                  from ranked k
                 where k.rank > 1
                   and k.bytes > (select bytes from request)
            ), behind as (
                update {message} m
                   set status = 0, due_at = 'infinity', holds_key = true, claim_token = null,
                       attempts = m.attempts - case when m.status = 1 then 1 else 0 end,
                       lost_claims = m.lost_claims
                                     + case when m.status = 1 and m.claim_token is distinct from r.token
                                            then 1 else 0 end,
                       updated_at = r.now
                  from request r
                 where m.seq = any (array(select j.seq from judged j where j.verdict = 'behind'))
            ), taken as (
            """ + TAKE + """
                 where m.seq = any (array(select k.seq
                                            from ranked k
                                           where k.rank = 1 or k.bytes <= (select bytes from request)))
                returning
            """ + MessageRows.CLAIMED.indent(10) + """
            )
            """;

    private PostgresSql() {}

    private static String limited(String settings) {
        return with(settings, "statement_timeout", Session.TIME_LIMIT);
    }

    // A client that goes silent before its second round trip must not keep the lock of its claims until the server
    // finds
    // out that it is gone.
    private static String claiming(String lockMillis) {
        String impatient = with(with(FIXED_PLAN, "synchronous_commit", "off"), "lock_timeout", lockMillis);
        return BEGIN
                + with(impatient, "idle_in_transaction_session_timeout", Session.TIME_LIMIT)
                        .replace("));", ")), pg_advisory_xact_lock(hashtextextended('{message} ' || ?::text, 0));");
    }

    private static String with(String settings, String name, String value) {
        return settings.replace("));", ") || set_config('%s', '%s', true));".formatted(name, value));
    }
}

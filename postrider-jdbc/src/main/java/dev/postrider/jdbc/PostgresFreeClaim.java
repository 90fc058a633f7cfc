package dev.postrider.jdbc;

/**
 * The usual claim: nobody else has a lock on a row and no key is held. Rows are updated without being locked first. It
 * claims nothing and says no position if a key is held, and fails if it would have to wait or if a row was changed
 * meanwhile; then {@link PostgresClaims#CLAIM} decides.
 */
final class PostgresFreeClaim {

    // "changed" is an error with a reason, made from a column so that it is not evaluated before its time.
    static final String CLAIM = PostgresSql.FIXED_CLAIM_SHORT_WAIT
            + PostgresSql.REQUEST
            + """
            , free as materialized (
                select m.seq, m.namespace, m.topic, m.message_key,
                       row_number() over place = 1
                       or sum(octet_length(m.payload)) over place <= (select bytes from request) as fits
                  from {message} m
                 where m.seq > (select after from request)
                   and m.seq <= (select up_to from request)
                   and m.due_at is null
            """
            + PostgresSql.CLAIMABLE
            + """
                window place as (order by m.seq rows unbounded preceding)
                 order by m.seq
                 limit (select size from request)
            ), found as materialized (
                select count(*) as size, max(f.seq) as last,
                       count(*) filter (where f.fits) as fitting, max(f.seq) filter (where f.fits) as last_fitting
                  from free f
            ), held as materialized (
                select exists (select
                                 from {message} h
                                where h.holds_key
                                order by h.message_key, h.topic, h.namespace, h.seq
                                limit 1)
                       and exists (select
                                     from free l
                                    where l.seq >
            """
            + PostgresSql.HOLDER
            + """
                                  ) as any_key
            ), taken as (
            """
            + PostgresSql.TAKE
            + """
                 where m.seq = any (array(select f.seq from free f where f.fits and not (select any_key from held)))
                   and m.due_at is null
            """
            + PostgresSql.CLAIMABLE
            + """
                returning
            """
            + MessageRows.CLAIMED.indent(10)
            + """
            )
            select case when h.any_key then null
                        when cardinality(array_remove(o.epochs, -1)) < cardinality(r.shards) then r.after
                        when f.fitting < f.size then f.last_fitting
                        when f.size = r.size then f.last
                        else coalesce((select v.seq
                                         from {message} v
                                        where v.seq > (select after from request)
                                          and v.seq <= (select up_to from request)
                                        order by v.seq desc
                                        limit 1), r.after) end as scanned_to,
                   f.fitting < f.size or f.size = r.size as is_full,
                   case when (select count(*) from taken) <> f.fitting and not h.any_key
                        then ('a row was changed while it was claimed by ' || r.relay)::int end as changed,
                   m.*
              from request r
             cross join owned o
             cross join found f
             cross join held h
              left join taken m on true
            """
            + PostgresSql.COMMIT;

    private PostgresFreeClaim() {}
}

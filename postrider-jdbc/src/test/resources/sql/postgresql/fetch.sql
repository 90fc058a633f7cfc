\set after '0'
\set all_topics 'true'
\set bytes '1000000'
\set ended '''{}'''
\set epochs '''{1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1}'''
\set in_flight '''{}'''
\set namespaces '''{default}'''
\set only 'false'
\set relay '''me'''
\set rows '1000'
\set size '100'
\set token '1'
\set topics '''{orders}'''
\set up_to '1000'

begin;
select length(set_config('enable_seqscan', 'off', true) || set_config('enable_bitmapscan', 'off', true)
              || set_config('enable_sort', 'off', true) || set_config('jit', 'off', true)
              || set_config('plan_cache_mode', 'force_generic_plan', true)
              || set_config('statement_timeout', '0', true)
              || set_config('idle_in_transaction_session_timeout', '0', true)
              || set_config('synchronous_commit', 'off', true));
with owned as materialized (
    select
     where exists (select from outbox_relay r where r.id = :relay and r.until > clock_timestamp())
       and not exists (select
                         from outbox_shard s
                        where (:epochs::bigint[])[s.shard + 1] >= 0
                          and (s.owner is distinct from :relay
                               or s.epoch <> (:epochs::bigint[])[s.shard + 1]))
), found as materialized (
    select array_agg(f.seq) filter (where f.fits) as seqs,
           array_agg(f.attempts) filter (where f.fits) as attempts,
           max(f.seq) filter (where f.fits) as last, count(*) filter (where f.fits) as size,
           count(*) = :size or not bool_and(f.fits) as is_cut
      from (select r.seq, r.attempts,
                   coalesce(octet_length(r.payload) + sum(octet_length(r.payload)) over earlier <= :bytes,
                            true) as fits
              from (select m.seq, m.shard, m.namespace, m.topic, m.status, m.attempts, m.claim_until,
                           m.due_at, m.payload
                      from outbox_message m
                     where exists (select from owned)
                       and m.seq > :after
                       and m.seq <= :up_to
                     order by m.seq
                     limit :rows) r
             where (:epochs::bigint[])[r.shard + 1] >= 0
               and r.due_at is null
               and (r.status = 0 or (r.status = 1 and r.claim_until < statement_timestamp()))
               and (:all_topics
                    or ((r.namespace, r.topic) in (select t.namespace, t.topic
                                                     from unnest(:namespaces::text[], :topics::text[])
                                                          as t (namespace, topic))) = :only)
               and r.seq not in (select unnest(:in_flight::bigint[]))
            window earlier as (order by r.seq rows between unbounded preceding and 1 preceding)
             order by r.seq
             limit :size) f
), taken as materialized (
    select f.seqs, f.attempts, coalesce(f.is_cut, false) as is_cut,
           case when f.last - :after = f.size then f.last else :after end as dense_to
      from found f
), looked as materialized (
    select t.dense_to - :after + v.size as seen, coalesce(v.last, t.dense_to) as scanned_to
      from taken t
     cross join lateral (select count(*) as size, max(v.seq) as last
                           from (select m.seq
                                   from outbox_message m
                                  where exists (select from owned)
                                    and m.seq > t.dense_to
                                    and m.seq <= case when t.is_cut then t.seqs[cardinality(t.seqs)]
                                                      else :up_to end
                                  order by m.seq
                                  limit :rows - (t.dense_to - :after)) v) v
), ended as (
    delete
      from outbox_claim c
     where c.token = any (:ended::bigint[])
       and c.relay = :relay
), journal as (
    insert into outbox_claim as c (token, relay, first_seq, last_seq, claimed_at, seqs, attempts)
    select :token, :relay, t.seqs[1], t.seqs[cardinality(t.seqs)], clock_timestamp(), t.seqs, t.attempts
      from taken t
     where cardinality(t.seqs) > 0
        on conflict (token) do update
       set first_seq = least(c.first_seq, excluded.first_seq),
           last_seq = greatest(c.last_seq, excluded.last_seq),
           seqs = excluded.seqs || c.seqs,
           attempts = excluded.attempts || c.attempts
)
select l.scanned_to, l.seen, t.is_cut or l.seen >= :rows or not exists (select from owned) as is_full,
       m.seq, m.id, m.namespace, m.topic, m.message_key, m.shard, m.type, m.version, m.tenant, m.dedupe_key,
       m.content_type, m.headers, m.content_hash, m.mac, m.mac_key, m.payload_key, m.max_attempts, m.attempts,
       m.lost_claims, m.on_trial, m.holds_key, m.due_at, m.payload
       , case when m.message_key is not null
               and exists (select
                             from outbox_message h
                            where h.holds_key
                            order by h.message_key, h.topic, h.namespace, h.seq
                            limit 1)
              then (select h.seq
                      from (select h.seq, h.message_key, h.topic, h.namespace
                              from outbox_message h
                             where h.holds_key
                               and (h.message_key, h.topic, h.namespace, h.seq)
                                   < (m.message_key, m.topic, m.namespace, m.seq)
                             order by h.message_key desc, h.topic desc, h.namespace desc, h.seq desc
                             limit 1) h
                     where (h.message_key, h.topic, h.namespace) = (m.message_key, m.topic, m.namespace))
              end as holder
  from taken t
 cross join looked l
  left join outbox_message m on m.seq = any (t.seqs)
 order by m.seq
;
commit;

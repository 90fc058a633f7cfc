\set after '0'
\set after_at '''-infinity'''
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
           array_agg(f.due_at) filter (where f.fits) as dues, count(*) filter (where f.fits) as size,
           count(*) = :size or not bool_and(f.fits) as is_cut
      from (select r.seq, r.due_at, r.attempts,
                   coalesce(octet_length(r.payload) + sum(octet_length(r.payload)) over earlier <= :bytes,
                            true) as fits
              from (select m.seq, m.shard, m.namespace, m.topic, m.status, m.attempts, m.claim_until,
                           m.due_at, m.payload
                      from outbox_message m
                     where exists (select from owned)
                       and m.due_at <= statement_timestamp()
                       and (m.due_at, m.seq) > (:after_at::timestamptz, :after)
                     order by m.due_at, m.seq
                     limit :rows) r
             where (:epochs::bigint[])[r.shard + 1] >= 0
               and (r.status = 0 or (r.status = 1 and r.claim_until < statement_timestamp()))
               and (:all_topics
                    or ((r.namespace, r.topic) in (select t.namespace, t.topic
                                                     from unnest(:namespaces::text[], :topics::text[])
                                                          as t (namespace, topic))) = :only)
               and r.seq not in (select unnest(:in_flight::bigint[]))
            window earlier as (order by r.due_at, r.seq rows between unbounded preceding and 1 preceding)
             order by r.due_at, r.seq
             limit :size) f
), taken as materialized (
    select f.seqs, f.attempts, coalesce(f.is_cut, false) as is_cut,
           f.dues[f.size::int] as last_at, f.seqs[f.size::int] as last
      from found f
), ended as (
    delete
      from outbox_claim c
     where c.token = any (:ended::bigint[])
       and c.relay = :relay
), journal as (
    insert into outbox_claim as c (token, relay, first_seq, last_seq, claimed_at, seqs, attempts)
    select :token, :relay, (select min(s) from unnest(t.seqs) s), (select max(s) from unnest(t.seqs) s),
           clock_timestamp(), t.seqs, t.attempts
      from taken t
     where cardinality(t.seqs) > 0
        on conflict (token) do update
       set first_seq = least(c.first_seq, excluded.first_seq),
           last_seq = greatest(c.last_seq, excluded.last_seq),
           seqs = excluded.seqs || c.seqs,
           attempts = excluded.attempts || c.attempts
)
select case when t.is_cut then t.last_at else n.due_at end as next_at,
       case when t.is_cut then t.last else n.seq end as next_seq,
       m.seq, m.id, m.namespace, m.topic, m.message_key, m.shard, m.type, m.version, m.tenant, m.dedupe_key,
       m.content_type, m.headers, m.content_hash, m.mac, m.mac_key, m.payload_key, m.max_attempts, m.attempts,
       m.lost_claims, m.on_trial, m.holds_key, m.due_at, m.payload
       , case when m.message_key is not null
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
  left join lateral (select e.due_at, e.seq
                       from outbox_message e
                      where exists (select from owned)
                        and not t.is_cut
                        and e.due_at <= statement_timestamp()
                        and (e.due_at, e.seq) > (:after_at::timestamptz, :after)
                      order by e.due_at, e.seq
                     offset :rows - 1
                      limit 1) n on true
  left join outbox_message m on m.seq = any (t.seqs)
 order by array_position(t.seqs, m.seq)
;
commit;

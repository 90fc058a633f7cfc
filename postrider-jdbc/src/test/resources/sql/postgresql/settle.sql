\set attempts '''{1}'''
\set delays '''{1000000}'''
\set dues '''{null}'''
\set epochs '''{1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1}'''
\set errors '''{refused}'''
\set failures '''{refused}'''
\set holders '''{1}'''
\set holding '''{true}'''
\set ids '''{00000000-0000-0000-0000-000000000001}'''
\set keys '''{customer-1}'''
\set most '100'
\set namespaces '''{default}'''
\set on_trial 'false'
\set outcomes '''{0}'''
\set relay '''me'''
\set relays '''{me}'''
\set seqs '''{2}'''
\set statuses '''{0}'''
\set tokens '''{1}'''
\set took '''{10}'''
\set topics '''{orders}'''

begin;
select length(set_config('enable_seqscan', 'off', true) || set_config('enable_bitmapscan', 'off', true)
              || set_config('enable_nestloop', 'off', true) || set_config('enable_mergejoin', 'off', true)
              || set_config('jit', 'off', true)
              || set_config('plan_cache_mode', 'force_generic_plan', true)
              || set_config('statement_timeout', '0', true)
              || set_config('lock_timeout', '200', true));
with fence as materialized (
    select r.id
      from outbox_relay r
     where r.id = :relay
       for key share
), owned as materialized (
    select array_agg(case when s.owner = :relay then s.epoch end order by s.shard) as epochs
      from outbox_shard s
     where exists (select from fence)
)
update outbox_message m
   set status = o.status,
       attempts = o.attempt,
       lost_claims = 0,
       on_trial = false,
       claim_token = null,
       holds_key = m.message_key is not null and o.holds_key,
       due_at = case when o.status = 0 then clock_timestamp() + o.delay * interval '1 microsecond' end,
       delivered_at = case when o.status = 2 then statement_timestamp() end,
       died_at = case when o.status = 3 then statement_timestamp() end,
       updated_at = statement_timestamp(),
       last_error = o.error,
       failure = o.failure
  from unnest(:seqs::bigint[], :attempts::int[], :dues::text[]::timestamptz[], :tokens::bigint[],
              :statuses::smallint[], :delays::bigint[], :holding::boolean[], :errors::text[], :failures::text[])
       as o (seq, attempt, due, token, status, delay, holds_key, error, failure)
 where m.seq = any (:seqs::bigint[])
   and m.seq = o.seq
   and ((m.attempts = o.attempt - 1
         and m.due_at is not distinct from o.due
         and (m.status = 0 or (m.status = 1 and m.claim_until < statement_timestamp()))
         and (select w.epochs from owned w)[m.shard + 1] = (:epochs::bigint[])[m.shard + 1])
        or (m.status = 1 and m.claim_token = o.token));

with fence as materialized (
    select r.id
      from outbox_relay r
     where r.id = :relay
       for key share
), owned as materialized (
    select array_agg(case when s.owner = :relay then s.epoch end order by s.shard) as epochs
      from outbox_shard s
     where exists (select from fence)
)
update outbox_message m
   set on_trial = :on_trial,
       status = case when :on_trial then m.status else 0 end,
       claim_token = case when :on_trial then m.claim_token end
  from unnest(:seqs::bigint[], :attempts::int[], :dues::text[]::timestamptz[], :tokens::bigint[])
       as o (seq, attempt, due, token)
 where m.seq = any (:seqs::bigint[])
   and m.seq = o.seq
   and ((m.attempts = o.attempt - 1
         and m.due_at is not distinct from o.due
         and (m.status = 0 or (m.status = 1 and m.claim_until < statement_timestamp()))
         and (select w.epochs from owned w)[m.shard + 1] = (:epochs::bigint[])[m.shard + 1])
        or (m.status = 1 and m.claim_token = o.token));

with fence as materialized (
    select r.id
      from outbox_relay r
     where r.id = :relay
       for key share
), owned as materialized (
    select array_agg(case when s.owner = :relay then s.epoch end order by s.shard) as epochs
      from outbox_shard s
     where exists (select from fence)
), holder as materialized (
    select h.seq
      from outbox_message h
     where exists (select from fence)
       and h.seq = any (:holders::bigint[])
       and h.holds_key::int = 1
     order by h.seq
       for share
)
update outbox_message m
   set status = 0, claim_token = null, due_at = 'infinity', holds_key = true,
       updated_at = statement_timestamp()
  from unnest(:seqs::bigint[], :attempts::int[], :dues::text[]::timestamptz[], :holders::bigint[])
       as o (seq, attempt, due, holder)
 where m.seq = any (:seqs::bigint[])
   and m.seq = o.seq
   and o.holder in (select h.seq from holder h)
   and m.attempts = o.attempt - 1
   and m.due_at is not distinct from o.due
   and (m.status = 0 or (m.status = 1 and m.claim_until < statement_timestamp()))
   and (select w.epochs from owned w)[m.shard + 1] = (:epochs::bigint[])[m.shard + 1];

with unlocked as materialized (
    select m.seq
      from outbox_message m
     where m.seq = any (array(
               select f.seq
                 from unnest(:namespaces::text[], :topics::text[], :keys::text[])
                      as k (namespace, topic, key)
                cross join lateral (select h.seq, bool_and(h.status = 0 and not isfinite(h.due_at))
                                                  over (order by h.message_key, h.topic, h.namespace, h.seq)
                                                  as waits
                                      from (select h.seq, h.message_key, h.topic, h.namespace, h.status,
                                                   h.due_at
                                              from outbox_message h
                                             where h.holds_key
                                               and (h.message_key, h.topic, h.namespace)
                                                   >= (k.key, k.topic, k.namespace)
                                             order by h.message_key, h.topic, h.namespace, h.seq
                                             limit :most) h
                                     where (h.message_key, h.topic, h.namespace)
                                           = (k.key, k.topic, k.namespace)) f
                where f.waits))
       and m.status = 0
       and not isfinite(m.due_at)
       for no key update skip locked
)
update outbox_message m
   set due_at = statement_timestamp(), updated_at = statement_timestamp()
 where m.seq = any (array(select u.seq from unlocked u));

insert into outbox_attempt (seq, token, message_id, attempt, relay, outcome, took_ms, failure, error)
select o.seq, o.token, o.message_id, o.attempt, o.relay, o.outcome, o.took_ms, o.failure, o.error
  from unnest(:seqs::bigint[], :tokens::bigint[], :ids::uuid[], :attempts::int[], :relays::text[],
              :outcomes::smallint[], :took::bigint[], :failures::text[], :errors::text[])
       as o (seq, token, message_id, attempt, relay, outcome, took_ms, failure, error)
    on conflict do nothing;

delete
  from outbox_attempt a
 using (select s.seq, s.token,
               row_number() over (partition by s.seq order by s.ended_at desc, s.attempt desc) as place
          from outbox_attempt s
         where s.seq = any (:seqs::bigint[])) old
 where a.seq = any (:seqs::bigint[])
   and a.seq = old.seq
   and a.token = old.token
   and old.place > 50;
commit;

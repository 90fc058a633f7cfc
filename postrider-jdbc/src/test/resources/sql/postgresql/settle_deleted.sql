\set attempts '''{1}'''
\set dues '''{null}'''
\set epochs '''{1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1}'''
\set relay '''me'''
\set seqs '''{2}'''
\set tokens '''{1}'''

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
delete
  from outbox_message m
 using unnest(:seqs::bigint[], :attempts::int[], :dues::text[]::timestamptz[], :tokens::bigint[])
       as o (seq, attempt, due, token)
 where m.seq = any (:seqs::bigint[])
   and m.seq = o.seq
   and ((m.attempts = o.attempt - 1
         and m.due_at is not distinct from o.due
         and (m.status = 0 or (m.status = 1 and m.claim_until < statement_timestamp()))
         and (select w.epochs from owned w)[m.shard + 1] = (:epochs::bigint[])[m.shard + 1])
        or (m.status = 1 and m.claim_token = o.token));
commit;

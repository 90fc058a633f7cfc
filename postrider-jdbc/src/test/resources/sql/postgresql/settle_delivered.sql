\set attempt '1'
\set epochs '''{1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1}'''
\set relay '''me'''
\set seqs '''{2}'''

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
   set status = 2, attempts = :attempt, lost_claims = 0, on_trial = false, claim_token = null,
       holds_key = false, due_at = null, delivered_at = statement_timestamp(), died_at = null,
       updated_at = statement_timestamp(), last_error = null, failure = null
 where m.seq = any (:seqs::bigint[])
   and m.attempts = :attempt - 1
   and m.due_at is null
   and (m.status = 0 or (m.status = 1 and m.claim_until < statement_timestamp()))
   and (select o.epochs from owned o)[m.shard + 1] = (:epochs::bigint[])[m.shard + 1];
commit;

\set error '''expired'''
\set max_attempts '5'
\set micros '60000000'
\set namespace 'null'
\set owner '''me'''
\set size '100'
\set token '1'

begin;
select length(set_config('enable_seqscan', 'off', true) || set_config('enable_bitmapscan', 'off', true)
              || set_config('enable_nestloop', 'off', true) || set_config('enable_mergejoin', 'off', true)
              || set_config('jit', 'off', true)
              || set_config('plan_cache_mode', 'force_generic_plan', true)
              || set_config('statement_timeout', '0', true));
with locked as materialized (
    select m.seq, m.attempts >= coalesce(m.max_attempts, :max_attempts) as is_exhausted
      from outbox_message m
     where m.namespace = coalesce(:namespace::text, m.namespace)
       and ((m.status = 0
             and (m.due_at is null or m.due_at <= statement_timestamp())
             and m.attempts < coalesce(m.max_attempts, :max_attempts)
             and (m.seq, m.attempts) not in (select f.seq, f.attempts
                                               from outbox_claim c
                                               join outbox_relay r on r.id = c.relay
                                              cross join unnest(c.seqs, c.attempts) as f (seq, attempts)
                                              where r.until > statement_timestamp()))
            or (m.status = 1 and m.claim_until < statement_timestamp()))
     order by m.seq
     limit :size
       for update of m skip locked
), died as (
    update outbox_message m
       set status = 3, died_at = statement_timestamp(), due_at = null, claim_token = null,
           last_error = :error, failure = :error, updated_at = statement_timestamp()
     where m.seq = any (array(select l.seq from locked l where l.is_exhausted))
), taken as (
    update outbox_message m
       set status = 1, attempts = m.attempts + 1,
           lost_claims = m.lost_claims + case when m.status = 1 then 1 else 0 end,
           claim_token = :token, claim_epoch = null, claimed_by = :owner,
           claim_until = clock_timestamp() + :micros * interval '1 microsecond',
           updated_at = statement_timestamp()
     where m.seq = any (array(select l.seq from locked l where not l.is_exhausted))
    returning
          m.seq, m.id, m.namespace, m.topic, m.message_key, m.shard, m.type, m.version, m.tenant, m.dedupe_key,
          m.content_type, m.headers, m.content_hash, m.mac, m.mac_key, m.payload_key, m.max_attempts, m.attempts,
          m.lost_claims, m.on_trial, m.holds_key, m.due_at, m.payload
)
select m.*
  from taken m
 order by m.seq
;
commit;

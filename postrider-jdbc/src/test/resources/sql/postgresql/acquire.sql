\set relay '''me'''
\set shards '''{0}'''

begin;
select length(set_config('enable_seqscan', 'off', true) || set_config('enable_bitmapscan', 'off', true)
              || set_config('enable_nestloop', 'off', true) || set_config('enable_mergejoin', 'off', true)
              || set_config('jit', 'off', true)
              || set_config('plan_cache_mode', 'force_generic_plan', true)
              || set_config('statement_timeout', '0', true));
select from outbox_relay r where r.until <= now() and r.id <> :relay order by r.id for update;
select from outbox_shard s where s.shard = any (:shards::int[]) order by s.shard for update;
delete from outbox_relay r where r.until <= now() and r.id <> :relay;
with taken as (
    update outbox_shard s
       set owner = :relay, epoch = s.epoch + 1
      from outbox_shard p
     where s.shard = any (:shards::int[])
       and p.shard = s.shard
       and not exists (select from outbox_relay r where r.id = s.owner and r.until > now())
       and exists (select from outbox_relay r where r.id = :relay and r.until > clock_timestamp())
    returning s.shard, s.epoch, s.low_seq, p.owner as last_owner
), journaled as materialized (
    select f.seq, f.attempts, c.relay
      from outbox_claim c
     cross join unnest(c.seqs, c.attempts) as f (seq, attempts)
     where c.relay in (select t.last_owner from taken t)
), locked as materialized (
    select m.seq, m.shard, m.attempts
      from outbox_message m
     where m.seq = any (array(select j.seq from journaled j))
       and m.status = 0
       and (m.due_at is null or m.due_at <= now())
     order by m.seq
       for no key update skip locked
), lost as (
    update outbox_message m
       set lost_claims = m.lost_claims + 1
     where m.seq = any (array(select l.seq
                                from locked l
                                join journaled j on j.seq = l.seq and j.attempts = l.attempts
                                join taken t on t.shard = l.shard and t.last_owner = j.relay))
    returning m.seq
), forgotten as (
    delete
      from outbox_claim c
     where not exists (select from outbox_relay r where r.id = c.relay)
       and not exists (select
                         from outbox_shard s
                        where s.owner = c.relay
                          and s.shard not in (select t.shard from taken t))
)
select t.shard, t.epoch, t.low_seq, (select count(*) from lost) as lost_claims
  from taken t
;
commit;

\set after '0'
\set most '100'
\set shards '''{0}'''

begin;
select length(set_config('enable_seqscan', 'off', true) || set_config('enable_bitmapscan', 'off', true)
              || set_config('enable_sort', 'off', true) || set_config('jit', 'off', true)
              || set_config('plan_cache_mode', 'force_generic_plan', true)
              || set_config('statement_timeout', '0', true));
with page as materialized (
    select m.seq, m.shard, m.message_key, m.topic, m.namespace
      from outbox_message m
     where m.due_at is not null
       and (m.due_at, m.seq) > ('infinity'::timestamptz, :after)
     order by m.due_at, m.seq
     limit :most
), stranded as materialized (
    select p.seq
      from page p
     where p.shard = any (:shards::int[])
       and p.seq = (select h.seq
                      from (select h.seq, h.message_key, h.topic, h.namespace
                              from outbox_message h
                             where h.holds_key
                               and (h.message_key, h.topic, h.namespace)
                                   >= (p.message_key, p.topic, p.namespace)
                             order by h.message_key, h.topic, h.namespace, h.seq
                             limit 1) h
                     where (h.message_key, h.topic, h.namespace) = (p.message_key, p.topic, p.namespace))
), unlocked as materialized (
    select m.seq
      from outbox_message m
     where m.seq = any (array(select s.seq from stranded s))
       and m.status = 0
       and not isfinite(m.due_at)
       for no key update skip locked
), freed as (
    update outbox_message m
       set due_at = clock_timestamp(), updated_at = clock_timestamp()
     where m.seq = any (array(select u.seq from unlocked u))
    returning m.seq
)
select (select count(*) from freed) as messages,
       (select count(*) from page) as looked_at,
       (select max(p.seq) from page p) as last;
commit;

\set seqs '''{2}'''

begin;
select length(set_config('enable_seqscan', 'off', true) || set_config('enable_bitmapscan', 'off', true)
              || set_config('enable_sort', 'off', true) || set_config('jit', 'off', true)
              || set_config('plan_cache_mode', 'force_generic_plan', true)
              || set_config('statement_timeout', '0', true));
with free as materialized (
    select m.seq
      from outbox_message m
     where m.seq = any (:seqs::bigint[])
     order by m.seq
       for no key update skip locked
)
select m.seq
  from outbox_message m
 where m.seq = any (:seqs::bigint[])
   and m.seq not in (select f.seq from free f)
;
commit;

\set afters '''{0}'''
\set all_topics 'true'
\set most '100'
\set namespaces '''{default}'''
\set only 'false'
\set shards '''{0}'''
\set topics '''{orders}'''
\set up_tos '''{1000}'''

begin;
select length(set_config('enable_seqscan', 'off', true) || set_config('enable_bitmapscan', 'off', true)
              || set_config('enable_sort', 'off', true) || set_config('jit', 'off', true)
              || set_config('plan_cache_mode', 'force_generic_plan', true)
              || set_config('statement_timeout', '0', true));
select m.seq
  from unnest(:afters::bigint[], :up_tos::bigint[]) as h (after, up_to)
 cross join lateral (select n.seq
                       from outbox_message n
                      where n.seq > h.after
                        and n.seq <= h.up_to
                        and n.status = 0
                        and n.due_at is null
                        and n.shard = any (:shards::int[])
                        and (:all_topics
                             or ((n.namespace, n.topic) in (select t.namespace, t.topic
                                                              from unnest(:namespaces::text[],
                                                                          :topics::text[])
                                                                   as t (namespace, topic))) = :only)
                      order by n.seq) m
 limit :most
;
commit;

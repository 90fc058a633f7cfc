-- The in-flight journal: what each relay has fetched and not settled yet, one row for each fetch. It fences nothing. seqs
-- lists each message with the attempts its row had, as in ,17:0,18:2, and a message is in flight while it is PENDING with
-- these attempts.
create table if not exists {claim} (
    token      bigint                      not null primary key,
    relay      varchar                     not null,
    first_seq  bigint                      not null,
    last_seq   bigint                      not null,
    claimed_at timestamp(6) with time zone not null default current_timestamp,
    seqs       varchar                     not null
);

create index if not exists {prefix}claim_last on {claim} (last_seq);

-- As before, for people; the journal shows what is in flight.
create or replace view {message_view} as
select m.seq,
       m.id,
       m.namespace,
       m.topic,
       m.message_key,
       m.shard,
       m.type,
       m.version,
       m.tenant,
       m.dedupe_key,
       case case when c.token is null then m.status else 1 end when 0 then 'PENDING' when 1 then 'CLAIMED' when 2 then 'DELIVERED' else 'DEAD' end as status,
       m.attempts + case when c.token is null then 0 else 1 end as attempts,
       m.max_attempts,
       m.holds_key,
       m.due_at,
       coalesce(c.relay, m.claimed_by) as claimed_by,
       coalesce(r.until, case when m.status = 1 then m.claim_until end) as claim_until,
       m.created_at,
       coalesce(c.claimed_at, m.updated_at) as updated_at,
       m.delivered_at,
       m.died_at,
       m.last_error,
       m.failure,
       m.headers,
       m.content_type,
       m.mac_key,
       m.payload_key,
       octet_length(m.payload) as payload_bytes,
       case when m.payload_key is null and lower(m.content_type) like '%json%' then utf8tostring(m.payload) end as payload_text
  from {message} m
  left join {claim} c on c.token = (select j.token
                                      from {claim} j
                                      join {relay} a on a.id = j.relay
                                     where m.status = 0
                                       and (m.due_at is null or m.due_at <= current_timestamp)
                                       and j.first_seq <= m.seq
                                       and j.last_seq >= m.seq
                                       and locate(concat(',', m.seq, ':', m.attempts, ','), j.seqs) > 0
                                     order by j.claimed_at desc
                                     limit 1)
  left join {relay} r on r.id = c.relay;

insert into {schema_version} (version) values (5);

-- The in-flight journal: what each relay has fetched and not settled yet, one row for each fetch. It fences nothing. seqs
-- lists each message with the attempts its row had, as in ,17:0,18:2, and a message is in flight while it is PENDING with
-- these attempts.
create table if not exists {claim} (
    token      bigint       not null primary key,
    relay      varchar(200) not null,
    first_seq  bigint       not null,
    last_seq   bigint       not null,
    claimed_at datetime(6)  not null default (utc_timestamp(6)),
    seqs       mediumtext   not null,
    index {prefix}claim_last (last_seq)
) engine = InnoDB default charset = utf8mb4 collate = utf8mb4_0900_bin;

-- As before, for people; the journal shows what is in flight.
create or replace view {message_view} as
select m.seq,
       bin_to_uuid(m.id) as id,
       m.namespace,
       m.topic,
       m.message_key,
       m.shard,
       m.type,
       m.version,
       m.tenant,
       m.dedupe_key,
       elt(case when c.token is null then m.status else 1 end + 1, 'PENDING', 'CLAIMED', 'DELIVERED', 'DEAD') as status,
       m.attempts + case when c.token is null then 0 else 1 end as attempts,
       m.max_attempts,
       m.holds_key,
       m.due_at,
       coalesce(c.relay, m.claimed_by) as claimed_by,
       coalesce(r.until, case when m.status = 1 then m.claim_until end) as claim_until,
       m.created_at,
       coalesce(c.claimed_at, m.updated_at) as updated_at,
       case when m.status = 2 then m.delivered_at end as delivered_at,
       m.died_at,
       m.last_error,
       m.failure,
       m.headers,
       m.content_type,
       m.mac_key,
       m.payload_key,
       length(m.payload) as payload_bytes,
       case when m.payload_key is null and lower(m.content_type) like '%json%' then convert(m.payload using utf8mb4) end as payload_text
  from {message} m
  left join {claim} c on c.token = (select j.token
                                      from {claim} j
                                      join {relay} a on a.id = j.relay
                                     where m.status = 0
                                       and (m.due_at is null or m.due_at <= utc_timestamp(6))
                                       and j.first_seq <= m.seq
                                       and j.last_seq >= m.seq
                                       and locate(concat(',', m.seq, ':', m.attempts, ','), j.seqs) > 0
                                     order by j.claimed_at desc
                                     limit 1)
  left join {relay} r on r.id = c.relay;

insert into {schema_version} (version) values (5);

drop view {message_view};

drop table {claim};

-- The in-flight journal: what each relay has fetched and not settled yet, one row for each fetch. It fences nothing. seqs
-- and attempts are parallel: a row of the outbox is in flight while it is PENDING with the attempts that are listed here.
-- A row is not stored apart as long as it fits into a page. The table keeps its size, because to give pages back the
-- server would lock it.
create table {claim} (
    token      bigint      not null primary key,
    relay      text        collate "C" not null,
    first_seq  bigint      not null,
    last_seq   bigint      not null,
    claimed_at timestamptz not null,
    seqs       bigint[]    not null,
    attempts   integer[]   not null
) with (toast_tuple_target = 8160, vacuum_truncate = false);

create index {prefix}claim_last on {claim} (last_seq);

-- As before, for people; what is in flight is shown by the journal. payload_text is null unless the payload is called JSON
-- and is valid UTF-8 without NUL: the pattern is the grammar of UTF-8 in hexadecimal, because a failed conversion would
-- fail the whole query.
create view {message_view} as
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
       (array['PENDING', 'CLAIMED', 'DELIVERED', 'DEAD'])[case when c.relay is null then m.status else 1 end + 1] as status,
       m.attempts + case when c.relay is null then 0 else 1 end as attempts,
       m.max_attempts,
       m.holds_key,
       m.due_at,
       coalesce(c.relay, m.claimed_by) as claimed_by,
       coalesce(c.until, m.claim_until) as claim_until,
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
       case
           when m.payload_key is null
            and m.content_type ~* '^[a-z]+/([a-z0-9.-]+[+])?json($|[ ;])'
            and getdatabaseencoding() = 'UTF8'
            and encode(m.payload, 'hex') ~ '^(?:0[1-9a-f]|[1-7][0-9a-f]|(?:c[2-9a-f]|d[0-9a-f])[89ab][0-9a-f]|(?:e0[ab]|e[1-9abcef][89ab]|ed[89])[0-9a-f][89ab][0-9a-f]|(?:f0[9ab]|f[123][89ab]|f48)[0-9a-f](?:[89ab][0-9a-f]){2})*$'
           then convert_from(m.payload, 'UTF8')
       end as payload_text
  from {message} m
  left join lateral (select c.relay, c.claimed_at, r.until
                       from {claim} c
                       join {relay} r on r.id = c.relay
                      where m.status = 0
                        and (m.due_at is null or m.due_at <= clock_timestamp())
                        and c.first_seq <= m.seq
                        and c.last_seq >= m.seq
                        and c.attempts[array_position(c.seqs, m.seq)] = m.attempts
                      order by c.claimed_at desc
                      limit 1) c on true;

insert into {schema_version} (version) values (5);

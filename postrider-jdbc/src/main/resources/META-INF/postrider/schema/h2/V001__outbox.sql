create table if not exists {schema_version} (
    version    integer                     not null primary key,
    applied_at timestamp(6) with time zone not null default current_timestamp
);

create table if not exists {message} (
    seq          bigint                      not null generated always as identity primary key,
    id           uuid                        not null,
    namespace    varchar                     not null default 'default',
    topic        varchar                     not null,
    message_key  varchar,
    -- CRC-32 of message_key in UTF-8, or of the text of id if there is no key, modulo 64
    shard        smallint                    not null check (shard between 0 and 63),
    type         varchar                     not null,
    version      integer                     not null default 1,
    tenant       varchar,
    dedupe_key   varchar,
    content_type varchar                     not null default 'application/json',
    -- a flat JSON object of strings
    headers      varchar                     check (headers is json object),
    -- SHA-256 of dedupe_key|type|payload, without a default: whoever writes the row knows what it should say
    content_hash varbinary(32)               not null check (octet_length(content_hash) = 32),
    -- HMAC of the row and the id of its key; the id of the key the payload is encrypted with
    mac          varbinary(32),
    mac_key      varchar,
    payload_key  varchar,
    max_attempts integer,
    created_at   timestamp(6) with time zone not null default current_timestamp,
    -- 0 PENDING, 1 CLAIMED, 2 DELIVERED, 3 DEAD
    status       smallint                    not null default 0 check (status between 0 and 3),
    attempts     integer                     not null default 0,
    lost_claims  smallint                    not null default 0,
    on_trial     boolean                     not null default false,
    holds_key    boolean                     not null default false,
    -- the last claim, with the largest number for the epoch if it is of no shard
    claim_token  bigint                      not null default 0,
    claim_epoch  bigint                      not null default 0,
    claim_until  timestamp(6) with time zone not null default timestamp with time zone '1970-01-01 00:00:00+00',
    -- of a claim of no shard; any other is by the owner of the shard
    claimed_by   varchar,
    -- null: at once; the end of the year 9999: when the message ahead of it is settled
    due_at       timestamp(6) with time zone,
    delivered_at timestamp(6) with time zone,
    died_at      timestamp(6) with time zone,
    updated_at   timestamp(6) with time zone not null default current_timestamp,
    last_error   varchar,
    -- what the last error has in common with others of its kind: class and first frame, or its text without numbers
    failure      varchar,
    held_key     varchar                     generated always as (case when holds_key then message_key end),
    -- 16 MiB, and what encryption adds
    payload      varbinary(16777244)         not null
);

create unique index if not exists {prefix}message_id on {message} (id);

create unique index if not exists {prefix}message_dedupe on {message} (namespace, topic, dedupe_key);

create index if not exists {prefix}message_due on {message} (due_at, seq);

create index if not exists {prefix}message_holder on {message} (held_key, topic, namespace, seq);

create index if not exists {prefix}message_dead on {message} (died_at, seq);

create table if not exists {shard} (
    shard   smallint not null primary key,
    owner   varchar,
    epoch   bigint   not null default 0,
    low_seq bigint   not null default 0
);

insert into {shard} (shard) select x from system_range(0, 63) where not exists (select 1 from {shard});

create table if not exists {relay} (
    id        varchar                     not null primary key,
    joined_at timestamp(6) with time zone not null default current_timestamp,
    until     timestamp(6) with time zone not null
);

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
       case m.status when 0 then 'PENDING' when 1 then 'CLAIMED' when 2 then 'DELIVERED' else 'DEAD' end as status,
       m.attempts,
       m.max_attempts,
       m.holds_key,
       m.due_at,
       case when m.claim_epoch = 9223372036854775807 then m.claimed_by
            else (select s.owner
                    from {shard} s
                   where m.status = 1 and s.shard = m.shard and s.epoch = m.claim_epoch) end as claimed_by,
       case when m.status = 1 then m.claim_until end as claim_until,
       m.created_at,
       m.updated_at,
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
  from {message} m;

insert into {schema_version} (version) values (1);

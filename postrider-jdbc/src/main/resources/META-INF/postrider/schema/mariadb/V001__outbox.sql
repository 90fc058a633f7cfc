create table if not exists {schema_version} (
    version    int         not null primary key,
    applied_at datetime(6) not null default (utc_timestamp(6))
) engine = InnoDB;

create table if not exists {message} (
    seq          bigint       not null auto_increment primary key,
    id           binary(16)   not null,
    namespace    varchar(200) not null default 'default',
    topic        varchar(200) not null,
    message_key  varchar(250),
    -- CRC-32 of message_key in UTF-8, or of the text of id if there is no key, modulo 64
    shard        smallint     not null check (shard between 0 and 63),
    type         varchar(200) not null,
    version      int          not null default 1,
    tenant       varchar(200),
    dedupe_key   varchar(250),
    content_type varchar(200) not null default 'application/json',
    -- a flat JSON object of strings
    headers      mediumtext   check (json_type(headers) = 'OBJECT'),
    -- SHA-256 of dedupe_key|type|payload, without a default: whoever writes the row knows what it should say
    content_hash binary(32)   not null,
    -- HMAC of the row and the id of its key; the id of the key the payload is encrypted with
    mac          binary(32),
    mac_key      varchar(100),
    payload_key  varchar(100),
    max_attempts int,
    created_at   datetime(6)  not null default (utc_timestamp(6)),
    -- 0 PENDING, 1 CLAIMED, 2 DELIVERED, 3 DEAD
    status       smallint     not null default 0 check (status between 0 and 3),
    attempts     int          not null default 0,
    lost_claims  smallint     not null default 0,
    on_trial     boolean      not null default false,
    holds_key    boolean      not null default false,
    -- the last claim, with the largest number for the epoch if it is of no shard; never null, as the time of delivery:
    -- a change that makes no row longer or shorter stays in its place
    claim_token  bigint       not null default 0,
    claim_epoch  bigint       not null default 0,
    claim_until  datetime(6)  not null default '1970-01-01',
    -- of a claim of no shard; any other is by the owner of the shard
    claimed_by   varchar(200),
    -- null: at once; the end of the year 9999: when the message ahead of it is settled
    due_at       datetime(6),
    -- the end of the year 9999: not yet
    delivered_at datetime(6)  not null default '9999-12-31',
    died_at      datetime(6),
    updated_at   datetime(6)  not null default (utc_timestamp(6)),
    last_error   text,
    -- what the last error has in common with others of its kind: class and first frame, or its text without numbers
    failure      varchar(500),
    held_key     varchar(250) generated always as (if(holds_key, message_key, null)) virtual,
    payload      longblob     not null,
    unique index {prefix}message_id (id),
    unique index {prefix}message_dedupe (namespace, topic, dedupe_key),
    index {prefix}message_due (due_at, seq),
    index {prefix}message_holder (held_key, topic, namespace, seq),
    index {prefix}message_dead (died_at, seq)
) engine = InnoDB row_format = dynamic default charset = utf8mb4 collate = utf8mb4_nopad_bin;

create table if not exists {shard} (
    shard   smallint     not null primary key,
    owner   varchar(200),
    epoch   bigint       not null default 0,
    low_seq bigint       not null default 0
) engine = InnoDB default charset = utf8mb4 collate = utf8mb4_nopad_bin;

insert ignore into {shard} (shard)
with recursive shards as (select 0 as shard union all select shard + 1 from shards where shard < 63)
select shard from shards;

create table if not exists {relay} (
    id        varchar(200) not null primary key,
    joined_at datetime(6)  not null default (utc_timestamp(6)),
    until     datetime(6)  not null
) engine = InnoDB default charset = utf8mb4 collate = utf8mb4_nopad_bin;

create or replace view {message_view} as
select m.seq,
       cast(m.id as uuid) as id,
       m.namespace,
       m.topic,
       m.message_key,
       m.shard,
       m.type,
       m.version,
       m.tenant,
       m.dedupe_key,
       elt(m.status + 1, 'PENDING', 'CLAIMED', 'DELIVERED', 'DEAD') as status,
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
  from {message} m;

insert into {schema_version} (version) values (1);

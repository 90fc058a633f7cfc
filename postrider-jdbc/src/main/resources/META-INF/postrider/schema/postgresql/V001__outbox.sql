create table if not exists {schema_version} (
    version    integer     not null primary key,
    applied_at timestamptz not null default clock_timestamp()
);

-- The order of the columns is about the log, for which an update writes everything between the first and the last byte it
-- changes. What never changes comes first; from status to failure stands what does, first what a delivery changes, then
-- what only a claim does; the payload comes last. No index holds status, attempts or a claim column: happy-path updates
-- stay HOT, and a page has room for three versions of its rows, also while a long transaction keeps the old ones alive.
-- There is no CHECK: the server would read its text anew for every INSERT, which costs as much as an index.
create table {message} (
    seq          bigint      not null generated always as identity primary key,
    created_at   timestamptz not null default statement_timestamp(),
    id           uuid        not null,
    version      integer     not null default 1,
    -- CRC-32 of message_key in UTF-8, or of the text of id if there is no key, modulo 64
    shard        smallint    not null,
    namespace    text        collate "C" not null default 'default',
    topic        text        collate "C" not null,
    message_key  text        collate "C",
    type         text        collate "C" not null,
    tenant       text        collate "C",
    dedupe_key   text        collate "C",
    content_type text        collate "C" not null default 'application/json',
    -- a flat JSON object of strings
    headers      text,
    -- SHA-256 of dedupe_key|type|payload, without a default: whoever writes the row knows what it should say
    content_hash bytea       not null,
    -- HMAC of the row and the id of its key; the id of the key the payload is encrypted with
    mac          bytea,
    mac_key      text        collate "C",
    payload_key  text        collate "C",
    max_attempts integer,
    -- 0 PENDING, 1 CLAIMED, 2 DELIVERED, 3 DEAD
    status       smallint    not null default 0,
    lost_claims  smallint    not null default 0,
    attempts     integer     not null default 0,
    claim_token  bigint,
    delivered_at timestamptz,
    updated_at   timestamptz not null default statement_timestamp(),
    claim_epoch  bigint,
    claim_until  timestamptz,
    -- null: at once; infinity: when the message ahead of it is settled
    due_at       timestamptz,
    died_at      timestamptz,
    on_trial     boolean     not null default false,
    holds_key    boolean     not null default false,
    claimed_by   text        collate "C",
    last_error   text,
    -- what the last error has in common with others of its kind: class and first frame, or its text without numbers
    failure      text        collate "C",
    payload      bytea       not null
) with (fillfactor = 30);

create unique index {prefix}message_id on {message} (id);

create unique index {prefix}message_dedupe on {message} (namespace, topic, dedupe_key) where dedupe_key is not null;

create index {prefix}message_due on {message} (due_at, seq) where due_at is not null;

create index {prefix}message_holder on {message} (message_key, topic, namespace, seq) where holds_key;

create index {prefix}message_dead on {message} (died_at, seq) where died_at is not null;

create table {shard} (
    shard   smallint not null primary key,
    owner   text     collate "C",
    epoch   bigint   not null default 0,
    low_seq bigint   not null default 0
) with (fillfactor = 50);

insert into {shard} (shard) select generate_series(0, 63);

create table {relay} (
    id        text        collate "C" not null primary key,
    joined_at timestamptz not null default clock_timestamp(),
    until     timestamptz not null
) with (fillfactor = 50);

-- Claims that are not written into their rows: usually all of a claim is delivered, and one row here says what would else be
-- said in every row of it. epochs has one element for each shard, -1 for those that do not belong to the claim. Found by
-- token, or by the sequences they are about. A row is not stored apart as long as it fits into a page, and the table keeps
-- its size, because to give pages back the server would lock it.
create table {claim} (
    token      bigint      not null primary key,
    first_seq  bigint      not null,
    last_seq   bigint      not null,
    claimed_at timestamptz not null,
    until      timestamptz not null,
    relay      text        collate "C" not null,
    epochs     bigint[]    not null,
    seqs       bigint[]    not null
) with (toast_tuple_target = 8160, vacuum_truncate = false);

create index {prefix}claim_last on {claim} (last_seq);

-- For people. payload_text is null unless the payload is called JSON and is valid UTF-8 without NUL: the pattern is the
-- grammar of UTF-8 in hexadecimal, because a failed conversion would fail the whole query.
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
       (array['PENDING', 'CLAIMED', 'DELIVERED', 'DEAD'])[case when c.token is null then m.status else 1 end + 1] as status,
       m.attempts + case when c.token is null then 0 else 1 end as attempts,
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
  left join lateral (select c.token, c.relay, c.claimed_at, c.until
                       from {claim} c
                      where m.status = 0
                        and m.due_at is null
                        and c.first_seq <= m.seq
                        and c.last_seq >= m.seq
                        and c.last_seq <= m.seq + 65536
                        and m.seq = any (c.seqs)
                      order by c.claimed_at desc
                      limit 1) c on true;

insert into {schema_version} (version) values (1);

create table if not exists {schema_version} (
    version    integer     not null primary key,
    applied_at timestamptz not null default clock_timestamp()
);

-- One row for each message that a consumer has handled, written in the transaction of its handler.
create table {message} (
    consumer     varchar(100) collate "C" not null,
    message_id   varchar(100) collate "C" not null,
    processed_at timestamptz not null,
    source       varchar(200),
    primary key (consumer, message_id)
);

create index {prefix}message_age on {message} (processed_at);

-- The highest sequence that a consumer has handled of a key, for inboxes that go by sequences.
create table {position} (
    consumer    varchar(100) collate "C" not null,
    topic       varchar(255) collate "C" not null,
    message_key varchar(250) collate "C" not null,
    last_seq    bigint not null,
    updated_at  timestamptz not null,
    primary key (consumer, topic, message_key)
);

-- Messages that failed, and those that are put aside with their payload until somebody decides.
create table {failure} (
    place       bigint not null generated always as identity unique,
    consumer    varchar(100) collate "C" not null,
    message_id  varchar(100) collate "C" not null,
    topic       varchar(255) collate "C",
    message_key varchar(250) collate "C",
    seq         bigint,
    type        varchar(250) collate "C",
    -- FAILING, PARKED, BEHIND, RELEASED, DISCARDED
    state       varchar(10) collate "C" not null,
    -- FAILED, BEHIND, NO_ID, INVALID_ID, BEYOND_HORIZON; null while FAILING
    reason      varchar(20) collate "C",
    attempts    integer not null,
    created_at  timestamptz not null,
    updated_at  timestamptz not null,
    error       varchar(500),
    source      varchar(200),
    -- a flat JSON object of strings
    headers     text,
    payload     bytea,
    primary key (consumer, message_id)
);

create index {prefix}failure_key on {failure} (consumer, topic, message_key);

-- Who released or discarded a message, and why.
create table {audit} (
    entry      bigint not null generated always as identity primary key,
    created_at timestamptz not null default clock_timestamp(),
    actor      text not null,
    action     varchar(20) collate "C" not null,
    reason     text not null,
    consumer   varchar(100) collate "C" not null,
    message_id varchar(100) collate "C" not null
);

insert into {schema_version} (version) values (1);

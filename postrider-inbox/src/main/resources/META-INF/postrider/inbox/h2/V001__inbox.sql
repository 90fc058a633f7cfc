create table if not exists {schema_version} (
    version    integer                     not null primary key,
    applied_at timestamp(6) with time zone not null default current_timestamp
);

-- One row for each message that a consumer has handled, written in the transaction of its handler.
create table if not exists {message} (
    consumer     varchar(100) not null,
    message_id   varchar(100) not null,
    processed_at timestamp(6) with time zone not null,
    source       varchar(200),
    primary key (consumer, message_id)
);

create index if not exists {prefix}message_age on {message} (processed_at);

-- The highest sequence that a consumer has handled of a key, for inboxes that go by sequences.
create table if not exists {position} (
    consumer    varchar(100) not null,
    topic       varchar(255) not null,
    message_key varchar(250) not null,
    last_seq    bigint not null,
    updated_at  timestamp(6) with time zone not null,
    primary key (consumer, topic, message_key)
);

-- Messages that failed, and those that are put aside with their payload until somebody decides.
create table if not exists {failure} (
    place       bigint not null generated always as identity unique,
    consumer    varchar(100) not null,
    message_id  varchar(100) not null,
    topic       varchar(255),
    message_key varchar(250),
    seq         bigint,
    type        varchar(250),
    -- FAILING, PARKED, BEHIND, RELEASED, DISCARDED
    state       varchar(10) not null,
    -- FAILED, BEHIND, NO_ID, INVALID_ID, BEYOND_HORIZON; null while FAILING
    reason      varchar(20),
    attempts    integer not null,
    created_at  timestamp(6) with time zone not null,
    updated_at  timestamp(6) with time zone not null,
    error       varchar(500),
    source      varchar(200),
    -- a flat JSON object of strings
    headers     varchar,
    payload     varbinary,
    primary key (consumer, message_id)
);

create index if not exists {prefix}failure_key on {failure} (consumer, topic, message_key);

-- Who released or discarded a message, and why.
create table if not exists {audit} (
    entry      bigint not null generated always as identity primary key,
    created_at timestamp(6) with time zone not null default current_timestamp,
    actor      varchar not null,
    action     varchar(20) not null,
    reason     varchar not null,
    consumer   varchar(100) not null,
    message_id varchar(100) not null
);

insert into {schema_version} (version) values (1);

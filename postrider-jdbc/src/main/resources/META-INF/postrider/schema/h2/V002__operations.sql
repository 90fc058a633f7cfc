-- Attempts that did not succeed: one row for each claim that ended that way. A delivery at once leaves none.
create table if not exists {attempt} (
    seq         bigint not null,
    token       bigint not null,
    message_id  uuid not null,
    attempt     integer not null,
    relay       varchar not null,
    -- 0 RETRY, 1 DEAD
    outcome     smallint not null check (outcome between 0 and 1),
    took_ms     bigint not null,
    failure     varchar,
    error       varchar,
    ended_at    timestamp(6) with time zone not null default current_timestamp,
    primary key (seq, token)
);

create index if not exists {prefix}attempt_message on {attempt} (message_id);

create index if not exists {prefix}attempt_ended on {attempt} (ended_at);

-- Who did what to messages, and why. message_id is null for an action on many, detail never holds a payload.
create table if not exists {audit} (
    entry      bigint not null generated always as identity primary key,
    created_at timestamp(6) with time zone not null default current_timestamp,
    actor      varchar not null,
    action     varchar not null,
    reason     varchar not null,
    message_id uuid,
    bulk_id    uuid,
    detail     varchar
);

create index if not exists {prefix}audit_created on {audit} (created_at);

create index if not exists {prefix}audit_message on {audit} (message_id);

-- Messages that have left the outbox, as they were.
create table if not exists {archive} (
    entry        bigint not null generated always as identity primary key,
    seq          bigint not null,
    id           uuid not null,
    namespace    varchar not null,
    topic        varchar not null,
    message_key  varchar,
    type         varchar not null,
    version      integer not null,
    tenant       varchar,
    dedupe_key   varchar,
    content_type varchar not null,
    headers      varchar,
    content_hash varbinary(32) not null,
    mac          varbinary(32),
    mac_key      varchar,
    payload_key  varchar,
    max_attempts integer,
    attempts     integer not null,
    created_at   timestamp(6) with time zone not null,
    delivered_at timestamp(6) with time zone,
    died_at      timestamp(6) with time zone,
    last_error   varchar,
    -- 0 DELIVERED and purged, 1 DISCARDED, 2 EDITED: replaced_by is the message that took its place
    ended        smallint not null check (ended between 0 and 2),
    replaced_by  uuid,
    archived_at  timestamp(6) with time zone not null default current_timestamp,
    payload      varbinary(16777244) not null
);

create index if not exists {prefix}archive_id on {archive} (id);

create index if not exists {prefix}archive_replaced on {archive} (replaced_by);

create index if not exists {prefix}archive_archived on {archive} (archived_at);

-- An action on many messages: those that match the filter and were there at the cut-off.
create table if not exists {bulk} (
    id           uuid not null primary key,
    action       varchar not null,
    filter       varchar not null,
    cut_off      timestamp(6) with time zone not null,
    actor        varchar not null,
    reason       varchar not null,
    -- rows per second; null: as fast as it goes
    rate         integer,
    -- 0 PREPARED, 1 RUNNING, 2 PAUSED, 3 DONE, 4 CANCELLED
    status       smallint not null check (status between 0 and 4),
    expected     bigint not null,
    done         bigint not null default 0,
    skipped      bigint not null default 0,
    failed       bigint not null default 0,
    -- how far it got: everything up to this time and sequence is dealt with
    position_at  timestamp(6) with time zone,
    position_seq bigint not null default 0,
    -- who runs it, and until when nobody else may
    claimed_by   varchar,
    claim_until  timestamp(6) with time zone,
    started_at   timestamp(6) with time zone,
    created_at   timestamp(6) with time zone not null default current_timestamp,
    updated_at   timestamp(6) with time zone not null default current_timestamp,
    last_error   varchar
);

create index if not exists {prefix}bulk_created on {bulk} (created_at);

-- What became of each message of a bulk action.
create table if not exists {bulk_row} (
    bulk_id     uuid not null,
    seq         bigint not null,
    message_id  uuid not null,
    -- 0 DONE, 1 SKIPPED because it had changed, 2 FAILED
    result      smallint not null check (result between 0 and 2),
    error       varchar,
    primary key (bulk_id, seq)
);

insert into {schema_version} (version) values (2);

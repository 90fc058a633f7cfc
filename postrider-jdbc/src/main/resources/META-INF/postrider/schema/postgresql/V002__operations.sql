-- Attempts that did not succeed: one row for each claim that ended that way. A delivery at once leaves none.
create table {attempt} (
    seq         bigint not null,
    token       bigint not null,
    message_id  uuid not null,
    attempt     integer not null,
    relay       text collate "C" not null,
    -- 0 RETRY, 1 DEAD
    outcome     smallint not null check (outcome between 0 and 1),
    took_ms     bigint not null,
    failure     text collate "C",
    error       text,
    ended_at    timestamptz not null default statement_timestamp(),
    primary key (seq, token)
);

create index {prefix}attempt_message on {attempt} (message_id);

create index {prefix}attempt_ended on {attempt} (ended_at);

-- Who did what to messages, and why. message_id is null for an action on many, detail never holds a payload.
create table {audit} (
    entry      bigint not null generated always as identity primary key,
    created_at timestamptz not null default statement_timestamp(),
    actor      text collate "C" not null,
    action     text collate "C" not null,
    reason     text not null,
    message_id uuid,
    bulk_id    uuid,
    detail     text
);

create index {prefix}audit_created on {audit} (created_at);

create index {prefix}audit_message on {audit} (message_id);

-- Messages that have left the outbox, as they were.
create table {archive} (
    entry        bigint not null generated always as identity primary key,
    seq          bigint not null,
    id           uuid not null,
    namespace    text collate "C" not null,
    topic        text collate "C" not null,
    message_key  text collate "C",
    type         text collate "C" not null,
    version      integer not null,
    tenant       text collate "C",
    dedupe_key   text collate "C",
    content_type text collate "C" not null,
    headers      text,
    content_hash bytea not null,
    mac          bytea,
    mac_key      text collate "C",
    payload_key  text collate "C",
    max_attempts integer,
    attempts     integer not null,
    created_at   timestamptz not null,
    delivered_at timestamptz,
    died_at      timestamptz,
    last_error   text,
    -- 0 DELIVERED and purged, 1 DISCARDED, 2 EDITED: replaced_by is the message that took its place
    ended        smallint not null check (ended between 0 and 2),
    replaced_by  uuid,
    archived_at  timestamptz not null default statement_timestamp(),
    payload      bytea not null
);

create index {prefix}archive_id on {archive} (id);

create index {prefix}archive_replaced on {archive} (replaced_by) where replaced_by is not null;

create index {prefix}archive_archived on {archive} (archived_at);

-- An action on many messages: those that match the filter and were there at the cut-off.
create table {bulk} (
    id           uuid not null primary key,
    action       text collate "C" not null,
    filter       text not null,
    cut_off      timestamptz not null,
    actor        text collate "C" not null,
    reason       text not null,
    -- rows per second; null: as fast as it goes
    rate         integer,
    -- 0 PREPARED, 1 RUNNING, 2 PAUSED, 3 DONE, 4 CANCELLED
    status       smallint not null check (status between 0 and 4),
    expected     bigint not null,
    done         bigint not null default 0,
    skipped      bigint not null default 0,
    failed       bigint not null default 0,
    -- how far it got: everything up to this time and sequence is dealt with
    position_at  timestamptz,
    position_seq bigint not null default 0,
    -- who runs it, and until when nobody else may
    claimed_by   text collate "C",
    claim_until  timestamptz,
    started_at   timestamptz,
    created_at   timestamptz not null default statement_timestamp(),
    updated_at   timestamptz not null default statement_timestamp(),
    last_error   text
);

create index {prefix}bulk_created on {bulk} (created_at);

-- What became of each message of a bulk action.
create table {bulk_row} (
    bulk_id     uuid not null,
    seq         bigint not null,
    message_id  uuid not null,
    -- 0 DONE, 1 SKIPPED because it had changed, 2 FAILED
    result      smallint not null check (result between 0 and 2),
    error       text,
    primary key (bulk_id, seq)
);

insert into {schema_version} (version) values (2);

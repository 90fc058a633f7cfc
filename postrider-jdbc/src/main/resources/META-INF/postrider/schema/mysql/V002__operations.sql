-- Attempts that did not succeed: one row for each claim that ended that way. A delivery at once leaves none.
create table if not exists {attempt} (
    seq         bigint not null,
    token       bigint not null,
    message_id  binary(16) not null,
    attempt     integer not null,
    relay       varchar(200) not null,
    -- 0 RETRY, 1 DEAD
    outcome     smallint not null check (outcome between 0 and 1),
    took_ms     bigint not null,
    failure     varchar(500),
    error       text,
    ended_at    datetime(6) not null default (utc_timestamp(6)),
    primary key (seq, token),
    index {prefix}attempt_message (message_id),
    index {prefix}attempt_ended (ended_at)
) engine = InnoDB default charset = utf8mb4 collate = utf8mb4_0900_bin;

-- Who did what to messages, and why. message_id is null for an action on many, detail never holds a payload.
create table if not exists {audit} (
    entry      bigint not null auto_increment primary key,
    created_at datetime(6) not null default (utc_timestamp(6)),
    actor      varchar(200) not null,
    action     varchar(50) not null,
    reason     text not null,
    message_id binary(16),
    bulk_id    binary(16),
    detail     text,
    index {prefix}audit_created (created_at),
    index {prefix}audit_message (message_id)
) engine = InnoDB default charset = utf8mb4 collate = utf8mb4_0900_bin;

-- Messages that have left the outbox, as they were.
create table if not exists {archive} (
    entry        bigint not null auto_increment primary key,
    seq          bigint not null,
    id           binary(16) not null,
    namespace    varchar(200) not null,
    topic        varchar(200) not null,
    message_key  varchar(250),
    type         varchar(200) not null,
    version      integer not null,
    tenant       varchar(200),
    dedupe_key   varchar(250),
    content_type varchar(200) not null,
    headers      mediumtext,
    content_hash binary(32) not null,
    mac          binary(32),
    mac_key      varchar(100),
    payload_key  varchar(100),
    max_attempts integer,
    attempts     integer not null,
    created_at   datetime(6) not null,
    delivered_at datetime(6),
    died_at      datetime(6),
    last_error   text,
    -- 0 DELIVERED and purged, 1 DISCARDED, 2 EDITED: replaced_by is the message that took its place
    ended        smallint not null check (ended between 0 and 2),
    replaced_by  binary(16),
    archived_at  datetime(6) not null default (utc_timestamp(6)),
    payload      longblob not null,
    index {prefix}archive_id (id),
    index {prefix}archive_replaced (replaced_by),
    index {prefix}archive_archived (archived_at)
) engine = InnoDB default charset = utf8mb4 collate = utf8mb4_0900_bin;

-- An action on many messages: those that match the filter and were there at the cut-off.
create table if not exists {bulk} (
    id           binary(16) not null primary key,
    action       varchar(50) not null,
    filter       text not null,
    cut_off      datetime(6) not null,
    actor        varchar(200) not null,
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
    position_at  datetime(6),
    position_seq bigint not null default 0,
    -- who runs it, and until when nobody else may
    claimed_by   varchar(200),
    claim_until  datetime(6),
    started_at   datetime(6),
    created_at   datetime(6) not null default (utc_timestamp(6)),
    updated_at   datetime(6) not null default (utc_timestamp(6)),
    last_error   text,
    index {prefix}bulk_created (created_at)
) engine = InnoDB default charset = utf8mb4 collate = utf8mb4_0900_bin;

-- What became of each message of a bulk action.
create table if not exists {bulk_row} (
    bulk_id     binary(16) not null,
    seq         bigint not null,
    message_id  binary(16) not null,
    -- 0 DONE, 1 SKIPPED because it had changed, 2 FAILED
    result      smallint not null check (result between 0 and 2),
    error       text,
    primary key (bulk_id, seq)
) engine = InnoDB default charset = utf8mb4 collate = utf8mb4_0900_bin;

insert into {schema_version} (version) values (2);

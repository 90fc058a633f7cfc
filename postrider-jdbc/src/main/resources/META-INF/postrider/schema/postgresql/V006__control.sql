-- What a relay tells of itself with its heartbeat, for people. Null for a relay of an older version. state is RUNNING,
-- STANDBY, PAUSED, DRAINING or STALLED; delivered and failed count since the relay was started.
alter table {relay}
    add column if not exists host       text collate "C",
    add column if not exists version    text collate "C",
    add column if not exists state      text collate "C",
    add column if not exists in_flight  integer,
    add column if not exists delivered  bigint,
    add column if not exists failed     bigint,
    add column if not exists last_error text;

-- What operators want of relays and topics. Every relay reads all of it with each heartbeat, so it stays small.
create table if not exists {control} (
    -- 0 all relays, 1 one relay, 2 a topic
    kind       smallint    not null check (kind between 0 and 2),
    -- of a topic, otherwise empty
    namespace  text        collate "C" not null,
    -- of a topic or a relay, otherwise empty
    name       text        collate "C" not null,
    -- 0 RUN, 1 PAUSE, 2 DRAIN; a topic is here while it is paused
    mode       smallint    not null check (mode between 0 and 2),
    actor      text        collate "C" not null,
    reason     text        not null,
    changed_at timestamptz not null default statement_timestamp(),
    primary key (kind, namespace, name)
);

insert into {schema_version} (version) values (6);

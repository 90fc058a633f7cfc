-- What a relay tells of itself with its heartbeat, for people. Null for a relay of an older version. state is RUNNING,
-- STANDBY, PAUSED, DRAINING or STALLED; delivered and failed count since the relay was started.
alter table {relay}
    add column if not exists host       varchar(200),
    add column if not exists version    varchar(200),
    add column if not exists state      varchar(20),
    add column if not exists in_flight  integer,
    add column if not exists delivered  bigint,
    add column if not exists failed     bigint,
    add column if not exists last_error varchar(500);

-- What operators want of relays and topics. Every relay reads all of it with each heartbeat, so it stays small.
create table if not exists {control} (
    -- 0 all relays, 1 one relay, 2 a topic
    kind       smallint      not null check (kind between 0 and 2),
    -- of a topic, otherwise empty
    namespace  varchar(200)  not null,
    -- of a topic or a relay, otherwise empty
    name       varchar(200)  not null,
    -- 0 RUN, 1 PAUSE, 2 DRAIN; a topic is here while it is paused
    mode       smallint      not null check (mode between 0 and 2),
    actor      varchar(200)  not null,
    reason     varchar(2000) not null,
    changed_at datetime(6)   not null default (utc_timestamp(6)),
    primary key (kind, namespace, name)
) engine = InnoDB default charset = utf8mb4 collate = utf8mb4_nopad_bin;

insert into {schema_version} (version) values (6);

create table if not exists {schema_version} (
    version    integer not null primary key,
    applied_at timestamp(6) with time zone not null default current_timestamp
);

-- Which steps a version of a definition has: the same version never comes with another hash.
create table if not exists {definition} (
    name           varchar(100) not null,
    version        integer not null,
    structure_hash char(64) not null,
    graph          varchar not null,
    registered_at  timestamp(6) with time zone not null default current_timestamp,
    primary key (name, version)
);

create table if not exists {instance} (
    saga_id        varchar(36) not null primary key,
    definition     varchar(100) not null,
    def_version    integer not null,
    business_key   varchar(200),
    -- A ATOMIC, D DURABLE
    mode           char(1) not null,
    parent_saga_id varchar(36),
    trace_context  varchar(300),
    created_at     timestamp(6) with time zone not null default current_timestamp,
    deadline_at    timestamp(6) with time zone,
    ctx_codec      varchar(100) not null,
    -- RUNNING, WAITING, COMPENSATING, STUCK, COMPLETED, COMPENSATED, ROLLED_BACK
    status         varchar(16) not null,
    -- F forward, C compensation; kept while WAITING or STUCK
    direction      char(1) not null default 'F',
    pivot_passed   boolean not null default false,
    -- null: no runner takes it up by itself, as when it is finished or STUCK
    wake_at        timestamp(6) with time zone,
    claimed_by     varchar(200),
    claimed_until  timestamp(6) with time zone,
    -- one more with each claim and with each action of an operator: whoever works under an older one writes nothing
    epoch          bigint not null default 0,
    -- claims since it was last advanced
    claim_count    integer not null default 0,
    revision       bigint not null default 0,
    updated_at     timestamp(6) with time zone not null default current_timestamp,
    finished_at    timestamp(6) with time zone,
    fail_step      varchar(100),
    fail_class     varchar(300),
    fail_message   varchar,
    ctx            varchar not null,
    unique (definition, business_key)
);

create index if not exists {prefix}instance_due on {instance} (wake_at);

create index if not exists {prefix}instance_list on {instance} (definition, status, saga_id);

create index if not exists {prefix}instance_finished on {instance} (finished_at, status);

-- The journal: what became of each step in each direction.
create table if not exists {step} (
    saga_id     varchar(36) not null,
    step        varchar(100) not null,
    -- F forward, C compensation
    direction   char(1) not null,
    -- FAILED, STARTED, WAITING, DONE, SKIPPED
    status      varchar(10) not null,
    -- the order in which they were begun, in which they are undone backwards
    seq         integer not null,
    attempts    integer not null,
    command_id  varchar(100) unique,
    error       varchar,
    started_at  timestamp(6) with time zone not null default current_timestamp,
    finished_at timestamp(6) with time zone,
    primary key (saga_id, step, direction)
);

-- What a participant did: op A is the action, C the compensation. Whoever inserts the row decides what happens.
create table if not exists {participant} (
    consumer     varchar(100) not null,
    saga_id      varchar(36) not null,
    step         varchar(100) not null,
    op           char(1) not null,
    -- A: the action ran; C: the compensation came first; R: the action was refused and did nothing
    placed_by    char(1) not null,
    placed_at    timestamp(6) with time zone not null default current_timestamp,
    command_id   varchar(100) not null,
    -- what was answered, to be said again when the command is repeated
    outcome      varchar(16) ,
    reply_type   varchar(200),
    content_type varchar(200),
    payload      varbinary,
    primary key (consumer, saga_id, step, op)
);

create index if not exists {prefix}participant_placed on {participant} (placed_at);

-- Who did what to a saga, and why.
create table if not exists {audit} (
    entry      bigint not null generated always as identity primary key,
    created_at timestamp(6) with time zone not null default current_timestamp,
    saga_id    varchar(36) not null,
    actor      varchar(200) not null,
    action     varchar(40) not null,
    reason     varchar not null,
    detail     text
);

create index if not exists {prefix}audit_saga on {audit} (saga_id, entry);

insert into {schema_version} (version) values (1);

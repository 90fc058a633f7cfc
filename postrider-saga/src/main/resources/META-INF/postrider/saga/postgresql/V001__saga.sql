create table if not exists {schema_version} (
    version    integer     not null primary key,
    applied_at timestamptz not null default clock_timestamp()
);

-- Which steps a version of a definition has: the same version never comes with another hash.
create table {definition} (
    name           varchar(100) collate "C" not null,
    version        integer      not null,
    structure_hash char(64)     collate "C" not null,
    graph          text         not null,
    registered_at  timestamptz  not null default clock_timestamp(),
    primary key (name, version)
);

create table {instance} (
    saga_id        varchar(36)  collate "C" not null primary key,
    definition     varchar(100) collate "C" not null,
    def_version    integer      not null,
    business_key   varchar(200) collate "C",
    -- A ATOMIC, D DURABLE
    mode           char(1)      not null,
    parent_saga_id varchar(36)  collate "C",
    trace_context  varchar(300) collate "C",
    created_at     timestamptz  not null default clock_timestamp(),
    deadline_at    timestamptz,
    ctx_codec      varchar(100) collate "C" not null,
    -- RUNNING, WAITING, COMPENSATING, STUCK, COMPLETED, COMPENSATED, ROLLED_BACK
    status         varchar(16)  collate "C" not null,
    -- F forward, C compensation; kept while WAITING or STUCK
    direction      char(1)      not null default 'F',
    pivot_passed   boolean      not null default false,
    -- null: no runner takes it up by itself, as when it is finished or STUCK
    wake_at        timestamptz,
    claimed_by     varchar(200) collate "C",
    claimed_until  timestamptz,
    -- one more with each claim and with each action of an operator: whoever works under an older one writes nothing
    epoch          bigint       not null default 0,
    -- claims since it was last advanced
    claim_count    integer      not null default 0,
    revision       bigint       not null default 0,
    updated_at     timestamptz  not null default clock_timestamp(),
    finished_at    timestamptz,
    fail_step      varchar(100) collate "C",
    fail_class     varchar(300) collate "C",
    fail_message   text,
    ctx            text         not null,
    unique (definition, business_key)
) with (fillfactor = 70);

create index {prefix}instance_due on {instance} (wake_at) where wake_at is not null;

create index {prefix}instance_list on {instance} (definition, status, saga_id);

create index {prefix}instance_finished on {instance} (finished_at, status);

-- The journal: what became of each step in each direction.
create table {step} (
    saga_id     varchar(36)  collate "C" not null,
    step        varchar(100) collate "C" not null,
    -- F forward, C compensation
    direction   char(1)      not null,
    -- FAILED, STARTED, WAITING, DONE, SKIPPED
    status      varchar(10)  collate "C" not null,
    -- the order in which they were begun, in which they are undone backwards
    seq         integer      not null,
    attempts    integer      not null,
    command_id  varchar(100) collate "C" unique,
    error       text,
    started_at  timestamptz  not null default clock_timestamp(),
    finished_at timestamptz,
    primary key (saga_id, step, direction)
);

-- What a participant did: op A is the action, C the compensation. Whoever inserts the row decides what happens.
create table {participant} (
    consumer     varchar(100) collate "C" not null,
    saga_id      varchar(36)  collate "C" not null,
    step         varchar(100) collate "C" not null,
    op           char(1)      not null,
    -- A: the action ran; C: the compensation came first; R: the action was refused and did nothing
    placed_by    char(1)      not null,
    placed_at    timestamptz  not null default clock_timestamp(),
    command_id   varchar(100) collate "C" not null,
    -- what was answered, to be said again when the command is repeated
    outcome      varchar(16)  collate "C",
    reply_type   varchar(200) collate "C",
    content_type varchar(200) collate "C",
    payload      bytea,
    primary key (consumer, saga_id, step, op)
);

create index {prefix}participant_placed on {participant} (placed_at);

-- Who did what to a saga, and why.
create table {audit} (
    entry      bigint       not null generated always as identity primary key,
    created_at timestamptz  not null default clock_timestamp(),
    saga_id    varchar(36)  collate "C" not null,
    actor      varchar(200) not null,
    action     varchar(40)  collate "C" not null,
    reason     text         not null,
    detail     text
);

create index {prefix}audit_saga on {audit} (saga_id, entry);

insert into {schema_version} (version) values (1);

create table if not exists {schema_version} (
    version    int         not null primary key,
    applied_at datetime(6) not null default (utc_timestamp(6))
) engine = InnoDB;

-- Which steps a version of a definition has: the same version never comes with another hash.
create table if not exists {definition} (
    name           varchar(100) not null,
    version        int          not null,
    structure_hash char(64)     not null,
    graph          longtext     not null,
    registered_at  datetime(6)  not null default (utc_timestamp(6)),
    primary key (name, version)
) engine = InnoDB default charset = utf8mb4 collate = utf8mb4_0900_bin;

create table if not exists {instance} (
    saga_id        varchar(36)  not null primary key,
    definition     varchar(100) not null,
    def_version    int          not null,
    business_key   varchar(200),
    -- A ATOMIC, D DURABLE
    mode           char(1)      not null,
    parent_saga_id varchar(36),
    trace_context  varchar(300),
    created_at     datetime(6)  not null default (utc_timestamp(6)),
    deadline_at    datetime(6),
    ctx_codec      varchar(100) not null,
    -- RUNNING, WAITING, COMPENSATING, STUCK, COMPLETED, COMPENSATED, ROLLED_BACK
    status         varchar(16)  not null,
    -- F forward, C compensation; kept while WAITING or STUCK
    direction      char(1)      not null default 'F',
    pivot_passed   boolean      not null default false,
    -- null: no runner takes it up by itself, as when it is finished or STUCK
    wake_at        datetime(6),
    claimed_by     varchar(200),
    claimed_until  datetime(6),
    -- one more with each claim and with each action of an operator: whoever works under an older one writes nothing
    epoch          bigint       not null default 0,
    -- claims since it was last advanced
    claim_count    int          not null default 0,
    revision       bigint       not null default 0,
    updated_at     datetime(6)  not null default (utc_timestamp(6)),
    finished_at    datetime(6),
    fail_step      varchar(100),
    fail_class     varchar(300),
    fail_message   text,
    ctx            longtext     not null,
    unique index {prefix}instance_key (definition, business_key),
    index {prefix}instance_due (wake_at),
    index {prefix}instance_list (definition, status, saga_id),
    index {prefix}instance_finished (finished_at, status)
) engine = InnoDB row_format = dynamic default charset = utf8mb4 collate = utf8mb4_0900_bin;

-- The journal: what became of each step in each direction.
create table if not exists {step} (
    saga_id     varchar(36)  not null,
    step        varchar(100) not null,
    -- F forward, C compensation
    direction   char(1)      not null,
    -- FAILED, STARTED, WAITING, DONE, SKIPPED
    status      varchar(10)  not null,
    -- the order in which they were begun, in which they are undone backwards
    seq         int          not null,
    attempts    int          not null,
    command_id  varchar(100),
    error       text,
    started_at  datetime(6)  not null default (utc_timestamp(6)),
    finished_at datetime(6),
    primary key (saga_id, step, direction),
    unique index {prefix}step_command (command_id)
) engine = InnoDB default charset = utf8mb4 collate = utf8mb4_0900_bin;

-- What a participant did: op A is the action, C the compensation. Whoever inserts the row decides what happens.
create table if not exists {participant} (
    consumer     varchar(100) not null,
    saga_id      varchar(36)  not null,
    step         varchar(100) not null,
    op           char(1)      not null,
    -- A: the action ran; C: the compensation came first; R: the action was refused and did nothing
    placed_by    char(1)      not null,
    placed_at    datetime(6)  not null default (utc_timestamp(6)),
    command_id   varchar(100) not null,
    -- what was answered, to be said again when the command is repeated
    outcome      varchar(16),
    reply_type   varchar(200),
    content_type varchar(200),
    payload      longblob,
    primary key (consumer, saga_id, step, op),
    index {prefix}participant_placed (placed_at)
) engine = InnoDB default charset = utf8mb4 collate = utf8mb4_0900_bin;

-- Who did what to a saga, and why.
create table if not exists {audit} (
    entry      bigint       not null auto_increment primary key,
    created_at datetime(6)  not null default (utc_timestamp(6)),
    saga_id    varchar(36)  not null,
    actor      varchar(200) not null,
    action     varchar(40)  not null,
    reason     text         not null,
    detail     text,
    index {prefix}audit_saga (saga_id, entry)
) engine = InnoDB default charset = utf8mb4 collate = utf8mb4_0900_bin;

insert into {schema_version} (version) values (1);

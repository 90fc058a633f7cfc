create table if not exists {schema_version} (
    version    int         not null primary key,
    applied_at datetime(6) not null default (utc_timestamp(6))
) engine = InnoDB;

-- One row for each message that a consumer has handled, written in the transaction of its handler. Ids that differ in
-- case, accents or spaces at the end are different ids.
create table if not exists {message} (
    consumer     varchar(100) not null,
    message_id   varchar(100) not null,
    processed_at datetime(6) not null,
    source       varchar(200),
    primary key (consumer, message_id),
    index {prefix}message_age (processed_at)
) engine = InnoDB default charset = utf8mb4 collate = utf8mb4_0900_bin;

-- The highest sequence that a consumer has handled of a key, for inboxes that go by sequences.
create table if not exists {position} (
    consumer    varchar(100) not null,
    topic       varchar(255) not null,
    message_key varchar(250) not null,
    last_seq    bigint not null,
    updated_at  datetime(6) not null,
    primary key (consumer, topic, message_key)
) engine = InnoDB row_format = dynamic default charset = utf8mb4 collate = utf8mb4_0900_bin;

-- Messages that failed, and those that are put aside with their payload until somebody decides.
create table if not exists {failure} (
    place       bigint not null auto_increment unique,
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
    attempts    int not null,
    created_at  datetime(6) not null,
    updated_at  datetime(6) not null,
    error       varchar(500),
    source      varchar(200),
    -- a flat JSON object of strings
    headers     mediumtext,
    payload     longblob,
    primary key (consumer, message_id),
    index {prefix}failure_key (consumer, topic, message_key)
) engine = InnoDB row_format = dynamic default charset = utf8mb4 collate = utf8mb4_0900_bin;

-- Who released or discarded a message, and why.
create table if not exists {audit} (
    entry      bigint not null auto_increment primary key,
    created_at datetime(6) not null default (utc_timestamp(6)),
    actor      varchar(200) not null,
    action     varchar(20) not null,
    reason     text not null,
    consumer   varchar(100) not null,
    message_id varchar(100) not null
) engine = InnoDB default charset = utf8mb4 collate = utf8mb4_0900_bin;

insert into {schema_version} (version) values (1);

-- Which topics a relay cannot reach, for people: their messages stay PENDING, without an attempt and without an error.
create table if not exists {gate} (
    relay        varchar                     not null,
    namespace    varchar                     not null,
    topic        varchar                     not null,
    closed_since timestamp(6) with time zone not null,
    last_error   varchar                     not null,
    primary key (relay, namespace, topic)
);

insert into {schema_version} (version) values (4);

-- Which topics a relay cannot reach, for people: their messages stay PENDING, without an attempt and without an error.
create table {gate} (
    relay        text        collate "C" not null,
    namespace    text        collate "C" not null,
    topic        text        collate "C" not null,
    closed_since timestamptz not null,
    last_error   text        not null,
    primary key (relay, namespace, topic)
);

insert into {schema_version} (version) values (4);

-- Which topics a relay cannot reach, for people: their messages stay PENDING, without an attempt and without an error.
create table if not exists {gate} (
    relay        varchar(200) not null,
    namespace    varchar(200) not null,
    topic        varchar(200) not null,
    closed_since datetime(6)  not null,
    last_error   text         not null,
    primary key (relay, namespace, topic)
) engine = InnoDB default charset = utf8mb4 collate = utf8mb4_0900_bin;

insert into {schema_version} (version) values (4);

-- The namespace of the topic: sequences and the order of a key are promised within it. Messages put aside by the version
-- before tell theirs in a header. The indexes find the first message of a key in each state, the messages of a state in
-- order, and old ones.
alter table {position} add column if not exists namespace varchar(100) default 'default' not null;

alter table {position} drop primary key;

alter table {position} add primary key (consumer, namespace, topic, message_key);

alter table {failure} add column if not exists namespace varchar(100) default 'default' not null;

update {failure}
   set namespace = regexp_substr(headers, '"postrider-namespace":"([^"]+)"', 1, 1, '', 1)
 where headers like '%"postrider-namespace":"_%'
   and char_length(regexp_substr(headers, '"postrider-namespace":"([^"]+)"', 1, 1, '', 1)) <= 100;

drop index if exists {failure}_key;

create index if not exists {prefix}failure_held
    on {failure} (consumer, topic, message_key, namespace, state, place);

create index if not exists {prefix}failure_state on {failure} (consumer, state, place);

create index if not exists {prefix}failure_age on {failure} (state, updated_at);

insert into {schema_version} (version) values (4);

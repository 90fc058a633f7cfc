-- The namespace of the topic: sequences and the order of a key are promised within it. Messages put aside by the version
-- before tell theirs in a header. The indexes find the first message of a key in each state, the messages of a state in
-- order, and old ones.
alter table {position} add column namespace varchar(100) collate "C" not null default 'default';

alter table {position}
    drop constraint {prefix}position_pkey,
    add primary key (consumer, namespace, topic, message_key);

alter table {failure} add column namespace varchar(100) collate "C" not null default 'default';

update {failure}
   set namespace = headers::json ->> 'postrider-namespace'
 where headers like '%"postrider-namespace":"_%'
   and char_length(headers::json ->> 'postrider-namespace') <= 100;

drop index if exists {failure}_key;

create index {prefix}failure_held on {failure} (consumer, topic, message_key, namespace, state, place);

create index {prefix}failure_state on {failure} (consumer, state, place);

create index {prefix}failure_age on {failure} (state, updated_at);

insert into {schema_version} (version) values (4);

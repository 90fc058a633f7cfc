-- The namespace of the topic: sequences and the order of a key are promised within it. Messages put aside by the version
-- before tell theirs in a header. The indexes find the first message of a key in each state, the messages of a state in
-- order, and old ones.
alter table {position}
    add column namespace varchar(100) not null default 'default',
    drop primary key,
    add primary key (consumer, namespace, topic, message_key);

alter table {failure}
    add column namespace varchar(100) not null default 'default',
    drop index {prefix}failure_key,
    add index {prefix}failure_held (consumer, topic, message_key, namespace, state, place),
    add index {prefix}failure_state (consumer, state, place),
    add index {prefix}failure_age (state, updated_at);

update {failure}
   set namespace = json_unquote(json_extract(headers, '$."postrider-namespace"'))
 where headers like '%"postrider-namespace":"_%'
   and char_length(json_unquote(json_extract(headers, '$."postrider-namespace"'))) <= 100;

insert into {schema_version} (version) values (4);

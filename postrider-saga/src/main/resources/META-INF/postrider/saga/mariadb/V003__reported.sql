-- False: a reply has changed the step, and no runner has told the listener yet.
alter table {step} add column if not exists reported boolean not null default true;

insert into {schema_version} (version) values (3);

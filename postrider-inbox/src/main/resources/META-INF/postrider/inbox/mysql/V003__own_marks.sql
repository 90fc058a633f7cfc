-- A random number of the transaction that made the mark: a transaction that was lost does not take another one's mark for
-- its own. Null where the version before made it.
alter table {message} add column mark bigint;

alter table {position} add column mark bigint;

insert into {schema_version} (version) values (3);

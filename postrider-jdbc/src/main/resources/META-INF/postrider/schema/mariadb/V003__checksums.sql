-- The SHA-256 of the file that made each version; null if the file was applied by hand.
alter table {schema_version} add column checksum varchar(64);

insert into {schema_version} (version) values (3);

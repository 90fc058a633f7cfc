-- The other databases have a function or a procedure here that enqueues a message. H2 could only call Java for it.
insert into {schema_version} (version) values (7);

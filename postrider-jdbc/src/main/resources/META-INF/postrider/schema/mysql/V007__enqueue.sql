-- For programs in any language: they need not compute shard, hash or id. The procedure does what the user who calls it may
-- do, and an enqueue needs INSERT on the table of messages alone.
drop procedure if exists {enqueue};

-- Enqueues a message. With a dedupe key the id belongs to the key: a UUIDv8 of SHA-256 over namespace, topic and dedupe
-- key, each with its length in front; a second message is a duplicate key error. Otherwise the id is a UUIDv7. Each
-- expression that is used twice stands in a table of its own, whose limit keeps it from being computed twice.
create procedure {enqueue}(
    in p_topic       varchar(200) character set utf8mb4,
    in p_message_key varchar(250) character set utf8mb4,
    in p_type        varchar(200) character set utf8mb4,
    in p_payload     longblob,
    in p_dedupe_key  varchar(250) character set utf8mb4,
    in p_headers     mediumtext   character set utf8mb4
)
    modifies sql data
    sql security invoker
insert into {message} (id, namespace, topic, message_key, shard, type, dedupe_key, headers, content_hash, payload)
select unhex(replace(r.id, '-', '')), 'default', p_topic, p_message_key,
       crc32(coalesce(p_message_key, r.id)) % 64, p_type, p_dedupe_key, p_headers,
       unhex(sha2(concat(coalesce(p_dedupe_key, ''), '|', p_type, '|', p_payload), 256)), p_payload
  from (select concat(substr(h.hash, 1, 8), '-', substr(h.hash, 9, 4), '-', if(p_dedupe_key is null, '7', '8'),
                      substr(h.hash, 14, 3), '-', lower(hex((conv(substr(h.hash, 17, 1), 16, 10) & 3) | 8)),
                      substr(h.hash, 18, 3), '-', substr(h.hash, 21, 12)) as id
          from (select if(p_dedupe_key is null,
                          concat(lpad(lower(hex(floor(unix_timestamp(now(3)) * 1000))), 12, '0'),
                                 substr(sha2(concat(uuid(), rand()), 256), 13)),
                          sha2(concat(unhex(lpad(hex(length('default')), 8, '0')), 'default',
                                      unhex(lpad(hex(length(p_topic)), 8, '0')), p_topic,
                                      unhex(lpad(hex(length(p_dedupe_key)), 8, '0')), p_dedupe_key), 256)) as hash
                 limit 1) h
         limit 1) r;

insert into {schema_version} (version) values (7);

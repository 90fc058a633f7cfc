-- For programs in any language: they need not compute shard, hash or id. The functions do what the role that calls them
-- may do, and an enqueue needs INSERT on the table of messages alone.

-- The shard of a key: CRC-32 of its bytes in UTF-8, modulo 64, half a byte at a time.
create or replace function {shard_of}(key text) returns smallint
    language sql immutable strict parallel safe
as $$
    with recursive input as (
        select convert_to(key, 'UTF8') as bytes,
               array[0, 498536548, 997073096, 651767980, 1994146192, 1802195444, 1303535960, 1342533948,
                     3988292384, 4027552580, 3604390888, 3412177804, 2607071920, 2262029012, 2685067896,
                     3183342108]::bigint[] as half
    ), crc (place, value) as (
        select 0, 4294967295::bigint
         union all
        select c.place + 1, (b.value >> 4) # i.half[(b.value & 15) + 1]
          from crc c
         cross join input i
         cross join lateral (select c.value # get_byte(i.bytes, c.place) as value) a
         cross join lateral (select (a.value >> 4) # i.half[(a.value & 15) + 1] as value) b
         where c.place < octet_length(i.bytes)
    )
    select cast((c.value # 4294967295) % 64 as smallint) from crc c order by c.place desc limit 1
$$;

-- The one id that every message with this dedupe key has: a UUIDv8 of SHA-256 over namespace, topic and dedupe key, each
-- with its length in front.
create or replace function {id_of}(namespace text, topic text, dedupe_key text) returns uuid
    language sql immutable strict parallel safe
as $$
    select cast(encode(set_byte(set_byte(h.hash, 6, (get_byte(h.hash, 6) & 15) | 128), 8,
                                (get_byte(h.hash, 8) & 63) | 128), 'hex') as uuid)
      from (select substring(sha256(string_agg(int4send(octet_length(p.bytes)) || p.bytes, ''::bytea order by p.place))
                             from 1 for 16) as hash
              from (values (1, convert_to(namespace, 'UTF8')), (2, convert_to(topic, 'UTF8')),
                           (3, convert_to(dedupe_key, 'UTF8'))) p (place, bytes)) h
$$;

-- Enqueues a message and returns its id. With a dedupe key the id belongs to the key, and a second message is not
-- enqueued; otherwise it is a UUIDv7 unless another is given.
create or replace function {enqueue}(
    topic        text,
    key          text,
    type         text,
    payload      bytea,
    dedupe_key   text        default null,
    headers      text        default null,
    namespace    text        default 'default',
    version      integer     default 1,
    tenant       text        default null,
    content_type text        default 'application/json',
    max_attempts integer     default null,
    due_at       timestamptz default null,
    id           uuid        default cast(encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
        placing substring(int8send(cast(floor(extract(epoch from clock_timestamp()) * 1000) as bigint)) from 3)
        from 1 for 6), 52, 1), 53, 1), 'hex') as uuid)
) returns uuid
    language sql volatile
as $$
    insert into {message} (id, namespace, topic, message_key, shard, type, version, tenant, dedupe_key, content_type,
                           headers, max_attempts, due_at, content_hash, payload)
    select r.id, namespace, topic, key, {shard_of}(coalesce(key, cast(r.id as text))), type, version, tenant,
           dedupe_key, content_type, headers, max_attempts, due_at,
           sha256(convert_to(coalesce(dedupe_key, '') || '|' || type || '|', 'UTF8') || payload), payload
      from (select coalesce({id_of}(namespace, topic, dedupe_key), id) as id) r
        on conflict do nothing; select coalesce({id_of}(namespace, topic, dedupe_key), id)
$$;

-- As above, with a payload that is a text.
create or replace function {enqueue}(
    topic        text,
    key          text,
    type         text,
    payload      text,
    dedupe_key   text        default null,
    headers      text        default null,
    namespace    text        default 'default',
    version      integer     default 1,
    tenant       text        default null,
    content_type text        default 'application/json',
    max_attempts integer     default null,
    due_at       timestamptz default null,
    id           uuid        default cast(encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
        placing substring(int8send(cast(floor(extract(epoch from clock_timestamp()) * 1000) as bigint)) from 3)
        from 1 for 6), 52, 1), 53, 1), 'hex') as uuid)
) returns uuid
    language sql volatile
as $$
    select {enqueue}(topic, key, type, convert_to(payload, 'UTF8'), dedupe_key, headers, namespace, version, tenant,
                     content_type, max_attempts, due_at, id)
$$;

insert into {schema_version} (version) values (7);

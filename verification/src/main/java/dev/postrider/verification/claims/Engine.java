package dev.postrider.verification.claims;

import dev.postrider.services.Database;
import dev.postrider.services.ServerOptions;

/** A database under measurement, and how to fill its table quickly. */
enum Engine {
    POSTGRES(Database.Kind.POSTGRES_18, """
            insert into outbox_message (id, namespace, topic, message_key, shard, type, status, attempts, due_at,
                                        delivered_at, content_hash, payload)
            select gen_random_uuid(), 'default', 'orders', 'key-' || (g %% 1000),
                   crc32(convert_to('key-' || (g %% 1000), 'UTF8')) %% 64, 'placed', %d, %d, %s, %s,
                   sha256(convert_to('|placed|' || rpad(g::text, 300, 'x'), 'UTF8')),
                   convert_to(rpad(g::text, 300, 'x'), 'UTF8')
              from generate_series(1, %d) g
            """, "now() + interval '1 day'"),
    MARIADB(Database.Kind.MARIADB, """
            insert into outbox_message (id, namespace, topic, message_key, shard, type, status, attempts, due_at,
                                        delivered_at, content_hash, payload)
            select unhex(replace(uuid(), '-', '')), 'default', 'orders', concat('key-', seq mod 1000),
                   crc32(concat('key-', seq mod 1000)) mod 64, 'placed', %d, %d, %s, coalesce(%s, timestamp '9999-12-31 00:00:00'),
                   unhex(sha2(concat('|placed|', rpad(seq, 300, 'x')), 256)), rpad(seq, 300, 'x')
              from seq_1_to_%d
            """, "utc_timestamp(6) + interval 1 day");

    final Database.Kind kind;
    private final String fill;
    private final String later;

    Engine(Database.Kind kind, String fill, String later) {
        this.kind = kind;
        this.fill = fill;
        this.later = later;
    }

    // The log belongs to the whole server: neither a checkpoint nor a vacuum of another table may fall into the figure.
    ServerOptions options() {
        ServerOptions durable = ServerOptions.defaults().withDurable(true).withBufferMegabytes(1024);
        return this == POSTGRES
                ? durable.withSetting("max_wal_size", "32GB")
                        .withSetting("checkpoint_timeout", "1h")
                        .withSetting("autovacuum", "off")
                : durable.withSetting("innodb_log_file_size", "2G");
    }

    String pending(int rows) {
        return fill.formatted(0, 0, "null", "null", rows);
    }

    String delivered(int rows) {
        return fill.formatted(2, 1, "null", this == POSTGRES ? "now()" : "utc_timestamp(6)", rows);
    }

    String waiting(int rows) {
        return fill.formatted(0, 1, later, "null", rows);
    }

    String analyze() {
        return this == POSTGRES ? "vacuum analyze outbox_message" : "analyze table outbox_message";
    }
}

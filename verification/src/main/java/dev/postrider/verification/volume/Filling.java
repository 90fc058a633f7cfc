package dev.postrider.verification.volume;

import dev.postrider.services.Database.Kind;

/** Fills a table quickly, inside the database. */
enum Filling {
    POSTGRES(
            """
            insert into outbox_message (id, topic, shard, type, status, attempts, created_at, updated_at, due_at,
                                        delivered_at, died_at, last_error, content_hash, payload)
            select gen_random_uuid(), '%1$s', g %% 64, 'placed', %2$d, 1, now() - interval '40 days',
                   now() - interval '40 days', %3$s, %4$s, %5$s, %6$s,
                   sha256(convert_to('|placed|' || rpad(g::text, 100, 'x'), 'UTF8')),
                   convert_to(rpad(g::text, 100, 'x'), 'UTF8')
              from generate_series(1, %7$d) g
            """,
            "now() + interval '1 day'",
            "now() - interval '40 days'",
            "clock_timestamp()",
            "select deadlocks" + " from pg_stat_database where datname = current_database()",
            "vacuum analyze outbox_message"),
    MARIADB(
            """
            insert into outbox_message (id, topic, shard, type, status, attempts, created_at, updated_at, due_at,
                                        delivered_at, died_at, last_error, content_hash, payload)
            select unhex(replace(uuid(), '-', '')), '%1$s', seq mod 64, 'placed', %2$d, 1,
                   utc_timestamp(6) - interval 40 day, utc_timestamp(6) - interval 40 day, %3$s,
                   coalesce(%4$s, timestamp '9999-12-31 00:00:00'), %5$s, %6$s,
                   unhex(sha2(concat('|placed|', rpad(seq, 100, 'x')), 256)), rpad(seq, 100, 'x')
              from seq_1_to_%7$d
            """,
            "utc_timestamp(6) + interval 1 day",
            "utc_timestamp(6) - interval 40 day",
            "utc_timestamp(6)",
            "select variable_value from information_schema.global_status where variable_name = 'INNODB_DEADLOCKS'",
            "analyze table outbox_message");

    private final String fill;
    private final String tomorrow;
    private final String longAgo;
    private final String now;
    final String deadlocks;
    final String analyze;

    Filling(String fill, String tomorrow, String longAgo, String now, String deadlocks, String analyze) {
        this.fill = fill;
        this.tomorrow = tomorrow;
        this.longAgo = longAgo;
        this.now = now;
        this.deadlocks = deadlocks;
        this.analyze = analyze;
    }

    static Filling of(Kind kind) {
        return switch (kind) {
            case POSTGRES_15, POSTGRES_18 -> POSTGRES;
            case MARIADB -> MARIADB;
            case MYSQL, H2 -> throw new IllegalArgumentException("There is no volume for " + kind);
        };
    }

    String delivered(int rows) {
        return fill.formatted("old", 2, "null", longAgo, "null", "null", rows);
    }

    String waiting(int rows) {
        return fill.formatted("waiting", 0, tomorrow, "null", "null", "null", rows);
    }

    String dead(String topic, int rows) {
        return fill.formatted(topic, 3, "null", "null", now, "'refused'", rows);
    }
}

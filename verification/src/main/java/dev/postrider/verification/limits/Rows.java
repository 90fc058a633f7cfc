package dev.postrider.verification.limits;

import dev.postrider.services.Database.Kind;

/** Statements that fill the outbox with many rows at once. */
enum Rows {
    /** PENDING, of a topic that cannot be reached. */
    UNREACHABLE("'down'", "0", "null", "null", "false", "0"),
    /** DELIVERED long ago. */
    DELIVERED("'old'", "2", "null", "{now}", "false", "0"),
    /** DEAD, each holding its key. */
    HOLDING("'held'", "3", "null", "null", "true", "0"),
    /** PENDING, and in flight when the process died, twice. */
    SUSPECT("'suspect'", "0", "null", "null", "false", "2"),
    /** PENDING and due again, of a topic that cannot be reached. */
    DUE("'down'", "0", "{now}", "null", "false", "0"),
    /** PENDING, each with its own key. */
    LATE("'live'", "0", "null", "null", "false", "0");

    private static final String INSERT = """
            insert into outbox_message (id, topic, message_key, shard, type, status, due_at, died_at, holds_key,
                                        lost_claims, content_hash, payload{delivered_column})
            select {id}, %s, {key}, {shard}, 'x', %s, %s, {died}, %s, %s, {hash}, {empty}{delivered}
              from {numbers}
            """;

    private final String topic;
    private final String status;
    private final String due;
    private final String delivered;
    private final String holds;
    private final String lost;

    Rows(String topic, String status, String due, String delivered, String holds, String lost) {
        this.topic = topic;
        this.status = status;
        this.due = due;
        this.delivered = delivered;
        this.holds = holds;
        this.lost = lost;
    }

    /** Returns the statement that inserts so many. */
    String insert(Kind kind, long count) {
        boolean postgres = kind == Kind.POSTGRES_18;
        String died = this == HOLDING ? "{now}" : "null";
        String text = INSERT.formatted(topic, status, due, holds, lost)
                .replace("{died}", died)
                .replace("{delivered_column}", delivered.equals("null") ? "" : ", delivered_at")
                .replace("{delivered}", delivered.equals("null") ? "" : ", " + delivered);
        if (postgres) {
            return text.replace("{id}", "gen_random_uuid()")
                    .replace("{key}", "'key-' || n")
                    .replace("{shard}", "crc32(convert_to('key-' || n, 'UTF8')) % 64")
                    .replace("{hash}", "sha256(convert_to('|x|', 'UTF8'))")
                    .replace("{empty}", "''::bytea")
                    .replace("{now}", "now()")
                    .replace("{numbers}", "generate_series(1, %d) n".formatted(count));
        }
        String numbers = kind == Kind.MARIADB
                ? "(select seq as n from seq_1_to_%d) s".formatted(count)
                : "(with recursive c (n) as (select 1 union all select n + 1 from c where n < %d) select n from c) s"
                        .formatted(count);
        return text.replace("{id}", "unhex(replace(uuid(), '-', ''))")
                .replace("{key}", "concat('key-', n)")
                .replace("{shard}", "crc32(concat('key-', n)) % 64")
                .replace("{hash}", "unhex(sha2('|x|', 256))")
                .replace("{empty}", "''")
                .replace("{now}", "utc_timestamp(6)")
                .replace("{numbers}", numbers);
    }
}

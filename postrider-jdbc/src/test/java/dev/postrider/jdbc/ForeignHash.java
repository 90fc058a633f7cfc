package dev.postrider.jdbc;

import dev.postrider.services.Database.Kind;

/** The content hash in the SQL of each database, as the documentation gives it to other languages. */
public final class ForeignHash {

    private ForeignHash() {}

    public static String of(Kind kind) {
        return switch (kind) {
            case POSTGRES_15, POSTGRES_18 ->
                "sha256(convert_to(coalesce(dedupe_key, '') || '|' || type || '|', 'UTF8') || payload)";
            case MARIADB, MYSQL -> "unhex(sha2(concat(coalesce(dedupe_key, ''), '|', type, '|', payload), 256))";
            case H2 -> "hash('SHA-256', stringtoutf8(coalesce(dedupe_key, '') || '|' || type || '|') || payload)";
        };
    }
}

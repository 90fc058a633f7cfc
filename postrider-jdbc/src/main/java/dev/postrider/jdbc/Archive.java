package dev.postrider.jdbc;

import dev.postrider.admin.ArchivedMessage.Ended;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Where messages go that have left the outbox, as they were. */
final class Archive {

    private static final String COLUMNS = """
            seq, id, namespace, topic, message_key, type, version, tenant, dedupe_key, content_type, headers,
            content_hash, mac, mac_key, payload_key, max_attempts, attempts, created_at, delivered_at, died_at,
            last_error, payload""";

    static final String ADD =
            "insert into {archive} (ended, replaced_by, " + COLUMNS + ")\nselect ?, ?, " + COLUMNS + """

              from {message} {by_seq}
             where seq in (?)
             order by seq
            """;

    private Archive() {}

    /** Copies rows of the outbox, which the caller has locked and will remove or change. */
    static void add(Session session, Ended how, @Nullable UUID replacedBy, List<Long> seqs) throws SQLException {
        Object replacement = replacedBy == null ? null : session.dialect().id(replacedBy);
        session.updateAll(ADD, Arrays.asList(code(how), replacement), seqs);
    }

    /** The numbers are part of the table's contract. */
    static short code(Ended how) {
        return switch (how) {
            case DELIVERED -> 0;
            case DISCARDED -> 1;
            case EDITED -> 2;
        };
    }

    static Ended ended(int code) {
        return switch (code) {
            case 0 -> Ended.DELIVERED;
            case 1 -> Ended.DISCARDED;
            case 2 -> Ended.EDITED;
            default -> throw new IllegalStateException("No end of a message has the number " + code);
        };
    }
}

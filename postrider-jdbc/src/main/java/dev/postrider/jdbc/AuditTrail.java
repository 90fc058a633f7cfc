package dev.postrider.jdbc;

import dev.postrider.admin.Decision;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Who did what to messages, and why: one entry for each message, and never a payload. */
final class AuditTrail {

    // One statement for many messages, so that a bulk action does not pay a round trip for each.
    static final String ADD = """
            insert into {audit} (actor, action, reason, bulk_id, message_id, detail)
            select ?, ?, ?, ?, m.id, concat(m.namespace, '/', m.topic, ' ', m.type)
              from {message} m {by_seq}
             where m.seq in (?)
             order by m.seq
            """;

    private AuditTrail() {}

    /** Notes what is done to these rows, as long as they are there. */
    static void add(Session session, String action, Decision decision, @Nullable UUID bulkId, List<Long> seqs)
            throws SQLException {
        Object bulk = bulkId == null ? null : session.dialect().id(bulkId);
        session.updateAll(ADD, Arrays.asList(decision.by(), action, decision.reason(), bulk), seqs);
    }
}

package dev.postrider.saga;

import dev.postrider.admin.Decision;
import dev.postrider.database.Session;
import dev.postrider.spi.ErrorText;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Who did what to sagas, and why. */
final class SagaTrail {

    private static final int MAX_BY = 200;
    private static final int MAX_REASON = 2_000;

    private static final String ADD =
            "insert into {audit} (saga_id, actor, action, reason, detail) values (?, ?, ?, ?, ?)";

    private static final String OF_SAGA = """
            select a.created_at, a.actor, a.action, a.reason, a.detail
              from {audit} a
             where a.saga_id = ?
             order by a.entry
            """;

    private final Session session;

    SagaTrail(Session session) {
        this.session = session;
    }

    void add(UUID sagaId, String action, Decision decision, @Nullable String detail) throws SQLException {
        session.update(
                ADD,
                sagaId.toString(),
                ErrorText.clean(decision.by(), MAX_BY),
                action,
                ErrorText.clean(decision.reason(), MAX_REASON),
                FailureText.clean(detail));
    }

    List<SagaAuditEntry> of(UUID sagaId) throws SQLException {
        return session.list(
                OF_SAGA,
                row -> new SagaAuditEntry(
                        Objects.requireNonNull(session.dialect().time(row, "created_at")),
                        row.getString("actor"),
                        row.getString("action"),
                        row.getString("reason"),
                        row.getString("detail")),
                sagaId.toString());
    }
}

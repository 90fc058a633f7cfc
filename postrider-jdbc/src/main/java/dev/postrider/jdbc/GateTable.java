package dev.postrider.jdbc;

import dev.postrider.admin.ClosedTopic;
import dev.postrider.database.Micros;
import dev.postrider.database.Session;
import dev.postrider.spi.ClosedGate;
import dev.postrider.spi.ErrorText;
import dev.postrider.spi.TopicName;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;

/** The topics that relays cannot reach. Rows of a relay that is gone are not shown, and go when another one writes. */
final class GateTable {

    private static final int MAX_ERROR = 2_000;
    private static final String FORGET = "delete from {gate} where relay = ?";
    private static final String FORGET_GONE = "delete from {gate} where relay not in (select r.id from {relay} r)";
    private static final String SAVE =
            "insert into {gate} (closed_since, relay, namespace, topic, last_error) values ({later}, ?, ?, ?, ?)";
    private static final String LIST = """
            select g.relay, g.namespace, g.topic, g.closed_since, g.last_error
              from {gate} g
              join {relay} r on r.id = g.relay
             where r.until > {now}
             order by g.namespace, g.topic, g.relay
            """;

    private GateTable() {}

    /** Replaces what was recorded of a relay. */
    static int save(Session session, String relay, List<ClosedGate> closed) throws SQLException {
        session.update(FORGET, relay);
        session.update(FORGET_GONE);
        for (ClosedGate gate : closed) {
            session.update(
                    SAVE,
                    -Micros.of(gate.closedFor()),
                    relay,
                    gate.topic().namespace(),
                    gate.topic().topic(),
                    ErrorText.clean(gate.error(), MAX_ERROR));
        }
        return closed.size();
    }

    static List<ClosedTopic> list(Session session) throws SQLException {
        return session.list(
                LIST,
                rows -> new ClosedTopic(
                        new TopicName(rows.getString("namespace"), rows.getString("topic")),
                        rows.getString("relay"),
                        Objects.requireNonNull(session.dialect().time(rows, "closed_since")),
                        rows.getString("last_error")));
    }
}

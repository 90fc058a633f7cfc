package dev.postrider.jdbc;

import dev.postrider.database.Micros;
import dev.postrider.database.Session;
import dev.postrider.spi.ClosedGate;
import dev.postrider.spi.ErrorText;
import java.sql.SQLException;
import java.util.List;

/** Records the topics that relays cannot reach. Rows of a relay that is gone go when another one writes. */
final class GateTable {

    private static final int MAX_ERROR = 2_000;
    private static final String FORGET = "delete from {gate} where relay = ?";
    private static final String FORGET_GONE = "delete from {gate} where relay not in (select r.id from {relay} r)";
    private static final String SAVE =
            "insert into {gate} (closed_since, relay, namespace, topic, last_error) values ({later}, ?, ?, ?, ?)";

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
}

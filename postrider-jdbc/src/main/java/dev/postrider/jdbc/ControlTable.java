package dev.postrider.jdbc;

import dev.postrider.database.Session;
import dev.postrider.jdbc.row.ControlCode;
import dev.postrider.spi.RelayMode;
import dev.postrider.spi.TopicName;
import dev.postrider.spi.Wanted;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What operators want of relays and topics, as a relay reads it.
 *
 * @param ofAll what is wanted of relays of which nothing else is wanted
 * @param ofRelays what is wanted of single relays
 * @param pausedTopics what no relay may fetch or send
 */
record ControlTable(RelayMode ofAll, Map<String, RelayMode> ofRelays, Set<TopicName> pausedTopics) {

    private static final String READ = "select kind, namespace, name, mode from {control}";
    private static final String FORGET = "delete from {control} where kind = 1 and name = ?";

    // A relay that froze is forgotten and may join again: what was wanted of it is kept for a while.
    private static final String FORGET_GONE = """
            delete from {control}
             where kind = 1 and changed_at < {later} and name not in (select r.id from {relay} r)
            """;

    static ControlTable read(Session session) throws SQLException {
        RelayMode ofAll = RelayMode.RUN;
        Map<String, RelayMode> ofRelays = new HashMap<>();
        Set<TopicName> topics = new HashSet<>();
        try (PreparedStatement statement = session.prepare(READ);
                ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                switch (row.getInt("kind")) {
                    case ControlCode.ALL_RELAYS -> ofAll = ControlCode.mode(row.getInt("mode"));
                    case ControlCode.RELAY -> ofRelays.put(row.getString("name"), ControlCode.mode(row.getInt("mode")));
                    default -> topics.add(new TopicName(row.getString("namespace"), row.getString("name")));
                }
            }
        }
        return new ControlTable(ofAll, ofRelays, topics);
    }

    /** Removes what is wanted of a relay that leaves. */
    static void forget(Session session, String relay) throws SQLException {
        session.update(FORGET, relay);
    }

    /** Removes what was wanted so long ago of relays that are gone. */
    static void forgetGone(Session session, long micros) throws SQLException {
        session.update(FORGET_GONE, -micros);
    }

    RelayMode of(String relay) {
        return ofRelays.getOrDefault(relay, ofAll);
    }

    Wanted wantedOf(String relay) {
        return new Wanted(of(relay), pausedTopics);
    }
}

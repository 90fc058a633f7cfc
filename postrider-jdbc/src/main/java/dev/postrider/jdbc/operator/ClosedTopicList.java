package dev.postrider.jdbc.operator;

import dev.postrider.admin.ClosedTopic;
import dev.postrider.database.Session;
import dev.postrider.spi.TopicName;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Reads the topics that relays cannot reach. Those of a relay that is gone are not shown. */
final class ClosedTopicList {

    private static final String LIST = """
            select g.relay, g.namespace, g.topic, g.closed_since, g.last_error
              from {gate} g
              join {relay} r on r.id = g.relay
             where r.until > {now}
             order by g.namespace, g.topic, g.relay
            """;

    private ClosedTopicList() {}

    static List<ClosedTopic> of(Session session) throws SQLException {
        List<ClosedTopic> topics = new ArrayList<>();
        try (PreparedStatement statement = session.prepare(LIST);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                topics.add(new ClosedTopic(
                        new TopicName(rows.getString("namespace"), rows.getString("topic")),
                        rows.getString("relay"),
                        Objects.requireNonNull(session.dialect().time(rows, "closed_since")),
                        rows.getString("last_error")));
            }
        }
        return topics;
    }
}

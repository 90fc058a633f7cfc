package dev.postrider.jdbc.operator;

import dev.postrider.admin.Decided;
import dev.postrider.admin.Decision;
import dev.postrider.admin.KnownRelay;
import dev.postrider.admin.PausedTopic;
import dev.postrider.admin.ShardOwner;
import dev.postrider.database.Session;
import dev.postrider.jdbc.row.ControlCode;
import dev.postrider.spi.RelayMode;
import dev.postrider.spi.RelayReport;
import dev.postrider.spi.TopicName;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads which relays there are, what they own, and what operators want of them. */
final class RelayList {

    private static final int MOST = 1_000;

    private static final String RELAYS = """
            select r.id, r.joined_at, r.until, case when r.until > {now} then 1 else 0 end as alive,
                   r.host, r.version, r.state, r.in_flight, r.delivered, r.failed, r.last_error
              from {relay} r
             order by r.joined_at, r.id
             limit ?
            """;

    private static final String SHARDS = """
            select s.shard, r.id as owner, s.epoch
              from {shard} s
              left join {relay} r on r.id = s.owner and r.until > {now}
             order by s.shard
            """;

    private static final String CONTROL = """
            select c.namespace, c.name, c.mode, c.actor, c.reason, c.changed_at
              from {control} c
             where c.kind = ?
             order by c.namespace, c.name
            """;

    private static final String PAUSED =
            "select 1 from {control} c where c.kind = 2 and c.namespace = ? and c.name = ?";

    private final Session session;
    private final @Nullable ControlRow ofAll;
    private final Map<String, ControlRow> ofRelays;

    /** What somebody wants. */
    private record ControlRow(RelayMode mode, Decided decided) {}

    RelayList(Session session) throws SQLException {
        this.session = session;
        List<ControlRow> all = session.list(CONTROL, row -> control(session, row), ControlCode.ALL_RELAYS);
        this.ofAll = all.isEmpty() ? null : all.get(0);
        this.ofRelays = new HashMap<>();
        session.list(CONTROL, row -> ofRelays.put(row.getString("name"), control(session, row)), ControlCode.RELAY);
    }

    static List<PausedTopic> pausedTopics(Session session) throws SQLException {
        return session.list(
                CONTROL,
                row -> new PausedTopic(
                        new TopicName(row.getString("namespace"), row.getString("name")),
                        control(session, row).decided()),
                ControlCode.TOPIC);
    }

    static boolean isPaused(Session session, TopicName topic) throws SQLException {
        return session.any(PAUSED, topic.namespace(), topic.topic());
    }

    RelayMode modeOfAll() {
        return ofAll == null ? RelayMode.RUN : ofAll.mode();
    }

    /** Returns of how many living relays another mode is wanted. */
    int othersThan(RelayMode mode) throws SQLException {
        return (int) relays(MOST).stream()
                .filter(relay -> relay.alive() && relay.mode() != mode)
                .count();
    }

    Optional<KnownRelay> relay(String id) throws SQLException {
        return relays(MOST).stream().filter(relay -> relay.id().equals(id)).findFirst();
    }

    List<KnownRelay> relays(int limit) throws SQLException {
        List<ShardOwner> shards = shards();
        return session.list(RELAYS, row -> relay(row, shards), Math.min(limit, MOST));
    }

    List<ShardOwner> shards() throws SQLException {
        return session.list(
                SHARDS, row -> new ShardOwner(row.getInt("shard"), row.getString("owner"), row.getLong("epoch")));
    }

    private KnownRelay relay(ResultSet row, List<ShardOwner> shards) throws SQLException {
        String id = row.getString("id");
        ControlRow wanted = ofRelays.getOrDefault(id, ofAll);
        return new KnownRelay(
                id,
                Objects.requireNonNull(session.dialect().time(row, "joined_at")),
                Objects.requireNonNull(session.dialect().time(row, "until")),
                row.getInt("alive") == 1,
                shards.stream()
                        .filter(shard -> id.equals(shard.owner()))
                        .map(ShardOwner::shard)
                        .toList(),
                report(row),
                wanted == null ? RelayMode.RUN : wanted.mode(),
                wanted == null ? null : wanted.decided());
    }

    private static @Nullable RelayReport report(ResultSet row) throws SQLException {
        String state = row.getString("state");
        if (state == null) {
            return null;
        }
        return new RelayReport(
                row.getString("id"),
                row.getString("host"),
                row.getString("version"),
                state(state),
                row.getInt("in_flight"),
                row.getLong("delivered"),
                row.getLong("failed"),
                row.getString("last_error"));
    }

    // A newer relay may tell a state that this version does not know.
    private static RelayReport.State state(String name) {
        return Arrays.stream(RelayReport.State.values())
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElse(RelayReport.State.RUNNING);
    }

    private static ControlRow control(Session session, ResultSet row) throws SQLException {
        return new ControlRow(
                ControlCode.mode(row.getInt("mode")),
                new Decided(
                        new Decision(row.getString("actor"), row.getString("reason")),
                        Objects.requireNonNull(session.dialect().time(row, "changed_at"))));
    }
}

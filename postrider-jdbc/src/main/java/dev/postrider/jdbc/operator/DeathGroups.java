package dev.postrider.jdbc.operator;

import dev.postrider.MessageStatus;
import dev.postrider.admin.DeadGroup;
import dev.postrider.admin.MessageFilter;
import dev.postrider.database.Dialect;
import dev.postrider.database.Placeholders;
import dev.postrider.database.Session;
import dev.postrider.spi.TopicName;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Tells what dead messages have in common. */
final class DeathGroups {

    /** How many of the latest deaths are looked at. */
    static final int CAP = 100_000;

    static final String COUNT = """
            select m.namespace, m.topic, m.type, m.failure, count(*) as counted, min(m.died_at) as first_death,
                   max(m.died_at) as last_death, max(m.seq) as sample
              from {message} m {by_death}
             where m.died_at is not null and m.died_at >= ? and (m.died_at > ? or m.seq >= ?) {criteria}
             group by m.namespace, m.topic, m.type, m.failure
             order by counted desc, last_death desc, sample desc
             limit ?
            """;

    private static final String SAMPLES =
            "select m.seq, m.id, m.last_error from {message} m {by_seq} where m.status = 3 and m.seq in (?)";

    private final Session session;
    private final Dialect dialect;
    private final int cap;

    /** A group whose sample is not yet read. */
    private record Count(
            TopicName topic,
            String type,
            @Nullable String failure,
            long count,
            Instant first,
            Instant last,
            long sample) {}

    DeathGroups(Session session, int cap) {
        this.session = session;
        this.dialect = session.dialect();
        this.cap = cap;
    }

    List<DeadGroup> run(MessageFilter filter, int limit) throws SQLException {
        Criteria deaths = Criteria.deaths(filter, dialect);
        IndexPage window =
                IndexPage.byDeath(session, IndexDirection.DOWN, PageCursor.first(IndexDirection.DOWN), deaths, cap);
        Criteria criteria = Criteria.of(filter.withStatus(MessageStatus.DEAD), dialect);
        List<Count> counts = count(window.end(), criteria, limit);
        Map<Long, DeadGroup.Sample> samples = samples(counts);
        return counts.stream()
                .map(group -> new DeadGroup(
                        group.topic,
                        group.type,
                        group.failure == null ? DeadGroup.UNKNOWN : group.failure,
                        group.count,
                        !window.last(),
                        group.first,
                        group.last,
                        samples.get(group.sample)))
                .toList();
    }

    private List<Count> count(PageCursor from, Criteria criteria, int limit) throws SQLException {
        Object at = dialect.time(from.at());
        List<Object> values = Placeholders.joined(List.of(at, at, from.seq()), criteria.values(), List.of(limit));
        return session.list(
                criteria.in(COUNT),
                row -> new Count(
                        new TopicName(row.getString("namespace"), row.getString("topic")),
                        row.getString("type"),
                        row.getString("failure"),
                        row.getLong("counted"),
                        Objects.requireNonNull(dialect.time(row, "first_death")),
                        Objects.requireNonNull(dialect.time(row, "last_death")),
                        row.getLong("sample")),
                values.toArray());
    }

    private Map<Long, DeadGroup.Sample> samples(List<Count> counts) throws SQLException {
        Map<Long, DeadGroup.Sample> samples = new HashMap<>();
        if (counts.isEmpty()) {
            return samples;
        }
        List<Long> seqs = counts.stream().map(Count::sample).toList();
        try (PreparedStatement statement = session.prepareList(SAMPLES, List.of(), seqs);
                ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                samples.put(
                        row.getLong("seq"), new DeadGroup.Sample(dialect.id(row, "id"), row.getString("last_error")));
            }
        }
        return samples;
    }
}

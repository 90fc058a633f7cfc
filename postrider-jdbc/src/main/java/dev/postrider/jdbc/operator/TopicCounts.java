package dev.postrider.jdbc.operator;

import dev.postrider.admin.TopicFigures;
import dev.postrider.admin.TopicStats;
import dev.postrider.database.Session;
import dev.postrider.spi.TopicName;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts messages by topic, looking at a bounded number of rows. */
final class TopicCounts {

    /** How many rows each count looks at. */
    static final int LOOK = 20_000;

    private static final int MOST_TOPICS = 1_000;

    private static final String LOW_WATER = "select min(low_seq) from {shard}";

    // The window is taken before the condition: above the low-water mark there may be any number of delivered rows.
    static final String NOT_WAITING = """
            select w.namespace, w.topic, sum(case when w.due_at is null and w.status in (0, 1) then 1 else 0 end) as counted
              from (select m.namespace, m.topic, m.due_at, m.status
                      from {message} m {by_seq}
                     where m.seq > ?
                     order by m.seq
                     limit ?) w
             group by w.namespace, w.topic
            """;

    static final String WAITING = """
            select w.namespace, w.topic, sum(w.due) as due, count(*) as counted
              from (select m.namespace, m.topic, case when m.status = 1 or m.due_at <= {now} then 1 else 0 end as due
                      from {message} m {by_due}
                     where m.due_at is not null
                     order by m.due_at, m.seq
                     limit ?) w
             group by w.namespace, w.topic
            """;

    static final String DEAD = """
            select d.namespace, d.topic, count(*) as counted
              from (select m.namespace, m.topic
                      from {message} m {by_death}
                     where m.died_at is not null
                     order by m.died_at desc, m.seq desc
                     limit ?) d
             group by d.namespace, d.topic
            """;

    // While a topic is paused, the low-water mark stays where it was. The latest rows tell of the other topics.
    static final String LATEST = """
            select l.namespace, l.topic,
                   sum(case when l.seq > ? and l.due_at is null and l.status in (0, 1) then 1 else 0 end) as counted
              from (select m.namespace, m.topic, m.seq, m.due_at, m.status
                      from {message} m {by_seq}
                     order by m.seq desc
                     limit ?) l
             group by l.namespace, l.topic
            """;

    private final Session session;
    private final int look;
    private final Map<TopicName, long[]> counts = new TreeMap<>();

    TopicCounts(Session session, int look) {
        this.session = session;
        this.look = look;
    }

    TopicStats run() throws SQLException {
        long low = session.first(LOW_WATER, row -> row.getLong(1)).orElse(0L);
        IndexPage window = IndexPage.bySeq(session, IndexDirection.UP, PageCursor.of(low), look);
        session.list(NOT_WAITING, row -> add(row.getString(1), row.getString(2), row.getLong(3), 0, 0), low, look);
        List<Long> waiting = session.list(
                WAITING,
                row -> add(row.getString(1), row.getString(2), row.getLong(3), row.getLong(4) - row.getLong(3), 0),
                look);
        List<Long> dead =
                session.list(DEAD, row -> add(row.getString(1), row.getString(2), 0, 0, row.getLong(3)), look);
        session.list(
                LATEST,
                row -> add(row.getString(1), row.getString(2), row.getLong(3), 0, 0),
                window.end().seq(),
                look);
        List<TopicFigures> figures = counts.entrySet().stream()
                .limit(MOST_TOPICS)
                .map(each ->
                        new TopicFigures(each.getKey(), each.getValue()[0], each.getValue()[1], each.getValue()[2]))
                .toList();
        return new TopicStats(figures, !window.last(), sum(waiting) >= look, sum(dead) >= look);
    }

    private long add(String namespace, String topic, long pending, long waiting, long dead) {
        long[] figures = counts.computeIfAbsent(new TopicName(namespace, topic), name -> new long[3]);
        figures[0] += pending;
        figures[1] += waiting;
        figures[2] += dead;
        return pending + waiting + dead;
    }

    private static long sum(List<Long> counted) {
        return counted.stream().mapToLong(Long::longValue).sum();
    }
}

package dev.postrider.jdbc.operator;

import dev.postrider.MessageStatus;
import dev.postrider.admin.MessageFilter;
import dev.postrider.admin.Page;
import dev.postrider.admin.Slice;
import dev.postrider.admin.StoredMessage;
import dev.postrider.database.Placeholders;
import dev.postrider.database.Session;
import dev.postrider.jdbc.row.MessageRows;
import dev.postrider.jdbc.row.RowKeys;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Finds messages page by page; each page reads a window of an index and no more. */
final class MessageSearch {

    /** How many rows one page looks at. */
    static final int STEP = 10_000;

    /** Stands in the cursors of questions that are answered in enqueue order. */
    static final String BY_SEQUENCE = "seq";

    private static final long PAGE_BYTES = 16L * 1024 * 1024;

    static final String BY_DEATH = """
            select m.seq, m.died_at, octet_length(m.payload) as bytes
              from {message} m {by_death}
             where m.died_at is not null
               and m.died_at {>=} ? and (m.died_at {>} ? or m.seq {>} ?)
               and m.died_at {<=} ? and (m.died_at {<} ? or m.seq {<=} ?) {criteria}
             order by m.died_at {asc}, m.seq {asc}
             limit ?
            """;

    static final String BY_SEQ = """
            select m.seq, octet_length(m.payload) as bytes
              from {message} m {by_seq}
             where m.seq {>} ? and m.seq {<=} ? {criteria}
             order by m.seq {asc}
             limit ?
            """;

    // The criteria again: somebody may have changed a row since it was found.
    private static final String READ =
            "select " + MessageRows.STORED + " from {message} m {by_seq} where 1 = 1 {criteria} and m.seq in (?)";

    private final Session session;
    private final MessageRows reader;
    private final Criteria criteria;
    private final Criteria deaths;
    private final boolean byDeath;
    private final Page page;
    private final IndexDirection direction;
    private final int step;

    /** A row that fits, not yet read. */
    private record Hit(PageCursor position, long bytes) {}

    MessageSearch(Session session, RowKeys keys, MessageFilter filter, Page page, int step) {
        this.session = session;
        this.reader = new MessageRows(session.dialect(), keys);
        this.criteria = Criteria.of(filter, session.dialect());
        this.deaths = Criteria.deaths(filter, session.dialect());
        this.byDeath =
                filter.status() == MessageStatus.DEAD || filter.diedFrom() != null || filter.diedBefore() != null;
        this.page = page;
        this.direction = IndexDirection.of(page.order());
        this.step = step;
    }

    Slice<StoredMessage> run() throws SQLException {
        PageCursor after = PageCursor.of(kind(), page);
        IndexPage window = byDeath
                ? IndexPage.byDeath(session, direction, after, deaths, step)
                : IndexPage.bySeq(session, direction, after, step);
        List<Hit> hits = find(after, window.end());
        int fitting = fitting(hits);
        if (fitting < hits.size()) {
            return slice(hits.subList(0, fitting), hits.get(fitting - 1).position());
        }
        return window.last() ? new Slice<>(read(hits), null) : slice(hits, window.end());
    }

    private Slice<StoredMessage> slice(List<Hit> hits, PageCursor end) throws SQLException {
        return new Slice<>(read(hits), end.cursor(kind(), direction));
    }

    private String kind() {
        return byDeath ? "died" : BY_SEQUENCE;
    }

    private List<Hit> find(PageCursor after, PageCursor end) throws SQLException {
        List<Object> range =
                byDeath ? Placeholders.joined(bounds(after), bounds(end)) : List.of(after.seq(), end.seq());
        String sql = criteria.in(direction.in(byDeath ? BY_DEATH : BY_SEQ));
        List<Hit> hits = new ArrayList<>();
        try (PreparedStatement statement = session.prepare(sql)) {
            // One more than asked for tells whether anything follows.
            Session.bind(
                    statement,
                    Placeholders.joined(range, criteria.values(), List.of(page.limit() + 1))
                            .toArray());
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    PageCursor position =
                            byDeath ? IndexPage.death(row, session.dialect()) : PageCursor.of(row.getLong("seq"));
                    hits.add(new Hit(position, row.getLong("bytes")));
                }
            }
        }
        return hits;
    }

    private List<Object> bounds(PageCursor position) {
        Object at = session.dialect().time(position.at());
        return List.of(at, at, position.seq());
    }

    // A page of large messages is cut short, so that a thousand of them do not fill the memory.
    private int fitting(List<Hit> hits) {
        long bytes = 0;
        for (int i = 0; i < hits.size(); i++) {
            bytes += hits.get(i).bytes();
            if (i == page.limit() || (i > 0 && bytes > PAGE_BYTES)) {
                return i;
            }
        }
        return hits.size();
    }

    private List<StoredMessage> read(List<Hit> hits) throws SQLException {
        if (hits.isEmpty()) {
            return List.of();
        }
        List<Long> seqs = hits.stream().map(hit -> hit.position().seq()).toList();
        Map<Long, StoredMessage> found = new HashMap<>();
        try (PreparedStatement statement = session.prepareList(criteria.in(READ), criteria.values(), seqs);
                ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                StoredMessage message = reader.stored(row);
                found.put(message.seq(), message);
            }
        }
        return seqs.stream().map(found::get).filter(Objects::nonNull).toList();
    }
}

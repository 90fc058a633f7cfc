package dev.postrider.jdbc.operator;

import dev.postrider.admin.MessageFilter;
import dev.postrider.admin.Neighbours;
import dev.postrider.admin.Page;
import dev.postrider.admin.Slice;
import dev.postrider.admin.StoredMessage;
import dev.postrider.database.Session;
import dev.postrider.jdbc.row.RowKeys;
import dev.postrider.spi.TopicName;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Finds the messages of the same key and topic around a message; each direction reads one window of the table. */
final class NeighbourSearch {

    // The first of the line: those behind it wait for it.
    private static final String BLOCKED_BY = """
            select m.id
              from {message} m {by_holder}
             where {held_key} = ? and m.topic = ? and m.namespace = ?
             order by m.seq
             limit 1
            """;

    private final Session session;
    private final RowKeys keys;
    private final int step;

    NeighbourSearch(Session session, RowKeys keys, int step) {
        this.session = session;
        this.keys = keys;
        this.step = step;
    }

    Optional<Neighbours> run(UUID id, int each) throws SQLException {
        Optional<StoredMessage> found = new Inspection(session, keys).find(id);
        return found.isEmpty() ? Optional.empty() : Optional.of(around(found.get(), each));
    }

    private Neighbours around(StoredMessage message, int each) throws SQLException {
        String key = message.message().key().orElse(null);
        if (key == null) {
            return Neighbours.NONE;
        }
        TopicName topic = TopicName.of(message.message());
        MessageFilter filter = MessageFilter.all()
                .withNamespace(topic.namespace())
                .withTopic(topic.topic())
                .withKey(key);
        Slice<StoredMessage> before = search(filter, Page.newest(each), message.seq());
        Slice<StoredMessage> after = search(filter, Page.oldest(each), message.seq());
        List<StoredMessage> nearestLast = new ArrayList<>(before.items());
        Collections.reverse(nearestLast);
        Optional<UUID> blockedBy =
                session.first(BLOCKED_BY, row -> session.dialect().id(row, 1), key, topic.topic(), topic.namespace());
        return new Neighbours(
                nearestLast,
                before.next().isEmpty(),
                after.items(),
                after.next().isEmpty(),
                blockedBy.orElse(null));
    }

    private Slice<StoredMessage> search(MessageFilter filter, Page page, long seq) throws SQLException {
        String from = PageCursor.of(seq).cursor(MessageSearch.BY_SEQUENCE, IndexDirection.of(page.order()));
        return new MessageSearch(session, keys, filter, page.after(from), step).run();
    }
}

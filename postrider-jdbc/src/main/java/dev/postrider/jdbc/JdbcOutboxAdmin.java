package dev.postrider.jdbc;

import dev.postrider.MessageStatus;
import dev.postrider.admin.BlockedKey;
import dev.postrider.admin.OutboxAdmin;
import dev.postrider.admin.OutboxStats;
import dev.postrider.admin.StoredMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;

/** What a person may do to the messages in the outbox tables. Thread-safe. */
public final class JdbcOutboxAdmin implements OutboxAdmin {

    private static final int TIMEOUT_SECONDS = 10;
    private static final int CHUNK = 500;

    private final Transactions transactions;

    private JdbcOutboxAdmin(DataSource dataSource, TableNames names) {
        this.transactions = new Transactions(dataSource, names, TIMEOUT_SECONDS);
    }

    /** Returns the admin of the tables with the default names. */
    public static JdbcOutboxAdmin of(DataSource dataSource) {
        return of(dataSource, TableNames.defaults());
    }

    /** Returns the admin of the tables with these names. */
    public static JdbcOutboxAdmin of(DataSource dataSource, TableNames names) {
        return new JdbcOutboxAdmin(dataSource, names);
    }

    @Override
    public Optional<StoredMessage> find(UUID id) {
        return transactions.autoCommitted("find message " + id, session -> new Inspection(session).find(id));
    }

    @Override
    public List<StoredMessage> list(MessageStatus status, long after, int limit) {
        return transactions.autoCommitted(
                "list messages", session -> new Inspection(session).list(status, after, limit));
    }

    @Override
    public List<BlockedKey> blockedKeys(int limit) {
        return transactions.autoCommitted("list blocked keys", session -> new Inspection(session).blockedKeys(limit));
    }

    @Override
    public int requeue(Collection<UUID> ids) {
        return each("requeue messages", ids, Intervention::requeue);
    }

    @Override
    public int discard(Collection<UUID> ids) {
        return each("discard messages", ids, Intervention::discard);
    }

    @Override
    public int replay(Collection<UUID> ids) {
        return each("replay messages", ids, Intervention::replay);
    }

    @Override
    public int purge(Duration age, int limit) {
        Purge purge = new Purge(transactions, age);
        return purge.run(limit);
    }

    @Override
    public OutboxStats stats() {
        return transactions.autoCommitted("count messages", session -> new Inspection(session).stats());
    }

    // In chunks, so that many ids neither lock many rows for long nor exceed a database's number of parameters.
    private int each(String what, Collection<UUID> ids, Intervention action) {
        List<UUID> distinct = new ArrayList<>(new LinkedHashSet<>(ids));
        int changed = 0;
        for (int i = 0; i < distinct.size(); i += CHUNK) {
            List<UUID> chunk = distinct.subList(i, Math.min(i + CHUNK, distinct.size()));
            changed += transactions.transacted(
                    what,
                    session -> action.apply(
                            session, chunk.stream().map(session.dialect()::id).toList()));
        }
        return changed;
    }
}

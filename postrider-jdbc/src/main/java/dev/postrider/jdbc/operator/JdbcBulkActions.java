package dev.postrider.jdbc.operator;

import dev.postrider.MessageStatus;
import dev.postrider.OutboxException;
import dev.postrider.admin.BulkAction;
import dev.postrider.admin.BulkActions;
import dev.postrider.admin.BulkOptions;
import dev.postrider.admin.BulkPlan;
import dev.postrider.admin.BulkProgress;
import dev.postrider.admin.BulkResult;
import dev.postrider.admin.BulkRow;
import dev.postrider.admin.BulkStatus;
import dev.postrider.admin.Decision;
import dev.postrider.admin.MessageFilter;
import dev.postrider.database.TableNames;
import dev.postrider.database.Transactions;
import dev.postrider.jdbc.OutboxDialect;
import dev.postrider.jdbc.operator.BulkTable.Entry;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Actions on many messages of the outbox tables at once. Thread-safe. */
public final class JdbcBulkActions implements BulkActions {

    private static final int TIMEOUT_SECONDS = 10;
    // Delivered messages are counted by reading all of them.
    private static final int COUNT_TIMEOUT_SECONDS = 300;
    private static final int SAMPLES = 5;
    private static final int SAMPLE_STRETCHES = 20;

    private final Transactions transactions;
    private final Transactions counting;

    private JdbcBulkActions(DataSource dataSource, TableNames names) {
        this.transactions = OutboxDialect.transactions(dataSource, names, TIMEOUT_SECONDS);
        this.counting = OutboxDialect.transactions(dataSource, names, COUNT_TIMEOUT_SECONDS);
    }

    /** Returns the bulk actions on the tables with the default names. */
    public static JdbcBulkActions of(DataSource dataSource) {
        return of(dataSource, TableNames.defaults());
    }

    /** Returns the bulk actions on the tables with these names. */
    public static JdbcBulkActions of(DataSource dataSource, TableNames names) {
        return new JdbcBulkActions(
                Objects.requireNonNull(dataSource, "dataSource"), Objects.requireNonNull(names, "names"));
    }

    @Override
    public BulkPlan prepare(BulkAction action, MessageFilter filter, Decision decision) {
        Objects.requireNonNull(decision, "decision");
        MessageStatus status = filter.status();
        if (status != null && status != action.from()) {
            throw new IllegalArgumentException("%s needs messages that are %s but the filter asks for %s"
                    .formatted(action, action.from(), status));
        }
        MessageFilter complete = filter.withStatus(action.from());
        return counting.autoCommitted("prepare a bulk action", session -> {
            BulkTable table = new BulkTable(session);
            BulkPlan empty = new BulkPlan(UUID.randomUUID(), action, complete, decision, table.now(), 0, List.of());
            BulkSelection selection = new BulkSelection(session, empty);
            BulkPlan plan = new BulkPlan(
                    empty.id(), action, complete, decision, empty.cutOff(), selection.count(), samples(selection));
            table.add(plan);
            return plan;
        });
    }

    // The first few; where hardly anything fits, the search for them ends early.
    private static List<UUID> samples(BulkSelection selection) throws SQLException {
        List<UUID> samples = new ArrayList<>();
        BulkSelection.Stretch stretch = selection.look(PageCursor.of(0), SAMPLES, false);
        samples.addAll(stretch.found().values());
        for (int i = 1; i < SAMPLE_STRETCHES && samples.isEmpty() && !stretch.ended(); i++) {
            stretch = selection.look(stretch.next(), SAMPLES, false);
            samples.addAll(stretch.found().values());
        }
        return samples;
    }

    @Override
    public BulkProgress run(UUID id, BulkOptions options) {
        String runner = "%d-%s".formatted(ProcessHandle.current().pid(), UUID.randomUUID());
        Entry before = transactions.transacted("start a bulk action", session -> {
            BulkTable table = new BulkTable(session);
            Entry entry = table.lock(id);
            requireRunnable(id, entry);
            table.start(id, runner, options.rate());
            boolean first = entry.status() == BulkStatus.PREPARED;
            table.note(
                    first ? "BULK_START" : "BULK_RESUME",
                    entry.progress().plan().decision(),
                    entry.progress());
            return entry;
        });
        boolean resumed = before.status() != BulkStatus.PREPARED;
        new BulkRun(transactions, before.progress().plan(), options, runner).run(resumed);
        return progress(id).orElseThrow();
    }

    private static void requireRunnable(UUID id, Entry entry) {
        BulkStatus status = entry.status();
        if (status == BulkStatus.DONE || status == BulkStatus.CANCELLED) {
            throw new OutboxException("Bulk action %s is %s and cannot be run again".formatted(id, status));
        }
        if (status == BulkStatus.PREPARED && entry.expired()) {
            throw new OutboxException(
                    "Bulk action %s was prepared more than an hour ago; what it counted may no longer be so: prepare it again"
                            .formatted(id));
        }
        if (status == BulkStatus.RUNNING && entry.claimed()) {
            throw new OutboxException("Bulk action %s is being run by %s; if that process is gone, try again in %d s"
                    .formatted(id, entry.claimedBy(), BulkTable.CLAIM.toSeconds()));
        }
    }

    @Override
    public BulkProgress pause(UUID id, Decision decision) {
        return stop(id, decision, BulkStatus.PAUSED, Set.of(BulkStatus.RUNNING, BulkStatus.PAUSED));
    }

    @Override
    public BulkProgress cancel(UUID id, Decision decision) {
        return stop(
                id,
                decision,
                BulkStatus.CANCELLED,
                Set.of(BulkStatus.PREPARED, BulkStatus.RUNNING, BulkStatus.PAUSED, BulkStatus.CANCELLED));
    }

    private BulkProgress stop(UUID id, Decision decision, BulkStatus status, Set<BulkStatus> from) {
        Objects.requireNonNull(decision, "decision");
        return transactions.transacted("stop a bulk action", session -> {
            BulkTable table = new BulkTable(session);
            Entry entry = table.lock(id);
            if (!from.contains(entry.status())) {
                throw new OutboxException(
                        "Bulk action %s is %s and cannot become %s".formatted(id, entry.status(), status));
            }
            if (entry.status() == status) {
                return entry.progress();
            }
            table.stop(id, status);
            table.note(status == BulkStatus.PAUSED ? "BULK_PAUSE" : "BULK_CANCEL", decision, entry.progress());
            return table.lock(id).progress();
        });
    }

    @Override
    public Optional<BulkProgress> progress(UUID id) {
        return transactions.autoCommitted(
                "find bulk action " + id,
                session -> new BulkTable(session).find(id).map(Entry::progress));
    }

    @Override
    public List<BulkRow> rows(UUID id, @Nullable BulkResult result, long after, int limit) {
        return transactions.autoCommitted(
                "list what became of messages", session -> new BulkRows(session, id).list(result, after, limit));
    }

    @Override
    public List<BulkProgress> list(int limit) {
        return transactions.autoCommitted(
                "list bulk actions",
                session -> new BulkTable(session)
                        .newest(limit).stream().map(Entry::progress).toList());
    }
}

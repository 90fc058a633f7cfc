package dev.postrider.jdbc.operator;

import dev.postrider.OutboxException;
import dev.postrider.admin.BulkOptions;
import dev.postrider.admin.BulkPlan;
import dev.postrider.admin.BulkProgress;
import dev.postrider.admin.BulkResult;
import dev.postrider.admin.BulkStatus;
import dev.postrider.database.Session;
import dev.postrider.database.Transactions;
import dev.postrider.jdbc.operator.BulkSelection.Stretch;
import dev.postrider.jdbc.operator.BulkTable.Counts;
import dev.postrider.jdbc.operator.BulkTable.Entry;
import dev.postrider.spi.ErrorText;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * One run of a bulk action that this process has claimed. Each batch locks the action's row first: it is the fence, and
 * it holds the position, which changes together with the messages. Not thread-safe.
 */
final class BulkRun {

    private static final int PASSES = 3;
    private static final long BETWEEN_PASSES = Duration.ofSeconds(1).toNanos();
    private static final String CHANGED = "It had been changed by somebody else";
    private static final String LOCKED = "It was locked by somebody else";

    private final Transactions transactions;
    private final BulkPlan plan;
    private final BulkOptions options;
    private final String runner;
    private final int batchSize;
    private boolean dense;
    private boolean patient;

    /**
     * What a batch came to.
     *
     * @param mine whether this process still runs the action
     * @param changed how many messages it was done to
     * @param left how many messages were locked by somebody else and come again in the next pass
     * @param ended whether the pass is over
     */
    private record Step(boolean mine, int changed, int left, boolean ended) {
        static final Step STOPPED = new Step(false, 0, 0, true);

        Step then(Step next) {
            return new Step(next.mine, changed + next.changed, left + next.left, next.ended);
        }
    }

    BulkRun(Transactions transactions, BulkPlan plan, BulkOptions options, String runner) {
        this.transactions = transactions;
        this.plan = plan;
        this.options = options;
        this.runner = runner;
        Integer rate = options.rate();
        // With a rate a batch is a second's worth at most, so that the claim is renewed in time.
        this.batchSize = rate == null ? options.batchSize() : Math.min(options.batchSize(), rate);
    }

    /**
     * Goes along the selection until nothing is left, at most three times. What the action was done to has left the
     * selection, so that another pass finds just the messages that were locked before.
     *
     * @param resumed whether an earlier run may have left messages behind
     */
    void run(boolean resumed) {
        boolean again = resumed;
        for (int pass = 1; pass <= PASSES; pass++) {
            patient = pass < PASSES;
            Step all = pass();
            if (!all.mine) {
                return;
            }
            if (all.left == 0 && !again) {
                break;
            }
            again = false;
            if (patient && !(rewind() && waited(BETWEEN_PASSES))) {
                return;
            }
        }
        inMyRow("end a bulk action", (session, entry) -> {
            BulkTable table = new BulkTable(session);
            table.stop(plan.id(), BulkStatus.DONE);
            table.note("BULK_END", plan.decision(), entry.progress());
            return Step.STOPPED;
        });
    }

    private Step pass() {
        Step all = new Step(true, 0, 0, false);
        while (!all.ended) {
            long began = System.nanoTime();
            Step step = batch();
            all = all.then(step);
            if (step.mine) {
                options.listener().accept(progress());
                if (!waited(rest(step.changed, began))) {
                    return all.then(Step.STOPPED);
                }
            }
        }
        return all;
    }

    // One message that the database refuses must not keep the others of its batch from their turn.
    private Step batch() {
        try {
            return step(batchSize, dense);
        } catch (OutboxException e) {
            Step all = new Step(true, 0, 0, false);
            for (int i = 0; i < batchSize && !all.ended; i++) {
                all = all.then(single());
            }
            return all;
        }
    }

    private Step single() {
        try {
            return step(1, true);
        } catch (OutboxException e) {
            String error = ErrorText.of(e.getCause() == null ? e : e.getCause());
            return inMyRow("note a failure", (session, entry) -> fail(session, entry, error));
        }
    }

    private Step step(int limit, boolean everythingFits) {
        return inMyRow("change messages", (session, entry) -> change(session, entry, limit, everythingFits));
    }

    private Step change(Session session, Entry entry, int limit, boolean everythingFits) throws SQLException {
        BulkSelection selection = new BulkSelection(session, plan);
        Stretch stretch = selection.look(entry.position(), limit, everythingFits);
        Map<Long, UUID> found = unknown(session, entry, stretch.found());
        List<Long> locked = selection.lock(inOrder(found));
        Map<Long, UUID> missed = without(found, locked);
        Map<Long, UUID> changed = without(missed, selection.still(inOrder(missed)));
        Map<Long, UUID> busy = without(missed, changed.keySet());
        BulkRows rows = new BulkRows(session, plan.id());
        rows.add(changed, BulkResult.SKIPPED, CHANGED);
        if (!patient) {
            rows.add(busy, BulkResult.SKIPPED, LOCKED);
        }
        rows.addDone(locked);
        intervention().apply(session, ids(session, without(found, missed.keySet())), plan.decision(), plan.id());
        int skipped = changed.size() + (patient ? 0 : busy.size());
        new BulkTable(session).advance(plan.id(), new Counts(locked.size(), skipped, 0), null, stretch.next());
        dense = stretch.dense();
        return new Step(true, locked.size(), patient ? busy.size() : 0, stretch.ended());
    }

    private Step fail(Session session, Entry entry, String error) throws SQLException {
        Stretch stretch = new BulkSelection(session, plan).look(entry.position(), 1, true);
        Map<Long, UUID> found = unknown(session, entry, stretch.found());
        new BulkRows(session, plan.id()).add(found, BulkResult.FAILED, error);
        new BulkTable(session).advance(plan.id(), new Counts(0, 0, found.size()), error, stretch.next());
        return new Step(true, 0, 0, stretch.ended());
    }

    private boolean rewind() {
        return inMyRow("begin another pass", (session, entry) -> {
                    new BulkTable(session).advance(plan.id(), Counts.NONE, null, PageCursor.of(0));
                    return new Step(true, 0, 0, false);
                })
                .mine;
    }

    /** Something to do while the action's row is locked and this process's own. */
    @FunctionalInterface
    private interface Work {
        Step run(Session session, Entry entry) throws SQLException;
    }

    private Step inMyRow(String what, Work work) {
        return transactions.transacted(what, session -> {
            Entry entry = new BulkTable(session).lock(plan.id());
            boolean mine = entry.status() == BulkStatus.RUNNING && runner.equals(entry.claimedBy());
            return mine ? work.run(session, entry) : Step.STOPPED;
        });
    }

    // Messages that failed or were skipped may still be in the selection; they have had their turn.
    private Map<Long, UUID> unknown(Session session, Entry entry, Map<Long, UUID> found) throws SQLException {
        boolean all = entry.progress().failed() + entry.progress().skipped() == 0;
        return all ? found : without(found, new BulkRows(session, plan.id()).known(found.keySet()));
    }

    private Intervention intervention() {
        return switch (plan.action()) {
            case REQUEUE -> Intervention.REQUEUE;
            case DISCARD -> Intervention.DISCARD;
            case REPLAY -> Intervention.REPLAY;
        };
    }

    private BulkProgress progress() {
        return transactions.autoCommitted(
                "read a bulk action",
                session -> new BulkTable(session).find(plan.id()).orElseThrow().progress());
    }

    private long rest(int changed, long began) {
        Integer rate = options.rate();
        long due = rate == null ? 0 : TimeUnit.SECONDS.toNanos(changed) / rate;
        return due - (System.nanoTime() - began);
    }

    // An interrupted run gives up its claim, so that another one can go on at once. The connection may not work while
    // the thread is marked as interrupted, so the mark is set again afterwards.
    private boolean waited(long nanos) {
        try {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            TimeUnit.NANOSECONDS.sleep(nanos);
            return true;
        } catch (InterruptedException e) {
            inMyRow("give up a bulk action", (session, entry) -> {
                new BulkTable(session).stop(plan.id(), BulkStatus.RUNNING);
                return Step.STOPPED;
            });
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static List<Long> inOrder(Map<Long, UUID> messages) {
        return messages.keySet().stream().sorted().toList();
    }

    private static List<Object> ids(Session session, Map<Long, UUID> messages) {
        return messages.values().stream().map(session.dialect()::id).toList();
    }

    private static Map<Long, UUID> without(Map<Long, UUID> messages, Collection<Long> seqs) {
        Map<Long, UUID> rest = new LinkedHashMap<>(messages);
        seqs.forEach(rest::remove);
        return rest;
    }
}

package dev.postrider.inbox;

import dev.postrider.OutboxException;
import dev.postrider.database.FaultPoint;
import dev.postrider.database.OpenTransaction;
import dev.postrider.database.Session;
import dev.postrider.database.Transactions;
import dev.postrider.inbox.InboxBatchResult.Entry;
import dev.postrider.inbox.InboxBatchResult.Outcome;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Handles many messages in one transaction, or, where that is not possible, one by one. */
final class BatchRun {

    private final InboxContext context;
    private final String consumer;
    private final InboxBatchHandler handler;

    BatchRun(InboxContext context, String consumer, InboxBatchHandler handler) {
        this.context = context;
        this.consumer = consumer;
        this.handler = handler;
    }

    InboxBatchResult run(List<ReceivedMessage> messages) {
        List<Incoming> incoming =
                messages.stream().map(each -> Incoming.of(each, consumer)).toList();
        if (incoming.isEmpty()) {
            return new InboxBatchResult(List.of());
        }
        boolean plain = incoming.stream()
                .noneMatch(
                        each -> each.unusableId() != null || context.settings().bySequence(each));
        return (plain ? together(incoming) : Optional.<InboxBatchResult>empty()).orElseGet(() -> oneByOne(incoming));
    }

    private Optional<InboxBatchResult> together(List<Incoming> incoming) {
        TreeMap<String, Incoming> sorted = new TreeMap<>(Comparator.naturalOrder());
        incoming.forEach(each -> sorted.putIfAbsent(each.id(), each));
        for (int conflicts = 1; ; conflicts++) {
            try {
                return once(incoming, List.copyOf(sorted.values()));
            } catch (Broken e) {
                if (e.interrupted() || e.connectionLost()) {
                    return Optional.of(unreachable(incoming, e));
                }
                if (!e.conflict() || e.busy() || conflicts > context.settings().repeats()) {
                    return Optional.empty();
                }
                if (!paused(conflicts, e.error())) {
                    return Optional.of(unreachable(incoming, e));
                }
            }
        }
    }

    /** Waits before the batch is repeated; false if the thread is interrupted. */
    private boolean paused(int conflicts, Throwable conflict) {
        context.listener().repeated(consumer);
        try {
            Transactions.pause("process a batch for consumer " + consumer, conflicts, conflict);
            return true;
        } catch (OutboxException interrupted) {
            return false;
        }
    }

    // The first one says why; to try the others would only take as long again for each.
    private InboxBatchResult unreachable(List<Incoming> incoming, Broken broken) {
        List<Entry> entries = new ArrayList<>();
        for (Incoming each : incoming) {
            entries.add(entries.isEmpty() ? failed(each, broken) : entry(each, Outcome.HELD_BACK, null));
        }
        return new InboxBatchResult(entries);
    }

    private Entry failed(Incoming incoming, Broken broken) {
        try {
            new InboxVerdict(context).broken(incoming, broken);
            throw new IllegalStateException("A lost connection is always an exception");
        } catch (InboxException e) {
            return entry(incoming, Outcome.FAILED, e);
        }
    }

    private Optional<InboxBatchResult> once(List<Incoming> incoming, List<Incoming> sorted) throws Broken {
        long start = System.nanoTime();
        try (OpenTransaction transaction = begin()) {
            Session session = transaction.session();
            IdMarks marks = new IdMarks(context.settings());
            Set<String> fresh = claim(session, marks, sorted);
            if (fresh == null) {
                return Optional.empty();
            }
            FaultPoint.reached("inbox.claimed");
            List<Incoming> wanted = wanted(incoming, fresh);
            if (!wanted.isEmpty()) {
                handle(transaction, wanted);
                FaultPoint.reached("inbox.handled");
                // Of all marks or of none: they were made in one transaction.
                OwnTransaction.check(session, marks, wanted.get(0));
                FaultPoint.reached("inbox.committing");
                OwnTransaction.commit(transaction);
                FaultPoint.reached("inbox.committed");
                context.listener().processed(consumer, wanted.size(), Duration.ofNanos(System.nanoTime() - start));
            }
            return Optional.of(result(incoming, fresh));
        }
    }

    private OpenTransaction begin() throws Broken {
        try {
            return context.transactions().begin(context.settings().lockWait());
        } catch (SQLException | OutboxException e) {
            throw new Broken(Broken.Phase.CLAIM, e);
        }
    }

    private @Nullable Set<String> claim(Session session, IdMarks own, List<Incoming> sorted) throws Broken {
        try {
            BatchMarks marks = new BatchMarks(session, context.settings(), own);
            return marks.ordinary(consumer, sorted) ? marks.claim(consumer, sorted) : null;
        } catch (SQLException e) {
            throw new Broken(Broken.Phase.CLAIM, e);
        }
    }

    // In the order in which they came; the second of two with one id is a duplicate.
    private static List<Incoming> wanted(List<Incoming> incoming, Set<String> fresh) {
        Set<String> left = new HashSet<>(fresh);
        return incoming.stream().filter(each -> left.remove(each.id())).toList();
    }

    private void handle(OpenTransaction opened, List<Incoming> wanted) throws Broken {
        List<ReceivedMessage> messages = wanted.stream().map(BatchRun::message).toList();
        try (HandlerTransaction transaction = new HandlerTransaction(opened.session(), context.outbox(), null, true)) {
            handler.handle(messages, transaction);
            opened.flush();
        } catch (Throwable e) {
            // Also an Error, also of the machine: a message that always causes it is counted and parked in the end.
            throw new Broken(Broken.Phase.HANDLER, e);
        }
    }

    private InboxBatchResult result(List<Incoming> incoming, Set<String> fresh) {
        Set<String> left = new HashSet<>(fresh);
        List<Entry> entries = new ArrayList<>();
        for (Incoming each : incoming) {
            boolean handled = left.remove(each.id());
            if (!handled) {
                context.listener().duplicate(consumer);
            }
            entries.add(entry(each, handled ? Outcome.PROCESSED : Outcome.DUPLICATE, null));
        }
        return new InboxBatchResult(entries);
    }

    private InboxBatchResult oneByOne(List<Incoming> incoming) {
        OwnTransaction transaction = new OwnTransaction(context);
        Set<String> heldKeys = new HashSet<>();
        boolean unreachable = false;
        List<Entry> entries = new ArrayList<>();
        for (Incoming each : incoming) {
            String place = place(each);
            if (unreachable || (place != null && heldKeys.contains(place))) {
                entries.add(entry(each, Outcome.HELD_BACK, null));
                continue;
            }
            Entry entry = one(transaction, each);
            entries.add(entry);
            if (entry.failure() != null) {
                unreachable = entry.failure().reason() == InboxException.Reason.INFRASTRUCTURE;
                if (place != null) {
                    heldKeys.add(place);
                }
            }
        }
        return new InboxBatchResult(entries);
    }

    private @Nullable String place(Incoming incoming) {
        return context.settings().keepsOrder(incoming)
                ? incoming.namespace() + '\n' + incoming.topic() + '\n' + incoming.key()
                : null;
    }

    private Entry one(OwnTransaction transaction, Incoming incoming) {
        try {
            InboxResult<Void> result = transaction.process(incoming, work -> {
                handler.handle(List.of(message(incoming)), work);
                return null;
            });
            if (result instanceof InboxResult.Processed) {
                return entry(incoming, Outcome.PROCESSED, null);
            }
            boolean parked = result instanceof InboxResult.Parked;
            return entry(incoming, parked ? Outcome.PARKED : Outcome.DUPLICATE, null);
        } catch (InboxException e) {
            return entry(incoming, Outcome.FAILED, e);
        }
    }

    private static Entry entry(Incoming incoming, Outcome outcome, @Nullable InboxException failure) {
        return new Entry(message(incoming), outcome, failure);
    }

    private static ReceivedMessage message(Incoming incoming) {
        ReceivedMessage message = incoming.message();
        if (message == null) {
            throw new OutboxException("A batch has messages and not only ids");
        }
        return message;
    }
}

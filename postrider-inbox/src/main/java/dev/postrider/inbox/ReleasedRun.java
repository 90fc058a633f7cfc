package dev.postrider.inbox;

import dev.postrider.OutboxException;
import dev.postrider.database.SqlWork;
import dev.postrider.inbox.InboxEntry.State;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles what an operator released, and what waited behind it. A message that is handled makes way for the next one of
 * its key. Those whose way was made free by something else are found by a window that moves on with each call.
 * Thread-safe.
 */
final class ReleasedRun {

    /** How many messages of each state one call looks at if none of them can be handled. */
    static final int WINDOW = 1_000;

    private static final Logger log = LoggerFactory.getLogger(ReleasedRun.class);
    private static final int MAX_CONSUMERS = 1_000;

    private final InboxContext context;
    private final OwnTransaction transaction;
    // Where the next window begins, by state and consumer.
    private final Map<String, Long> places = new ConcurrentHashMap<>();

    ReleasedRun(InboxContext context) {
        this.context = context;
        this.transaction = new OwnTransaction(context);
    }

    int run(String consumer, int limit, ReceivedHandler handler) {
        Run run = new Run(consumer, limit, handler);
        run.walk(State.RELEASED);
        run.walk(State.BEHIND);
        return run.handled;
    }

    /** One call. */
    private final class Run {

        private final String consumer;
        private final ReceivedHandler handler;
        private int left;
        private int handled;

        Run(String consumer, int limit, ReceivedHandler handler) {
            this.consumer = consumer;
            this.handler = handler;
            this.left = limit;
        }

        private void walk(State state) {
            boolean more = left > 0;
            while (more) {
                int before = left;
                boolean ended = window(state);
                more = !ended && left > 0 && left < before;
            }
        }

        /** Tells whether this was the last window. */
        private boolean window(State state) {
            long after = places.getOrDefault(state + consumer, 0L);
            List<WaitingRows.Waiting> waiting = read(
                    session -> new WaitingRows(session).window(context.settings(), consumer, state, after, WINDOW));
            for (WaitingRows.Waiting each : waiting) {
                if (each.ready()) {
                    OptionalLong next = chain(each.place());
                    if (left == 0) {
                        remember(state, each.place());
                        next.ifPresent(place -> remember(State.BEHIND, place - 1));
                        return false;
                    }
                }
            }
            boolean ended = waiting.size() < WINDOW;
            remember(state, ended ? 0 : waiting.get(waiting.size() - 1).place());
            return ended;
        }

        private void remember(State state, long place) {
            if (places.size() > MAX_CONSUMERS) {
                places.clear();
            }
            places.put(state + consumer, place);
        }

        /** Handles a message and those behind it, and returns the one that is left. */
        private OptionalLong chain(long first) {
            OptionalLong place = OptionalLong.of(first);
            while (place.isPresent() && left > 0) {
                long current = place.getAsLong();
                ParkedMessage parked = read(session -> new ReleasedRows(session).waiting(consumer, current))
                        .orElse(null);
                place = parked == null ? OptionalLong.empty() : handleAndNext(parked);
            }
            return place;
        }

        private OptionalLong handleAndNext(ParkedMessage parked) {
            Incoming incoming = new Incoming(consumer, parked.messageId(), parked.message(), false);
            left--;
            InboxResult<Void> result = handle(incoming, parked.message());
            boolean gone = result instanceof InboxResult.Processed || result instanceof InboxResult.Duplicate;
            handled += result instanceof InboxResult.Processed ? 1 : 0;
            return gone && incoming.key() != null
                    ? read(session -> new WaitingRows(session).next(context.settings(), incoming))
                    : OptionalLong.empty();
        }

        private @Nullable InboxResult<Void> handle(Incoming incoming, ReceivedMessage message) {
            try {
                InboxResult<Void> result = transaction.processReleased(incoming, work -> {
                    handler.handle(message, work);
                    return null;
                });
                if (result instanceof InboxResult.Duplicate) {
                    context.transactions().transacted("forget a duplicate", session -> {
                        new FailureRows(session).delete(incoming);
                        return true;
                    });
                }
                return result;
            } catch (InboxException e) {
                if (e.reason() == InboxException.Reason.INFRASTRUCTURE) {
                    throw e;
                }
                log.debug("A released message failed again", e);
                return null;
            }
        }

        private <T> T read(SqlWork<T> query) {
            try {
                return context.transactions().autoCommitted("list released messages", query);
            } catch (OutboxException e) {
                throw new InboxException(InboxException.Reason.INFRASTRUCTURE, "Could not list released messages", e);
            }
        }
    }
}

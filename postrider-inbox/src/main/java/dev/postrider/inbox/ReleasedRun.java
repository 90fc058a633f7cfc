package dev.postrider.inbox;

import dev.postrider.OutboxException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Handles what an operator released, and what waited behind it. */
final class ReleasedRun {

    private static final Logger log = LoggerFactory.getLogger(ReleasedRun.class);
    private static final int CHUNK = 100;

    private final InboxContext context;
    private final OwnTransaction transaction;

    ReleasedRun(InboxContext context) {
        this.context = context;
        this.transaction = new OwnTransaction(context);
    }

    // A message that is handled makes way for the next one of its key, which stands behind it: one walk reaches all.
    int run(String consumer, int limit, ReceivedHandler handler) {
        int handled = 0;
        long place = 0;
        while (handled < limit) {
            List<ParkedMessage> ready = ready(consumer, place, Math.min(CHUNK, limit - handled));
            if (ready.isEmpty()) {
                return handled;
            }
            for (ParkedMessage message : ready) {
                handled += handle(consumer, message, handler) ? 1 : 0;
                place = message.place();
            }
        }
        return handled;
    }

    private List<ParkedMessage> ready(String consumer, long after, int limit) {
        try {
            return context.transactions()
                    .autoCommitted(
                            "list released messages",
                            session -> new ReleasedRows(session).ready(consumer, after, limit, context.settings()));
        } catch (OutboxException e) {
            throw new InboxException(InboxException.Reason.INFRASTRUCTURE, "Could not list released messages", e);
        }
    }

    private boolean handle(String consumer, ParkedMessage parked, ReceivedHandler handler) {
        Incoming incoming = new Incoming(consumer, parked.messageId(), parked.message());
        try {
            InboxResult<Void> result = transaction.processReleased(incoming, work -> {
                handler.handle(parked.message(), work);
                return null;
            });
            if (result instanceof InboxResult.Duplicate) {
                context.transactions().transacted("forget a duplicate", session -> {
                    new FailureRows(session).delete(incoming);
                    return true;
                });
            }
            return result instanceof InboxResult.Processed;
        } catch (InboxException e) {
            if (e.reason() == InboxException.Reason.INFRASTRUCTURE) {
                throw e;
            }
            log.debug("A released message failed again", e);
            return false;
        }
    }
}

package dev.postrider.e2e;

import dev.postrider.inbox.Inbox;
import dev.postrider.inbox.InboxBatchResult;
import dev.postrider.inbox.InboxException;
import dev.postrider.inbox.InboxTransaction;
import dev.postrider.inbox.JdbcInbox;
import dev.postrider.inbox.ReceivedMessage;
import dev.postrider.jdbc.JdbcOutbox;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A consumer that gets the same few messages, and each again until it may acknowledge it, as from a broker. For one
 * thread.
 */
final class InboxShift {

    /** How the messages are handled. */
    enum Way {
        ONE_BY_ONE,
        BATCH,
        CALLERS_TRANSACTION,
        RELEASED
    }

    static final int PARK_AFTER = 2;

    private static final int BATCH_SIZE = 4;
    private static final String FLAKY = "flaky";
    private static final String POISON = "poison";
    private static final List<String> PLAIN = List.of("1", "2", "3", "4", "5", "6");
    private static final List<String> PUT_ASIDE = List.of(POISON, "behind");

    private final DataSource dataSource;
    private final Inbox inbox;
    private final String consumer;
    private final Consumer<String> acknowledged;

    /** Takes also who hears the ids of messages that may be acknowledged. */
    InboxShift(DataSource dataSource, String consumer, Consumer<String> acknowledged) {
        this.dataSource = dataSource;
        this.inbox = JdbcInbox.builder(dataSource)
                .outbox(JdbcOutbox.create())
                .parkAfter(PARK_AFTER)
                .build();
        this.consumer = consumer;
        this.acknowledged = acknowledged;
    }

    /** The ids of the messages that have an effect in the end, in their order as texts. */
    static List<String> effective(Way way) {
        List<String> ids = new ArrayList<>(PLAIN);
        switch (way) {
            case ONE_BY_ONE, BATCH -> ids.add(FLAKY);
            case CALLERS_TRANSACTION -> {}
            case RELEASED -> ids.addAll(List.of("behind", FLAKY, POISON));
        }
        return ids.stream().sorted().toList();
    }

    /** How many messages are parked in the end. */
    static int parked(Way way) {
        return switch (way) {
            case ONE_BY_ONE, BATCH -> PUT_ASIDE.size() + 1;
            case CALLERS_TRANSACTION -> 0;
            // The one without an id stays as it was.
            case RELEASED -> 1;
        };
    }

    void receive(Way way) {
        switch (way) {
            case ONE_BY_ONE -> all().forEach(this::one);
            case BATCH -> batches(all());
            case CALLERS_TRANSACTION -> plain().forEach(this::inTransaction);
            case RELEASED -> released();
        }
    }

    private static List<ReceivedMessage> plain() {
        return PLAIN.stream().map(id -> message(id, "key-" + id)).toList();
    }

    private static List<ReceivedMessage> all() {
        List<ReceivedMessage> all = new ArrayList<>(plain());
        all.add(message(FLAKY, FLAKY));
        PUT_ASIDE.forEach(id -> all.add(message(id, POISON)));
        all.add(message(null, "nobody"));
        return all;
    }

    private static ReceivedMessage message(@Nullable String id, String key) {
        return ReceivedMessage.from("orders")
                .id(id)
                .key(key)
                .type("Order")
                .source("orders-0@" + id)
                .build();
    }

    private void one(ReceivedMessage message) {
        while (true) {
            try {
                inbox.process(message, consumer, transaction -> handle(message, transaction));
                acknowledged.accept(message.id().orElse(""));
                return;
            } catch (InboxException e) {
                again(e);
            }
        }
    }

    private void batches(List<ReceivedMessage> messages) {
        for (int from = 0; from < messages.size(); from += BATCH_SIZE) {
            List<ReceivedMessage> left = messages.subList(from, Math.min(messages.size(), from + BATCH_SIZE));
            while (!left.isEmpty()) {
                left = batch(left);
            }
        }
    }

    private List<ReceivedMessage> batch(List<ReceivedMessage> messages) {
        InboxBatchResult result = inbox.processBatch(consumer, messages, (fresh, transaction) -> {
            for (ReceivedMessage each : fresh) {
                handle(each, transaction);
            }
        });
        List<ReceivedMessage> left = new ArrayList<>();
        for (InboxBatchResult.Entry each : result.entries()) {
            if (each.acknowledged()) {
                acknowledged.accept(each.message().id().orElse(""));
            } else {
                left.add(each.message());
            }
        }
        return left;
    }

    private void inTransaction(ReceivedMessage message) {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            inbox.process(
                    message.id().orElseThrow(), consumer, connection, transaction -> handle(message, transaction));
            connection.commit();
            acknowledged.accept(message.id().orElseThrow());
        } catch (SQLException e) {
            throw new IllegalStateException("Could not handle " + message, e);
        }
    }

    // This time even the poison is taken.
    private void released() {
        while (inbox.processReleased(consumer, 10, this::leave) > 0) {
            // There may be more behind them.
        }
    }

    private @Nullable Void handle(ReceivedMessage message, InboxTransaction transaction) throws SQLException {
        leave(message, transaction);
        String id = message.id().orElse("");
        if (id.equals(POISON) || (id.equals(FLAKY) && transaction.attempt() == 1)) {
            throw new IllegalStateException("no " + id);
        }
        return null;
    }

    private void leave(ReceivedMessage message, InboxTransaction transaction) throws SQLException {
        String id = message.id().orElse("");
        Ledger.leave(transaction.connection(), consumer, id);
        transaction.enqueue(Ledger.message(consumer, id));
    }

    private static void again(InboxException e) {
        if (e.reason() != InboxException.Reason.HANDLER_FAILED) {
            throw e;
        }
    }
}

package dev.postrider.e2e;

import dev.postrider.inbox.Inbox;
import dev.postrider.inbox.InboxException;
import dev.postrider.inbox.InboxListener;
import dev.postrider.inbox.JdbcInbox;
import dev.postrider.inbox.ParkReason;
import dev.postrider.inbox.ReceivedHandler;
import dev.postrider.jdbc.JdbcOutbox;
import dev.postrider.jdbc.JdbcOutboxStore;
import dev.postrider.relay.Relay;
import dev.postrider.saga.Reply;
import dev.postrider.saga.SagaEngine;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/**
 * One service of the order saga in a process of its own, with inbox, outbox and relay; that of the orders runs the
 * sagas. Started by {@link OrderSagaIT}.
 */
final class OrderMain {

    static final String ORDERS = "orders";
    static final String READY = "ready";
    static final String DUPLICATE = "duplicate";
    static final String PARKED = "parked ";

    // An engine that is slow may lose a claim: then another thread of it goes on, and nothing is done twice.
    private static final Duration CLAIM = Duration.ofSeconds(2);

    private OrderMain() {}

    public static void main(String[] arguments) {
        DataSource dataSource = Victim.dataSource(arguments);
        String service = arguments[3];
        Wire wire = new Wire(arguments[4]);
        Inbox inbox = JdbcInbox.builder(dataSource)
                .outbox(JdbcOutbox.create())
                .listener(new Printer())
                .build();
        Relay relay = Relay.builder(JdbcOutboxStore.builder(dataSource).build(), new TwicePublisher(wire.publisher()))
                .name(service)
                .build();
        relay.start();
        if (service.equals(ORDERS)) {
            wire.receive(inbox, service, OrderSaga.REPLIES, replies(dataSource));
        } else {
            wire.receive(inbox, service, service, OrderSaga.participant(service, service));
        }
        System.out.println(READY);
        while (true) {
            LockSupport.park();
        }
    }

    private static ReceivedHandler replies(DataSource dataSource) {
        SagaEngine engine = SagaEngine.builder(dataSource)
                .register(OrderSaga.definition())
                .claimFor(CLAIM)
                .build()
                .start();
        return (message, transaction) -> engine.onReply(
                transaction.connection(), Reply.of(message.type().orElseThrow(), message.headers(), message.payload()));
    }

    /** Prints what is seldom. */
    private static final class Printer implements InboxListener {

        @Override
        public void duplicate(String consumer) {
            System.out.println(DUPLICATE);
        }

        @Override
        public void parked(String consumer, ParkReason reason) {
            System.out.println(PARKED + reason);
        }

        @Override
        public void failed(String consumer, InboxException.Reason reason) {
            System.out.println("failed " + reason);
        }
    }
}

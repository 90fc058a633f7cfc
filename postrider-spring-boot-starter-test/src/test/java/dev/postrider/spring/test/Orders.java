package dev.postrider.spring.test;

import dev.postrider.Outbox;
import dev.postrider.OutboxMessage;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** Announces orders. */
@Component
class Orders {

    private final Outbox outbox;

    Orders(Outbox outbox) {
        this.outbox = outbox;
    }

    @Transactional
    void place(String id) {
        outbox.enqueue(OutboxMessage.to("orders", "placed").key(id).payload(id).build());
    }

    @Transactional
    void bill(String id) {
        outbox.enqueue(OutboxMessage.to("invoices", "made").payload(id).build());
    }

    @Transactional
    void refuse(String id) {
        place(id);
        throw new IllegalStateException("out of stock");
    }
}

package dev.postrider.server.dev.shop;

import dev.postrider.OutboxMessage;
import dev.postrider.all.Postrider;
import java.time.Duration;

/** The messages of the demo shop. Thread-safe. */
final class ShopMessages {

    static final String ORDERS = "orders";
    static final String PAYMENTS = "payments";
    static final String INVOICES = "invoices";
    static final String INVENTORY = "inventory";
    static final String SHIPMENTS = "shipments";
    static final String MAILS = "mails";

    private static final Duration FEEDBACK_AFTER = Duration.ofSeconds(20);

    private final Postrider postrider;

    ShopMessages(Postrider postrider) {
        this.postrider = postrider;
    }

    OutboxMessage order(Sale sale, String type) {
        return message(ORDERS, type, sale)
                .payload("{\"order\":\"%s\",\"customer\":\"%s\",\"cents\":%d}"
                        .formatted(sale.key(), sale.customer(), sale.cents()))
                .build();
    }

    OutboxMessage payment(Sale sale, String type) {
        return message(PAYMENTS, type, sale)
                .payload("{\"order\":\"%s\",\"cents\":%d}".formatted(sale.key(), sale.cents()))
                .build();
    }

    OutboxMessage inventory(Sale sale, String type) {
        return message(INVENTORY, type, sale)
                .payload("{\"order\":\"%s\"}".formatted(sale.key()))
                .build();
    }

    OutboxMessage shipment(Sale sale, String carrier) {
        return message(SHIPMENTS, "shipment-dispatched", sale)
                .payload("{\"order\":\"%s\",\"carrier\":\"%s\"}".formatted(sale.key(), carrier))
                .build();
    }

    OutboxMessage invoice(Sale sale, String type) {
        return message(INVOICES, type, sale)
                .payload("{\"order\":\"%s\",\"cents\":%d}".formatted(sale.key(), sale.cents()))
                .build();
    }

    /** An invoice that was cut off: no broker takes it until a person has edited it. */
    OutboxMessage poison(Sale sale) {
        return message(INVOICES, "invoice-issued", sale)
                .payload("{\"order\":\"%s\",\"cents\":".formatted(sale.key()))
                .build();
    }

    /** A message that is due later. */
    OutboxMessage feedback(Sale sale, String address) {
        return message(MAILS, "feedback-requested", sale)
                .payload("{\"order\":\"%s\",\"to\":\"%s\"}".formatted(sale.key(), address))
                .deliverAfter(FEEDBACK_AFTER)
                .build();
    }

    private OutboxMessage.Builder message(String topic, String type, Sale sale) {
        return postrider.message(topic, type).key(sale.key()).header("demo", "shop");
    }
}

package dev.postrider.hibernate;

import dev.postrider.OutboxMessage;
import jakarta.persistence.CascadeType;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.OneToMany;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** The model of the document about an order service that writes to Kafka. */
final class OrderService {

    private OrderService() {}

    record OrderItem(String product, int quantity, BigDecimal price) {}

    record OrderCreated(
            UUID eventId, Instant occurredOn, UUID orderId, String customer, List<OrderItem> items, BigDecimal total) {}

    @Entity(name = "PurchaseItem")
    static class PurchaseItem {

        @Id
        UUID id = UUID.randomUUID();

        String product = "";

        int quantity;

        BigDecimal price = BigDecimal.ZERO;
    }

    @Entity(name = "Purchase")
    static class Purchase extends AggregateRoot {

        @Id
        UUID id = UUID.randomUUID();

        String customer = "";

        @OneToMany(cascade = CascadeType.ALL)
        List<PurchaseItem> items = new ArrayList<>();

        Purchase add(String product, int quantity, String price) {
            PurchaseItem item = new PurchaseItem();
            item.product = product;
            item.quantity = quantity;
            item.price = new BigDecimal(price);
            items.add(item);
            return this;
        }

        Purchase place(String who, Instant now) {
            customer = who;
            List<OrderItem> lines = items.stream()
                    .map(item -> new OrderItem(item.product, item.quantity, item.price))
                    .toList();
            BigDecimal total = lines.stream()
                    .map(line -> line.price().multiply(BigDecimal.valueOf(line.quantity())))
                    .reduce(BigDecimal.ZERO, BigDecimal::add);
            recordEvent(new OrderCreated(OutboxMessage.newId(), now, id, customer, lines, total));
            return this;
        }
    }
}

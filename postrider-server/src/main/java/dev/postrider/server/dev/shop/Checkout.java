package dev.postrider.server.dev.shop;

import dev.postrider.jackson.JsonSagaCodec;
import dev.postrider.retry.RetryPolicy;
import dev.postrider.saga.DurableSagaDefinition;
import dev.postrider.saga.Saga;
import dev.postrider.saga.StepTransaction;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/**
 * The saga that reserves, pays and ships an order. A declined card undoes the reservation. A carrier that refuses
 * leaves the saga stuck until an operator tries again. Thread-safe.
 */
final class Checkout {

    /** The name of the definition. */
    static final String NAME = "checkout";

    /** A carrier that refuses parcels until it is asked again. */
    static final String REFUSING = "Lost and Found Ltd";

    /** A carrier that takes every parcel. */
    static final String RELIABLE = "Postrider Express";

    private static final RetryPolicy QUICK = RetryPolicy.exponential(Duration.ofMillis(300), Duration.ofSeconds(2), 3);
    private static final int REFUSALS = QUICK.maxAttempts();
    private static final int MOST_REMEMBERED = 1_000;

    private static final String RESERVE = """
            insert into demo_reservation (order_id, pieces)
            values (?, 1)
            """;

    private static final String RELEASE = """
            delete from demo_reservation
             where order_id = ?
            """;

    private final ShopTill till;
    private final CardNetwork cards = new CardNetwork();
    private final Map<UUID, Integer> refusals = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<UUID, Integer> eldest) {
            return size() > MOST_REMEMBERED;
        }
    };

    Checkout(ShopTill till) {
        this.till = till;
    }

    DurableSagaDefinition<CheckoutOrder> definition() {
        return Saga.define(NAME, CheckoutOrder.class)
                .codec(JsonSagaCodec.of(CheckoutOrder.class))
                .step("reserve-stock", step -> step.action(this::reserve).compensate(this::release))
                .external(
                        "authorise-card",
                        step -> step.call((order, call) -> order.withAuthorisation(
                                        cards.authorise(call.idempotencyKey(), order.card(), call.attempt())))
                                .verify((order, call) ->
                                        cards.find(call.idempotencyKey()).map(order::withAuthorisation))
                                .compensate((order, call) -> cards.release(call.idempotencyKey()))
                                .failOn(CardNetwork.DeclinedException.class)
                                .retry(QUICK))
                .pivot("capture-payment", step -> step.action(this::capture))
                .retriable("ship", step -> step.action(this::ship).retry(QUICK))
                .build();
    }

    private CheckoutOrder reserve(CheckoutOrder order, StepTransaction transaction) throws SQLException {
        update(transaction.connection(), RESERVE, order.id());
        transaction.enqueue(till.messages().inventory(order.sale(), "stock-reserved"));
        return order;
    }

    private void release(CheckoutOrder order, StepTransaction transaction) throws SQLException {
        update(transaction.connection(), RELEASE, order.id());
        till.advance(transaction.connection(), order.sale(), "CANCELLED");
        transaction.enqueue(till.messages().inventory(order.sale(), "stock-released"));
        transaction.enqueue(till.messages().order(order.sale(), "order-cancelled"));
    }

    private CheckoutOrder capture(CheckoutOrder order, StepTransaction transaction) throws SQLException {
        till.pay(transaction.connection(), order.sale());
        transaction.enqueue(till.messages().payment(order.sale(), "payment-captured"));
        return order;
    }

    private CheckoutOrder ship(CheckoutOrder order, StepTransaction transaction) throws SQLException {
        if (order.carrier().equals(REFUSING) && refuses(transaction.sagaId())) {
            throw new IllegalStateException("%s refuses the parcel: try again".formatted(REFUSING));
        }
        till.ship(transaction.connection(), order.sale(), order.carrier());
        transaction.enqueue(till.messages().shipment(order.sale(), order.carrier()));
        return order;
    }

    private synchronized boolean refuses(UUID saga) {
        return refusals.merge(saga, 1, Integer::sum) <= REFUSALS;
    }

    private static void update(Connection connection, String sql, long order) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setLong(1, order);
            statement.executeUpdate();
        }
    }
}

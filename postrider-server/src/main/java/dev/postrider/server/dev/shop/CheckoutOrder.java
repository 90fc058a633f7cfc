package dev.postrider.server.dev.shop;

import org.jspecify.annotations.Nullable;

/**
 * What the checkout saga knows about an order.
 *
 * @param id the order
 * @param customer who ordered
 * @param cents what it costs
 * @param card the card it is paid with
 * @param carrier who brings it
 * @param authorisation the number of the payment's authorisation; null before that step
 */
record CheckoutOrder(
        long id,
        String customer,
        long cents,
        String card,
        String carrier,
        @Nullable String authorisation) {

    static CheckoutOrder of(Sale sale, String card, String carrier) {
        return new CheckoutOrder(sale.id(), sale.customer(), sale.cents(), card, carrier, null);
    }

    CheckoutOrder withAuthorisation(@Nullable String value) {
        return new CheckoutOrder(id, customer, cents, card, carrier, value);
    }

    Sale sale() {
        return new Sale(id, customer, cents);
    }
}

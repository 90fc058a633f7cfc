package dev.postrider.spring.test;

import static dev.postrider.testkit.OutboxAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Import;

@PostriderTest
@Import(Orders.class)
class OrdersTest {

    @Autowired
    private Orders orders;

    @Autowired
    private OutboxProbe outbox;

    @Test
    void placedOrderIsAnnounced() {
        orders.place("42");

        assertThat(outbox).enqueued("orders").withKey("42").withPayload("42");

        outbox.deliverAll();
        assertThat(outbox.broker()).received("orders").inOrderForKey("42");
    }
}

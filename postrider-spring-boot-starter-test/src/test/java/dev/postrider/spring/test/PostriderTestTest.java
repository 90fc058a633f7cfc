package dev.postrider.spring.test;

import static dev.postrider.testkit.OutboxAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.springframework.beans.factory.annotation.Autowired;

@PostriderTest(properties = "spring.datasource.generate-unique-name=true")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class PostriderTestTest {

    private final Orders orders;
    private final OutboxProbe outbox;

    @Autowired
    PostriderTestTest(Orders orders, OutboxProbe outbox) {
        this.orders = orders;
        this.outbox = outbox;
    }

    @Test
    @Order(1)
    void rolledBackTransactionLeavesNoMessage() {
        assertThatThrownBy(() -> orders.refuse("1")).hasMessage("out of stock");

        assertThat(outbox).isEmpty();
        assertThatThrownBy(() -> assertThat(outbox).enqueued("orders")).isInstanceOf(AssertionError.class);
    }

    @Test
    @Order(2)
    void committedMessageIsFoundAndDeliveredWhenTheTestSaysSo() {
        orders.place("42");

        assertThat(outbox).enqueued("orders").withKey("42").withPayload("42").times(1);
        assertThat(outbox.broker().received()).isEmpty();
        assertThat(outbox.deliverAll()).isEqualTo(1);
        assertThat(outbox.broker()).received("orders").inOrderForKey("42").ofType("placed");
        assertThat(outbox.deliverAll()).isZero();
        assertThat(outbox).enqueued("orders").withKey("42");
        assertThatThrownBy(() -> assertThat(outbox).enqueued("orders").withKey("43"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("with key '43'");
    }
}

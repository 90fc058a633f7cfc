package dev.postrider.spring.test;

import static dev.postrider.testkit.OutboxAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.OutboxMessage;
import dev.postrider.relay.Relay;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Import;

@PostriderTest(properties = "test.colour=red")
@Import({Orders.class, Letters.class})
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class PostriderTestTest {

    private final Orders orders;
    private final OutboxProbe outbox;
    private final ApplicationContext context;

    @Autowired
    PostriderTestTest(Orders orders, OutboxProbe outbox, ApplicationContext context) {
        this.orders = orders;
        this.outbox = outbox;
        this.context = context;
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

    @Test
    @Order(3)
    void handlersOfTheApplicationGetTheirTopicsAndTheBrokerTheOthers() {
        outbox.broker().clear();
        orders.bill("1");
        orders.place("2");
        orders.bill("3");

        assertThat(outbox.deliverAll()).isEqualTo(3);

        assertThat(outbox.failures()).isEmpty();
        assertThat(context.getBean(Letters.class).written()).containsExactly("1", "3");
        assertThat(outbox.broker().received()).extracting(OutboxMessage::topic).containsExactly("orders");
    }

    @Test
    @Order(4)
    void handlerThatFailsLeavesItsMessageForALaterTry() {
        orders.bill("broken invoice");

        assertThat(outbox.deliverAll()).isZero();

        assertThat(outbox.failures()).singleElement().asString().contains("cannot read broken invoice");
        assertThat(outbox).enqueued("invoices").withPayload("broken invoice");
    }

    @Test
    @Order(5)
    void onlyAPartOfTheApplicationIsStarted() {
        assertThat(context.getBeanProvider(Payroll.class).getIfAvailable()).isNull();
        assertThat(context.getBeanProvider(Relay.class).getIfAvailable()).isNull();
        assertThat(context.getEnvironment().getProperty("test.colour")).isEqualTo("red");
    }
}

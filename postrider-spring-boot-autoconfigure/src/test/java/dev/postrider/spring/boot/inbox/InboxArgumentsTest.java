package dev.postrider.spring.boot.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.OutboxMessage;
import dev.postrider.Receipt;
import dev.postrider.inbox.InboxTransaction;
import dev.postrider.inbox.ReceivedMessage;
import dev.postrider.spi.PayloadCodec;
import dev.postrider.spring.InboxListener;
import dev.postrider.spring.boot.internal.BeanMethods;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;

final class InboxArgumentsTest {

    @Test
    void payloadBecomesTheObjectOfTheParameter() throws Exception {
        Orders orders = handled(ReceivedMessage.from("orders")
                .type("order")
                .payload("42".getBytes(StandardCharsets.UTF_8))
                .build());

        assertThat(orders.taken).containsExactly(new Order("42"));
    }

    @Test
    void exceptionOfTheMethodComesAsItIs() {
        assertThatThrownBy(() -> handled(ReceivedMessage.from("orders")
                        .type("order")
                        .payload("bad".getBytes(StandardCharsets.UTF_8))
                        .build()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("bad order");
    }

    private static Orders handled(ReceivedMessage message) throws Exception {
        DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
        beans.registerBeanDefinition("orders", new RootBeanDefinition(Orders.class));
        BeanMethods.Found<InboxListener> listening =
                new BeanMethods(beans).with(InboxListener.class).get(0);
        new InboxArguments(new Orders.Codec()).handler(listening).handle(message, new Nothing());
        return beans.getBean(Orders.class);
    }

    record Order(String id) {}

    static class Orders {

        private final List<Order> taken = new CopyOnWriteArrayList<>();

        @InboxListener(topics = "orders", consumer = "billing")
        void take(Order order) {
            if (order.id().equals("bad")) {
                throw new IllegalStateException("bad order");
            }
            taken.add(order);
        }

        /** Reads orders. */
        static final class Codec implements PayloadCodec {

            @Override
            public OutboxMessage.Builder message(String topic, Object value) {
                throw new UnsupportedOperationException();
            }

            @Override
            public Object decode(String type, int version, byte[] payload) {
                return new Order(new String(payload, StandardCharsets.UTF_8));
            }
        }
    }

    /** No method uses it here. */
    private static final class Nothing implements InboxTransaction {

        @Override
        public Connection connection() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Receipt enqueue(OutboxMessage message) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int attempt() {
            return 1;
        }
    }
}

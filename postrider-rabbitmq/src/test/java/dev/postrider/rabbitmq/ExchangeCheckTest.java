package dev.postrider.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.ConnectionFactory;
import dev.postrider.OutboxException;
import dev.postrider.OutboxMessage;
import dev.postrider.rabbitmq.ExchangeReport.Status;
import dev.postrider.spi.PublishResult;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class ExchangeCheckTest {

    private static final AtomicInteger NAMES = new AtomicInteger();

    private final String name = "checked-" + NAMES.incrementAndGet();
    private Broker broker;

    @BeforeAll
    static void requireBroker() {
        Broker.require();
    }

    @BeforeEach
    void connect() {
        broker = Broker.shared();
    }

    @AfterEach
    void disconnect() {
        broker.deleteExchange(name).close();
    }

    @Test
    void anExchangeWithoutAlternateIsReady() {
        broker.exchange(name);

        assertThat(check(name)).singleElement().satisfies(report -> {
            assertThat(report.exchange()).isEqualTo(name);
            assertThat(report.status()).isEqualTo(Status.READY);
        });
    }

    @Test
    void everyKindOfExchangeCanBeChecked() {
        for (String type : List.of("direct", "fanout", "headers", "topic")) {
            for (boolean durable : new boolean[] {true, false}) {
                broker.deleteExchange(name).exchange(name, type, durable, true, Map.of());
                assertThat(check(name)).extracting(ExchangeReport::status).containsExactly(Status.READY);

                broker.deleteExchange(name)
                        .exchange(name, type, durable, true, Map.of("alternate-exchange", "amq.fanout"));
                assertThat(check(name)).extracting(ExchangeReport::status).containsExactly(Status.ALTERNATE_EXCHANGE);
            }
        }
    }

    @Test
    void anAlternateExchangeIsReportedBecauseItSwallowsWhatNoQueueTakes() {
        broker.queue(name).bind(name, "amq.fanout").exchange(name, Map.of("alternate-exchange", "amq.fanout"));

        assertThat(check(name)).singleElement().satisfies(report -> {
            assertThat(report.status()).isEqualTo(Status.ALTERNATE_EXCHANGE);
            assertThat(report.advice()).contains("'amq.fanout'", "counts as delivered");
        });
        try (RabbitPublisher publisher =
                RabbitPublisher.builder(broker.factory()).build()) {
            assertThat(Answers.of(publisher, OutboxMessage.to(name, "t").build()))
                    .as("the reason for the report")
                    .isEqualTo(PublishResult.acked());
        }
        broker.deleteQueue(name);
    }

    @Test
    void aMissingExchangeIsReportedAndNotMade() {
        assertThat(check(name)).singleElement().satisfies(report -> {
            assertThat(report.status()).isEqualTo(Status.UNUSABLE);
            assertThat(report.advice()).contains(name, "does not exist");
        });

        assertThat(check(name)).extracting(ExchangeReport::status).containsExactly(Status.UNUSABLE);
    }

    @Test
    void theQuestionForTheAlternateExchangeNeverMakesAnExchange() throws Exception {
        ConnectionFactory factory = broker.factory();
        try (var connection = factory.newConnection()) {
            ExchangeReport report = ExchangeProbe.existing(connection, name);

            assertThat(report.status()).isEqualTo(Status.UNCHECKED);
        }
        assertThat(check(name)).extracting(ExchangeReport::status).containsExactly(Status.UNUSABLE);
    }

    @Test
    void withoutTheRightToConfigureTheAlternateExchangeIsUnknown() {
        broker.exchange(name);
        broker.server().ctl("add_user", name, "secret");
        broker.server().ctl("set_permissions", name, "^$", ".*", "^$");
        ConnectionFactory factory = broker.factory();
        factory.setUsername(name);
        factory.setPassword("secret");

        try (RabbitPublisher publisher = RabbitPublisher.builder(factory).build()) {
            assertThat(publisher.check(name)).singleElement().satisfies(report -> {
                assertThat(report.status()).isEqualTo(Status.UNCHECKED);
                assertThat(report.advice()).contains("ACCESS_REFUSED");
            });
            assertThat(Answers.of(publisher, OutboxMessage.to(name, "t").build())
                            .kind())
                    .as("it may publish all the same; no queue is bound")
                    .isEqualTo(PublishResult.Kind.REJECTED);
        }
    }

    @Test
    void anInternalExchangeIsUnusable() {
        broker.internalExchange(name);

        assertThat(check(name)).extracting(ExchangeReport::status).containsExactly(Status.UNUSABLE);
    }

    @Test
    void theConstantExchangeIsCheckedUnasked() {
        broker.exchange(name);
        try (RabbitPublisher constant =
                        RabbitPublisher.builder(broker.factory()).exchange(name).build();
                RabbitPublisher toDefault = RabbitPublisher.builder(broker.factory())
                        .defaultExchange()
                        .build()) {
            assertThat(constant.check()).extracting(ExchangeReport::exchange).containsExactly(name);
            assertThat(toDefault.check("amq.topic"))
                    .extracting(ExchangeReport::status)
                    .containsExactly(Status.READY, Status.READY);
        }
    }

    @Test
    void aBrokerThatIsNotThereCannotBeChecked() {
        ConnectionFactory factory = broker.factory();
        factory.setPort(1);

        try (RabbitPublisher publisher = RabbitPublisher.builder(factory).build()) {
            assertThatThrownBy(() -> publisher.check(name))
                    .isInstanceOf(OutboxException.class)
                    .hasMessageContaining("Could not connect");
        }
    }

    private List<ExchangeReport> check(String exchange) {
        try (RabbitPublisher publisher =
                RabbitPublisher.builder(broker.factory()).build()) {
            return publisher.check(exchange);
        }
    }
}

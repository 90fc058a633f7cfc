package dev.postrider.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.Delivery;
import dev.postrider.OutboxMessage;
import dev.postrider.publish.MessageHeaders;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.PublishResult.Kind;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What becomes of single messages, on a real broker. */
final class RabbitPublisherTest {

    private static final AtomicInteger NAMES = new AtomicInteger();

    private final String name = "single-" + NAMES.incrementAndGet();
    private final List<RabbitPublisher> publishers = new ArrayList<>();
    private Broker broker;
    private List<Delivery> arrived;

    @BeforeAll
    static void requireBroker() {
        Broker.require();
    }

    @BeforeEach
    void connect() {
        broker = Broker.shared().exchange(name).queue(name).bind(name, name);
        arrived = broker.consume(name);
    }

    @AfterEach
    void disconnect() {
        publishers.forEach(RabbitPublisher::close);
        broker.deleteExchange(name).deleteQueue(name).close();
    }

    @Test
    @Tag("R2.4")
    void theRoutingKeyIsTheTypeUnlessSaidOtherwise() {
        publish(publisher(builder()), message().build());
        publish(
                publisher(builder().routingKey("{namespace}.{type}.{key}")),
                message().key("42").build());

        awaitArrived(2);
        assertThat(arrived)
                .extracting(delivery -> delivery.getEnvelope().getRoutingKey())
                .containsExactly("order.placed", "default.order.placed.42");
    }

    @Test
    @SuppressWarnings("deprecation") // NIO is, in newer clients, in favour of Netty.
    void factoryWithoutBlockingSocketsIsUnavailableWithTheRemedy() {
        ConnectionFactory nio = broker.factory();
        nio.useNio();
        ConnectionFactory netty = broker.factory();
        netty.netty();

        for (ConnectionFactory factory : List.of(nio, netty)) {
            PublishResult result = Answers.of(
                    publisher(RabbitPublisher.builder(factory)), message().build());

            assertThat(result.kind()).isEqualTo(Kind.UNAVAILABLE);
            assertThat(result.error()).contains("do not call useNio() or netty()");
        }
    }

    @Test
    void aConstantExchangeAndTheDefaultExchangeTakeMessagesOfEveryTopic() {
        publish(
                publisher(builder().exchange(name)),
                OutboxMessage.to("else", "a").build());
        publish(
                publisher(builder().defaultExchange().routingKey(name)),
                OutboxMessage.to("elsewhere", "b").build());

        awaitArrived(2);
        assertThat(arrived)
                .extracting(delivery -> Broker.header(delivery, MessageHeaders.TOPIC))
                .containsExactly("else", "elsewhere");
    }

    @Test
    @Tag("R1.17")
    void aConsumerFindsEverythingItNeedsInPropertiesAndHeaders() {
        UUID id = UUID.fromString("01890a5d-ac96-774b-bcce-b302099a8057");
        OutboxMessage message = message()
                .id(id)
                .key("schlüssel-✓")
                .tenant("tenant-1")
                .header("correlation-id", "c-1")
                .header("größe", "x² 漢字 🚀")
                .contentType("application/vnd.order+json")
                .payload("{}")
                .build();

        publish(publisher(builder()), message);

        awaitArrived(1);
        BasicProperties properties = arrived.get(0).getProperties();
        assertThat(properties.getMessageId()).isEqualTo(id.toString());
        assertThat(properties.getType()).isEqualTo("order.placed");
        assertThat(properties.getContentType()).isEqualTo("application/vnd.order+json");
        assertThat(properties.getDeliveryMode()).isEqualTo(2);
        assertThat(properties.getCorrelationId()).isEqualTo("c-1");
        assertThat(properties.getTimestamp().toInstant()).isEqualTo(Instant.parse("2023-06-30T03:34:18Z"));
        assertThat(Broker.message(arrived.get(0)).headers())
                .containsEntry("correlation-id", "c-1")
                .containsEntry("größe", "x² 漢字 🚀")
                .containsEntry(MessageHeaders.KEY, "schlüssel-✓")
                .containsEntry(MessageHeaders.TENANT, "tenant-1")
                .containsKey(MessageHeaders.SEQ)
                .doesNotContainKeys(MessageHeaders.TOPIC, MessageHeaders.NAMESPACE, MessageHeaders.VERSION);
    }

    @Test
    @Tag("R1.17")
    void aDedupeKeyTravelsAlongAndItsIdTellsNoTime() {
        publish(publisher(builder()), message().dedupeKey("once").build());

        awaitArrived(1);
        assertThat(Broker.header(arrived.get(0), MessageHeaders.DEDUPE_KEY)).isEqualTo("once");
        assertThat(arrived.get(0).getProperties().getTimestamp()).isNull();
    }

    @Test
    void aRepeatedMessageIsByteForByteTheFirst() {
        RabbitPublisher publisher = publisher(builder().cloudEvents(URI.create("urn:shop")));
        ClaimedMessage claimed =
                Answers.claimed(message().key("42").header("a", "b").build());
        Answers answers = new Answers();

        publisher.publish(List.of(claimed), answers);
        publisher.publish(List.of(claimed), answers);

        awaitArrived(2);
        assertThat(arrived.get(1).getProperties()).isEqualTo(arrived.get(0).getProperties());
        assertThat(arrived.get(1).getBody()).isEqualTo(arrived.get(0).getBody());
        assertThat(arrived.get(1).getEnvelope().getRoutingKey())
                .isEqualTo(arrived.get(0).getEnvelope().getRoutingKey());
    }

    @Test
    void cloudEventsAttributesAreHeaders() {
        publish(
                publisher(builder().cloudEvents(URI.create("urn:shop"))),
                message().key("42").build());

        awaitArrived(1);
        assertThat(Broker.message(arrived.get(0)).headers())
                .containsEntry("cloudEvents:specversion", "1.0")
                .containsEntry("cloudEvents:source", "urn:shop")
                .containsEntry("cloudEvents:type", "order.placed")
                .containsEntry("cloudEvents:subject", "42")
                .containsKeys("cloudEvents:id", "cloudEvents:time");
    }

    @Test
    void aMessageThatNoQueueTakesIsRejectedAlthoughTheBrokerAcksIt() {
        RabbitPublisher publisher = publisher(builder());
        broker.unbind(name, name);

        PublishResult result = Answers.of(publisher, message().build());

        assertThat(result.kind()).isEqualTo(Kind.REJECTED);
        assertThat(result.error()).contains("No queue takes it", name, "order.placed", "312 NO_ROUTE");
    }

    @Test
    @Tag("R2.5")
    void unroutableMessageIsRetriedWhereThePublisherIsToldSo() {
        RabbitPublisher publisher = publisher(builder().unroutable(RabbitPublisher.Unroutable.RETRY));
        broker.unbind(name, name);
        OutboxMessage message = message().build();

        PublishResult unrouted = Answers.of(publisher, message);
        broker.bind(name, name);
        PublishResult routed = Answers.of(publisher, message);

        assertThat(unrouted.kind()).isEqualTo(Kind.FAILED);
        assertThat(unrouted.error()).contains("No queue takes it", name, "312 NO_ROUTE");
        assertThat(routed.kind()).isEqualTo(Kind.ACKED);
    }

    @Test
    void aMessageThatIsSentTwiceAndReturnedTwiceIsNeverAcked() {
        RabbitPublisher publisher = publisher(builder());
        broker.unbind(name, name);
        OutboxMessage message = message().build();
        List<ClaimedMessage> wave = IntStream.range(0, 100)
                .mapToObj(i -> new ClaimedMessage(7, i, "relay", 1, 1, false, 0, false, null, message))
                .toList();
        List<PublishResult> results = new CopyOnWriteArrayList<>();

        publisher.publish(wave, (claimed, result) -> results.add(result));

        await().atMost(Answers.PATIENCE).until(() -> results.size() == wave.size());
        assertThat(results).extracting(PublishResult::kind).containsOnly(Kind.REJECTED);
    }

    @Test
    void unroutableMessagesAmongRoutableOnesAreFoundOut() {
        broker.unbind(name, name);
        broker.bindKey(name, name, "good");
        RabbitPublisher publisher = publisher(builder());
        List<ClaimedMessage> wave = IntStream.range(0, 300)
                .mapToObj(i -> Answers.claimed(
                        OutboxMessage.to(name, i % 3 == 0 ? "bad" : "good").build()))
                .toList();
        Answers answers = new Answers();

        publisher.publish(wave, answers);

        assertThat(wave)
                .allSatisfy(claimed -> assertThat(answers.kind(claimed))
                        .isEqualTo(claimed.message().type().equals("bad") ? Kind.REJECTED : Kind.ACKED));
        awaitArrived(200);
    }

    @Test
    void aMissingExchangeHurtsOnlyItsOwnMessages() {
        RabbitPublisher publisher = publisher(builder());
        List<ClaimedMessage> wave = IntStream.range(0, 101)
                .mapToObj(i -> Answers.claimed(OutboxMessage.to(i == 50 ? name + "-missing" : name, "t")
                        .build()))
                .toList();
        Answers answers = new Answers();

        publisher.publish(wave, answers);

        answers.awaitAll(wave);
        PublishResult missing = answers.await(wave.get(50));
        assertThat(missing.kind()).isEqualTo(Kind.UNAVAILABLE);
        assertThat(missing.error()).contains(name + "-missing", "does not exist", "declare it");
        assertThat(wave.stream().filter(each -> !each.equals(wave.get(50))))
                .allSatisfy(claimed -> assertThat(answers.kind(claimed)).isEqualTo(Kind.ACKED));
        awaitArrived(100);
    }

    @Test
    void anExchangeThatIsDeletedUnderAnOpenChannelIsUnavailableUntilItIsBack() {
        RabbitPublisher publisher = publisher(builder());
        publish(publisher, message().build());

        broker.deleteExchange(name);
        PublishResult result = Answers.of(publisher, message().build());
        broker.exchange(name).bind(name, name);

        assertThat(result.kind()).isEqualTo(Kind.UNAVAILABLE);
        assertThat(result.error()).contains("NOT_FOUND");
        publish(publisher, message().build());
        awaitArrived(2);
    }

    @Test
    void aFullQueueThatRejectsPublishesFailsTheMessage() {
        broker.queue(name + "-full", Map.of("x-max-length", 1, "x-overflow", "reject-publish"));
        RabbitPublisher publisher = publisher(builder().defaultExchange().routingKey(name + "-full"));
        List<ClaimedMessage> wave = Answers.claimed(
                IntStream.range(0, 20).mapToObj(i -> message().build()).toArray(OutboxMessage[]::new));
        Answers answers = new Answers();

        publisher.publish(wave, answers);

        answers.awaitAll(wave);
        assertThat(wave).extracting(answers::kind).containsOnly(Kind.ACKED, Kind.FAILED);
        assertThat(wave.stream().filter(each -> answers.kind(each) == Kind.ACKED))
                .hasSize(broker.drain(name + "-full").size());
        broker.deleteQueue(name + "-full");
    }

    @Test
    void whatIsTooLongForAmqpIsRejectedWithAClearText() {
        RabbitPublisher byKey = publisher(builder().routingKey("{key}"));

        PublishResult inBytes = Answers.of(byKey, message().key("ü".repeat(128)).build());
        PublishResult justFits =
                Answers.of(byKey, message().key("ü".repeat(127) + "x").build());
        PublishResult noKey = Answers.of(byKey, message().build());

        assertThat(inBytes.kind()).isEqualTo(Kind.REJECTED);
        assertThat(inBytes.error()).contains("routing key has 256 bytes", "at most 255");
        assertThat(justFits.kind()).isEqualTo(Kind.ACKED);
        assertThat(noKey.kind()).isEqualTo(Kind.REJECTED);
        assertThat(noKey.error()).contains("needs a key");
    }

    @Test
    void headersThatDoNotFitIntoAFrameAreRejectedAndTheTagsOfTheOthersStayRight() {
        RabbitPublisher publisher = publisher(builder());
        OutboxMessage.Builder tooMuch = message();
        for (int i = 0; i < 200; i++) {
            tooMuch.header("header-" + i, "x".repeat(1_000));
        }
        List<ClaimedMessage> wave = Answers.claimed(
                message().build(),
                tooMuch.id(UUID.randomUUID()).restore(),
                message().build());
        Answers answers = new Answers();

        publisher.publish(wave, answers);
        List<ClaimedMessage> next = Answers.claimed(message().build(), message().build());
        publisher.publish(next, answers);

        assertThat(wave).extracting(answers::kind).containsExactly(Kind.ACKED, Kind.REJECTED, Kind.ACKED);
        assertThat(next).extracting(answers::kind).containsExactly(Kind.ACKED, Kind.ACKED);
        awaitArrived(4);
    }

    @Test
    void aMessageAboveTheBrokersOwnLimitIsRejectedAndTheOthersArriveLater() {
        broker.server().ctl("eval", "application:set_env(rabbit, max_message_size, 100000).");
        try {
            RabbitPublisher publisher = publisher(builder());
            List<ClaimedMessage> wave = Answers.claimed(
                    message().payload("small").build(),
                    message().payload(new byte[100_001]).build(),
                    message().payload(new byte[100_000]).build());
            Answers answers = new Answers();

            publisher.publish(wave, answers);

            answers.awaitAll(wave);
            assertThat(answers.kind(wave.get(1))).isEqualTo(Kind.REJECTED);
            assertThat(answers.await(wave.get(1)).error()).contains("PRECONDITION_FAILED");
            assertThat(answers.kind(wave.get(2))).isEqualTo(Kind.UNAVAILABLE);
            assertThat(Answers.of(publisher, wave.get(2).message()).kind()).isEqualTo(Kind.ACKED);
        } finally {
            broker.server().ctl("eval", "application:set_env(rabbit, max_message_size, 134217728).");
        }
    }

    @Test
    void whoMayNotWriteIsToldSoAndNothingIsCounted() {
        broker.server().ctl("add_user", name, "secret");
        broker.server().ctl("set_permissions", name, "^$", "^$", "^$");
        ConnectionFactory factory = broker.factory();
        factory.setUsername(name);
        factory.setPassword("secret");
        RabbitPublisher publisher = publisher(RabbitPublisher.builder(factory));

        PublishResult result = Answers.of(publisher, message().build());

        assertThat(result.kind()).isEqualTo(Kind.UNAVAILABLE);
        assertThat(result.error()).contains("ACCESS_REFUSED");
    }

    @Test
    void aWrongPasswordMakesTheBrokerUnavailableAndIsNotRepeatedInTheText() {
        ConnectionFactory factory = broker.factory();
        factory.setPassword("not-the-password");
        RabbitPublisher publisher = publisher(RabbitPublisher.builder(factory));

        PublishResult result = Answers.of(publisher, message().build());

        assertThat(result.kind()).isEqualTo(Kind.UNAVAILABLE);
        assertThat(result.error()).contains("ACCESS_REFUSED").doesNotContain("not-the-password");
    }

    @Test
    void aBrokerThatIsNotThereMakesEverythingUnavailableAtOnce() {
        ConnectionFactory factory = broker.factory();
        factory.setPort(1);
        RabbitPublisher publisher = publisher(RabbitPublisher.builder(factory));
        List<ClaimedMessage> wave = Answers.claimed(message().build(), message().build());
        Answers answers = new Answers();

        publisher.publish(wave, answers);

        assertThat(wave).extracting(answers::kind).containsOnly(Kind.UNAVAILABLE);
        assertThat(answers.await(wave.get(0)).error()).contains("Could not connect to RabbitMQ at 127.0.0.1:1");
    }

    @Test
    void closingAnswersWhatHasNoAnswer() {
        RabbitPublisher publisher = publisher(builder());
        List<ClaimedMessage> wave = Answers.claimed(
                IntStream.range(0, 500).mapToObj(i -> message().build()).toArray(OutboxMessage[]::new));
        Answers answers = new Answers();

        publisher.publish(wave, answers);
        publisher.close();

        answers.awaitAll(wave);
        assertThat(answers.count()).isEqualTo(wave.size());
        assertThat(wave).extracting(answers::kind).isSubsetOf(Kind.ACKED, Kind.UNAVAILABLE);
    }

    @Test
    void aRemoteBrokerWithoutTlsIsRefused() {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost("rabbit.example.org");

        assertThatThrownBy(() -> RabbitPublisher.builder(factory).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("rabbit.example.org")
                .hasMessageContaining("allowPlaintext");
        publisher(RabbitPublisher.builder(factory).allowPlaintext(true));
    }

    @Test
    void settingsThatMakeNoSenseAreRefusedByName() {
        assertThatThrownBy(() -> builder().maxMessageSize(0)).hasMessageContaining("maxMessageSize");
        assertThatThrownBy(() -> builder().confirmTimeout(Duration.ZERO)).hasMessageContaining("confirmTimeout");
        assertThatThrownBy(() -> builder().routingKey("{colour}")).hasMessageContaining("{colour}");
        assertThatThrownBy(() -> builder().exchange(" ")).hasMessageContaining("blank");
    }

    private OutboxMessage.Builder message() {
        return OutboxMessage.to(name, "order.placed");
    }

    private RabbitPublisher.Builder builder() {
        return RabbitPublisher.builder(broker.factory()).confirmTimeout(Answers.PATIENCE);
    }

    private RabbitPublisher publisher(RabbitPublisher.Builder builder) {
        RabbitPublisher publisher = builder.build();
        publishers.add(publisher);
        return publisher;
    }

    private static void publish(RabbitPublisher publisher, OutboxMessage message) {
        assertThat(Answers.of(publisher, message)).isEqualTo(PublishResult.acked());
    }

    private void awaitArrived(int count) {
        await().atMost(Answers.PATIENCE).until(() -> arrived.size() >= count);
        assertThat(arrived).hasSize(count);
    }
}

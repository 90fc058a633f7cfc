package dev.postrider.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.ConnectionFactory;
import dev.postrider.OutboxMessage;
import dev.postrider.admin.Decision;
import dev.postrider.inbox.ParkReason;
import dev.postrider.inbox.ParkedMessage;
import dev.postrider.inbox.ReceivedMessage;
import dev.postrider.inbox.consumer.ConsumerHealth;
import dev.postrider.services.Database.Kind;
import dev.postrider.spi.PublishResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A consumer between a real broker and a real inbox. */
@Tag("R0.7")
final class RabbitInboxConsumerTest {

    private @Nullable RabbitSite opened;

    private RabbitSite open(Kind kind, Map<String, Object> queueArguments) {
        RabbitSite site = new RabbitSite(Broker.shared(), kind, queueArguments);
        opened = site;
        return site;
    }

    @AfterEach
    void close() {
        if (opened != null) {
            opened.close();
        }
    }

    @ParameterizedTest
    @CsvSource({"POSTGRES_15, classic", "POSTGRES_15, quorum", "MARIADB, classic"})
    @Tag("I1")
    @Tag("I2")
    void aMessageHasOneEffectHoweverOftenItComes(Kind kind, String type) {
        RabbitSite site = open(kind, Map.of("x-queue-type", type));
        site.send(100);
        site.send(100);

        try (RabbitInboxConsumer consumer =
                site.consumer().threads(2).handler(Desk::effect).build().start()) {
            await().atMost(RabbitSite.PATIENCE).until(() -> site.desk.duplicates.get() == 100);
            await().atMost(RabbitSite.PATIENCE).until(() -> consumer.health().state() == ConsumerHealth.State.RUNNING);
            site.assertOneEffectEach(RabbitSite.names(100), consumer);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "quorum"})
    @Tag("B1")
    void aFailureHoldsUpItsKeyOnlyAndTheOrderOfTheKeyIsKept(String type) {
        RabbitSite site = open(Kind.POSTGRES_15, Map.of("x-queue-type", type));
        AtomicBoolean broken = new AtomicBoolean(true);
        List<String> ofTheKey = Collections.synchronizedList(new ArrayList<>());
        site.send("bad", "b1", "b1");
        site.send("bad", "b2", "b2");
        site.send(60);
        site.send("bad", "b3", "b3");

        try (RabbitInboxConsumer consumer = site.consumer(
                        site.desk.inbox().parkAfter(1_000_000).build())
                .prefetch(10)
                .handler((message, transaction) -> {
                    Desk.effect(message, transaction);
                    if (message.key().orElseThrow().equals("bad")) {
                        if (broken.get()) {
                            throw new IllegalStateException("not now");
                        }
                        ofTheKey.add(Desk.text(message));
                    }
                })
                .build()
                .start()) {
            site.awaitEffects(60);
            await().atMost(RabbitSite.PATIENCE).until(() -> site.desk.failures.get() >= 5);
            await().atMost(RabbitSite.PATIENCE)
                    .until(() -> consumer.health().waiting().equals(List.of(site.queue)));
            assertThat(site.desk.effects()).containsExactlyInAnyOrderElementsOf(RabbitSite.names(60));
            // It was kept, not given back and delivered again.
            assertThat(site.desk.strings("select message_id from inbox_failure"))
                    .containsExactly("b1");

            broken.set(false);
            List<String> all = new ArrayList<>(RabbitSite.names(60));
            all.addAll(List.of("b1", "b2", "b3"));
            site.assertOneEffectEach(all, consumer);
        }
        assertThat(ofTheKey).containsExactly("b1", "b2", "b3");
        assertThat(site.desk.parked).isEmpty();
        assertThat(site.desk.duplicates).hasValue(0);
    }

    @Test
    @Tag("I3")
    @Tag("I10")
    void aMessageThatAlwaysFailsIsParkedWithThoseOfItsKeyBehindItUntilItIsReleased() {
        RabbitSite site = open(Kind.POSTGRES_15, RabbitSite.CLASSIC);
        AtomicBoolean broken = new AtomicBoolean(true);
        site.send("a", "a1", "a1");
        site.send("b", "b1", "b1");
        site.send("a", "a2", "a2");
        site.send("b", "b2", "b2");

        try (RabbitInboxConsumer consumer = site.consumer(
                        site.desk.inbox().parkAfter(3).build())
                .handler((message, transaction) -> {
                    Desk.effect(message, transaction);
                    if (broken.get() && Desk.text(message).equals("a1")) {
                        throw new IllegalStateException("never");
                    }
                })
                .build()
                .start()) {
            await().atMost(RabbitSite.PATIENCE).until(() -> site.desk.parked.size() == 2);
            site.awaitEffects(2);
            assertThat(site.desk.effects()).containsExactlyInAnyOrder("b1", "b2");
            assertThat(site.desk.parked).containsExactly(ParkReason.FAILED, ParkReason.BEHIND);
            assertThat(site.desk.admin().parked(Desk.CONSUMER, 0, 10))
                    .extracting(ParkedMessage::messageId)
                    .containsExactly("a1", "a2");

            broken.set(false);
            site.desk.admin().release(Desk.CONSUMER, List.of("a1"), new Decision("operator", "repaired"));
            site.assertOneEffectEach(List.of("b1", "b2", "a1", "a2"), consumer);
        }
    }

    @Test
    @Tag("I3")
    void aMessageWithoutAnIdIsParkedUnlessOneCanBeExtracted() {
        RabbitSite site = open(Kind.POSTGRES_15, RabbitSite.CLASSIC);
        site.send(null, null, "nameless");
        site.send(null, null, "nameless too");
        site.broker.send(
                site.queue, new BasicProperties.Builder().correlationId("c-1").build(), "correlated");

        try (RabbitInboxConsumer consumer = site.consumer()
                .idFrom(delivery -> delivery.getProperties().getCorrelationId())
                .handler(Desk::effect)
                .build()
                .start()) {
            await().atMost(RabbitSite.PATIENCE).until(() -> site.desk.parked.size() == 2);
            site.assertOneEffectEach(List.of("correlated"), consumer);
        }
        assertThat(site.desk.admin().parked(Desk.CONSUMER, 0, 10))
                .allMatch(parked -> parked.reason() == ParkReason.NO_ID)
                .extracting(parked -> Desk.text(parked.message()))
                .containsExactly("nameless", "nameless too");
        assertThat(site.desk.strings("select message_id from effect")).containsExactly("c-1");
    }

    @Test
    @Tag("I8")
    void aBatchIsHandledTogetherAndABadMessageTakesNobodyDown() {
        RabbitSite site = open(Kind.POSTGRES_15, RabbitSite.CLASSIC);
        List<Integer> sizes = Collections.synchronizedList(new ArrayList<>());
        site.send(100);

        try (RabbitInboxConsumer consumer = site.consumer(
                        site.desk.inbox().parkAfter(2).build())
                .batchHandler(20, (messages, transaction) -> {
                    sizes.add(messages.size());
                    Desk.effects(messages, transaction);
                    if (messages.stream().map(Desk::text).anyMatch("m31"::equals)) {
                        throw new IllegalStateException("never");
                    }
                })
                .build()
                .start()) {
            await().atMost(RabbitSite.PATIENCE).until(() -> site.desk.parked.size() == 1);
            List<String> good = new ArrayList<>(RabbitSite.names(100));
            good.remove("m31");
            site.assertOneEffectEach(good, consumer);
        }
        assertThat(sizes).contains(20);
        assertThat(site.desk.parked).containsExactly(ParkReason.FAILED);
    }

    @Test
    @Tag("I3")
    void closingEndsTheHandlerUnderWayAndLosesAndRepeatsNothing() throws Exception {
        RabbitSite site = open(Kind.POSTGRES_15, RabbitSite.QUORUM);
        RabbitSite.Gate gate = new RabbitSite.Gate("m20");
        site.send(60);

        RabbitInboxConsumer first =
                site.consumer().handler(gate::handle).build().start();
        gate.awaitReached();
        CompletableFuture<Void> closing = CompletableFuture.runAsync(first::close);
        await().atMost(RabbitSite.PATIENCE).until(() -> first.health().state() == ConsumerHealth.State.CLOSED);
        assertThat(closing).isNotDone();
        gate.open();
        closing.join();

        assertThat(site.desk.effects()).hasSize(21).contains("m20");
        try (RabbitInboxConsumer second =
                site.consumer().handler(Desk::effect).build().start()) {
            site.assertOneEffectEach(RabbitSite.names(60), second);
        }
        assertThat(site.desk.duplicates).hasValue(0);
    }

    @Test
    @Tag("I4")
    void whatAHandlerEnqueuesIsInItsTransaction() {
        RabbitSite site = open(Kind.POSTGRES_15, RabbitSite.CLASSIC);
        AtomicBoolean broken = new AtomicBoolean(true);
        site.send(3);

        try (RabbitInboxConsumer consumer = site.consumer()
                .handler((message, transaction) -> {
                    Desk.effect(message, transaction);
                    transaction.enqueue(OutboxMessage.to("invoices", "Invoice")
                            .key(message.key().orElseThrow())
                            .payload("for " + Desk.text(message))
                            .build());
                    if (broken.compareAndSet(true, false)) {
                        throw new IllegalStateException("once, after the enqueue");
                    }
                })
                .build()
                .start()) {
            site.assertOneEffectEach(RabbitSite.names(3), consumer);
        }
        assertThat(site.desk.failures).hasValue(1);
        assertThat(site.desk.strings("select message_key from outbox_message"))
                .containsExactlyInAnyOrder("key-0", "key-1", "key-2");
    }

    @Test
    void aMessageHeldForHalfOfTheConsumerTimeoutIsGivenBackInItsPlace() {
        RabbitSite site = open(Kind.POSTGRES_15, RabbitSite.QUORUM);
        AtomicBoolean broken = new AtomicBoolean(true);
        List<String> order = Collections.synchronizedList(new ArrayList<>());
        List<String> deliveries = Collections.synchronizedList(new ArrayList<>());
        site.send("a", "m0", "m0");
        site.send("a", "m1", "m1");

        try (RabbitInboxConsumer consumer = site.consumer(
                        site.desk.inbox().parkAfter(1_000_000).build())
                .consumerTimeout(Duration.ofSeconds(1))
                .handler((message, transaction) -> {
                    deliveries.add(message.headers().getOrDefault("x-delivery-count", "0"));
                    if (broken.get()) {
                        throw new IllegalStateException("not now");
                    }
                    Desk.effect(message, transaction);
                    order.add(Desk.text(message));
                })
                .build()
                .start()) {
            // The broker itself counts that it came again.
            await().atMost(RabbitSite.PATIENCE).until(() -> deliveries.contains("2"));
            assertThat(deliveries).contains("0", "1");

            broken.set(false);
            site.assertOneEffectEach(List.of("m0", "m1"), consumer);
        }
        assertThat(order).containsExactly("m0", "m1");
    }

    @Test
    void aQueueThatIsMissingOrDeletedIsWaitedFor() {
        RabbitSite site = open(Kind.POSTGRES_15, RabbitSite.CLASSIC);
        site.broker.deleteQueue(site.queue);

        try (RabbitInboxConsumer consumer =
                site.consumer().handler(Desk::effect).build().start()) {
            await().atMost(RabbitSite.PATIENCE)
                    .until(() -> consumer.health().failure().orElse("").contains("no queue"));
            assertThat(consumer.health().state()).isEqualTo(ConsumerHealth.State.CONNECTING);
            assertThat(consumer.health().alive()).isTrue();

            site.broker.queue(site.queue);
            site.send("a", "m0", "m0");
            site.awaitEffects(1);
            site.broker.deleteQueue(site.queue);
            await().atMost(RabbitSite.PATIENCE)
                    .until(() -> consumer.health().state() == ConsumerHealth.State.CONNECTING);
            site.broker.queue(site.queue);
            site.send("a", "m1", "m1");
            site.assertOneEffectEach(List.of("m0", "m1"), consumer);
        }
    }

    @Test
    void whatOurPublisherSentArrivesWithEverything() {
        RabbitSite site = open(Kind.POSTGRES_15, RabbitSite.CLASSIC);
        OutboxMessage sent = OutboxMessage.to("orders", "OrderPlaced")
                .key("order-1")
                .header("correlation-id", "c-1")
                .payload("{}")
                .build();
        List<ReceivedMessage> received = Collections.synchronizedList(new ArrayList<>());
        site.broker.exchange(site.queue + "-exchange").bind(site.queue, site.queue + "-exchange");
        try (RabbitPublisher publisher = RabbitPublisher.builder(site.broker.factory())
                .exchange(site.queue + "-exchange")
                .build()) {
            assertThat(Answers.of(publisher, sent)).isEqualTo(PublishResult.acked());
        }

        try (RabbitInboxConsumer consumer = site.consumer()
                .handler((message, transaction) -> received.add(message))
                .build()
                .start()) {
            await().atMost(RabbitSite.PATIENCE).until(() -> received.size() == 1);
            assertThat(consumer.health().alive()).isTrue();
        }
        ReceivedMessage message = received.get(0);
        assertThat(message.id()).hasValue(sent.id().toString());
        assertThat(message.topic()).isEqualTo("orders");
        assertThat(message.key()).hasValue("order-1");
        assertThat(message.type()).hasValue("OrderPlaced");
        assertThat(message.sequence()).isPresent();
        assertThat(message.source()).hasValue(site.queue);
        assertThat(message.headers())
                .containsEntry("correlation-id", "c-1")
                .containsEntry("content-type", sent.contentType());
        assertThat(Desk.text(message)).isEqualTo("{}");
    }

    @Test
    void whatIsMissingOrUnsafeIsRefused() {
        RabbitSite site = open(Kind.POSTGRES_15, RabbitSite.CLASSIC);
        ConnectionFactory remote = new ConnectionFactory();
        remote.setHost("rabbit.example.com");

        assertThatThrownBy(() -> site.consumer().build()).hasMessageContaining("handler");
        assertThatThrownBy(() -> site.consumer().prefetch(0)).hasMessageContaining("prefetch must be 1 to 65535");
        assertThatThrownBy(() -> RabbitInboxConsumer.builder(site.desk.inbox().build(), "billing", remote)
                        .queue("q")
                        .handler(Desk::effect)
                        .build())
                .hasMessageContaining("would not be encrypted");
    }
}

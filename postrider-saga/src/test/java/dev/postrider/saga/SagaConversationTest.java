package dev.postrider.saga;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.OutboxMessage;
import dev.postrider.inbox.Inbox;
import dev.postrider.inbox.InboxSchema;
import dev.postrider.inbox.JdbcInbox;
import dev.postrider.inbox.ReceivedHandler;
import dev.postrider.inbox.ReceivedMessage;
import dev.postrider.jdbc.JdbcOutbox;
import dev.postrider.jdbc.JdbcOutboxStore;
import dev.postrider.publish.HandlerPublisher;
import dev.postrider.relay.Relay;
import dev.postrider.services.Database.Kind;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sagas and a participant that talk through outbox, relay and inbox; every message arrives twice. */
@Tag("B4")
@Tag("D2")
@Tag("D6")
final class SagaConversationTest {

    private static final int SAGAS = 12;

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void everySagaIsCompletedOrUndoneAndEveryEffectHappensOnce(Kind kind) throws InterruptedException {
        try (World world = World.create(kind)) {
            InboxSchema.of(world.pool()).migrate();
            JdbcOutbox outbox = JdbcOutbox.create();
            Inbox inbox = JdbcInbox.builder(world.pool()).outbox(outbox).build();
            DurableSagaDefinition<String> saga = Trip.define()
                    .step("reserve", Trip.step("reserve"))
                    .request(
                            "pay",
                            step -> step.command(context -> Command.to("payments", "pay")
                                            .key(Trip.key(context))
                                            .replyTo("replies")
                                            .json(Trip.key(context)))
                                    .onReply("paid", (context, reply) -> context + "+" + reply.text())
                                    .failOnReply("declined")
                                    .compensate(context -> Command.to("payments", "refund")
                                            .key(Trip.key(context))
                                            .replyTo("replies")
                                            .json(Trip.key(context))))
                    .step(
                            "ship",
                            Trip.step("ship")
                                    .andThen(step -> step.action((context, transaction) -> {
                                        if (context.startsWith("lost")) {
                                            throw new IllegalStateException("no truck");
                                        }
                                        World.effect(transaction.connection(), Trip.key(context) + " ship");
                                        return context + "+ship";
                                    })))
                    .build();
            Participant payments = Participant.builder("payments")
                    .on("pay", (command, transaction) -> {
                        String key = text(command);
                        if (key.startsWith("poor")) {
                            return Answer.refused("declined");
                        }
                        World.effect(transaction.connection(), key + " pay");
                        return Answer.done("paid").json("receipt");
                    })
                    .compensate("refund", (command, transaction) -> {
                        World.effect(transaction.connection(), text(command) + " refund");
                        return Answer.done("refunded");
                    })
                    .replyTopics("replies")
                    .build();
            try (SagaEngine engine = world.engine(saga)
                            .outbox(outbox)
                            .claimFor(Duration.ofSeconds(30))
                            .build()
                            .start();
                    Relay relay =
                            relay(world, inbox, payments, engine.replies()).start()) {
                List<SagaHandle<String>> sagas = new ArrayList<>();
                for (int i = 0; i < SAGAS; i++) {
                    String key = List.of("good", "poor", "lost").get(i % 3) + i;
                    sagas.add(engine.saga(saga).start(key, key + " "));
                }
                for (SagaHandle<String> each : sagas) {
                    SagaResult<String> result = each.await(Duration.ofMinutes(1));
                    assertThat(result.status())
                            .isEqualTo(
                                    result.context().startsWith("good")
                                            ? SagaStatus.COMPLETED
                                            : SagaStatus.COMPENSATED);
                }
                assertThat(relay.health().storeReachable()).isTrue();
            }

            List<String> expected = new ArrayList<>();
            for (int i = 0; i < SAGAS; i++) {
                String key = List.of("good", "poor", "lost").get(i % 3) + i;
                expected.add(key + " reserve");
                if (!key.startsWith("poor")) {
                    expected.add(key + " pay");
                }
                if (key.startsWith("lost")) {
                    expected.add(key + " refund");
                }
                expected.add(key.startsWith("good") ? key + " ship" : key + " undo reserve");
            }
            assertThat(world.effects()).containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    private static Relay relay(World world, Inbox inbox, ReceivedHandler payments, ReceivedHandler replies) {
        HandlerPublisher broker = HandlerPublisher.builder()
                .handler("payments", delivery -> twice(inbox, delivery.message(), "payments", payments))
                .handler("replies", delivery -> twice(inbox, delivery.message(), "saga/trip", replies))
                .handler("*", delivery -> {})
                .build();
        return Relay.builder(JdbcOutboxStore.builder(world.pool()).build(), broker)
                .pollInterval(Duration.ofMillis(20))
                .build();
    }

    private static void twice(Inbox inbox, OutboxMessage message, String consumer, ReceivedHandler handler) {
        ReceivedMessage received = ReceivedMessage.from(message.topic())
                .id(message.id().toString())
                .key(message.key().orElse(null))
                .type(message.type())
                .headers(message.headers())
                .payload(message.payload())
                .build();
        for (int i = 0; i < 2; i++) {
            inbox.process(received, consumer, transaction -> {
                handler.handle(received, transaction);
                return received;
            });
        }
    }

    private static String text(ReceivedMessage message) {
        return new String(message.payload(), StandardCharsets.UTF_8);
    }
}

package dev.postrider.hibernate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.MessageStatus;
import dev.postrider.OutboxMessage;
import dev.postrider.admin.StoredMessage;
import dev.postrider.hibernate.FamilyHub.Email;
import dev.postrider.hibernate.FamilyHub.FamilyId;
import dev.postrider.hibernate.FamilyHub.FamilyMemberInvitation;
import dev.postrider.hibernate.FamilyHub.FamilyMemberInvitedEvent;
import dev.postrider.hibernate.FamilyHub.Invitation;
import dev.postrider.hibernate.FamilyHub.InvitationId;
import dev.postrider.hibernate.FamilyHub.Role;
import dev.postrider.hibernate.FamilyHub.Token;
import dev.postrider.hibernate.FamilyHub.UserId;
import dev.postrider.hibernate.OrderService.OrderCreated;
import dev.postrider.hibernate.OrderService.OrderItem;
import dev.postrider.hibernate.OrderService.Purchase;
import dev.postrider.jackson.JsonPayloadCodec;
import dev.postrider.jdbc.JdbcOutbox;
import dev.postrider.relay.ManualRelay;
import dev.postrider.retry.RetryPolicy;
import dev.postrider.services.Database.Kind;
import dev.postrider.spi.ClaimedMessage;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;
import tools.jackson.core.util.Separators;
import tools.jackson.databind.json.JsonMapper;

/** Messages of the models of two source documents, from the entity to the row. */
@ParameterizedClass
@EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
final class EventPayloadTest {

    private static final Instant NOW = Instant.parse("2026-01-05T00:00:00Z");
    private static final UUID EVENT = UUID.fromString("550e8400-e29b-41d4-a716-446655440000");
    private static final UUID INVITATION = UUID.fromString("123e4567-e89b-12d3-a456-426614174000");

    private final JsonPayloadCodec payloads = JsonPayloadCodec.builder()
            .type("FamilyMemberInvited", FamilyMemberInvitedEvent.class)
            .type("OrderCreated", OrderCreated.class)
            .declaredOrder()
            .build();

    private final ShopDatabase shop;
    private final SessionFactory factory;

    EventPayloadTest(Kind kind) {
        this.shop = ShopDatabase.of(kind);
        this.factory = shop.factory(PostriderHibernate.of(JdbcOutbox.create(), this::message));
    }

    private OutboxMessage message(RecordedEvent recorded) {
        OutboxMessage.Builder message = recorded.message("events", payloads);
        if (recorded.event() instanceof FamilyMemberInvitedEvent invited) {
            message.id(invited.eventId()).version(invited.eventVersion());
        }
        if (recorded.event() instanceof OrderCreated created) {
            message.id(created.eventId());
        }
        return message.build();
    }

    @AfterEach
    void close() {
        shop.close();
    }

    @Test
    @Tag("R2.1")
    @Tag("R2.2")
    void examplePayloadOfTheDocumentIsReproducedByteForByte() throws IOException {
        String example = example();

        OutboxMessage message = invited();

        assertThat(text(message)).isEqualTo(example.replaceAll("\\n *", "").replace("\": ", "\":"));
        assertThat(printed(message)).isEqualTo(example);
    }

    @Test
    @Tag("R2.1")
    @Tag("R2.2")
    @Tag("R2.3")
    void rowHasTheIdOfTheEventItsLogicalTypeAndItsAggregate() {
        OutboxMessage message = invited();

        assertThat(message.id()).isEqualTo(EVENT);
        assertThat(message.type()).isEqualTo("FamilyMemberInvited");
        assertThat(message.version()).isEqualTo(1);
        assertThat(message.key()).contains(INVITATION.toString());
        assertThat(message.headers()).containsEntry("aggregate-type", "FamilyMemberInvitation");
    }

    @Test
    @Tag("R3.1")
    @Tag("R3.7")
    void rowOfAnOrderHasAllOfItsColumnsAndACompletePayload() {
        Purchase order =
                new Purchase().add("pen", 2, "1.50").add("book", 1, "20.00").place("kim", NOW);
        factory.inTransaction(session -> session.persist(order));

        StoredMessage row = row(MessageStatus.PENDING);

        OrderCreated event = payloads.decode(row.message(), OrderCreated.class);
        assertThat(event.eventId()).isEqualTo(row.message().id());
        assertThat(event)
                .isEqualTo(new OrderCreated(
                        row.message().id(),
                        NOW,
                        order.id,
                        "kim",
                        List.of(
                                new OrderItem("pen", 2, new BigDecimal("1.50")),
                                new OrderItem("book", 1, new BigDecimal("20.00"))),
                        new BigDecimal("23.00")));
        assertThat(row.message().headers()).containsEntry("aggregate-type", "Purchase");
        assertThat(row.message().key()).contains(order.id.toString());
        assertThat(row.message().type()).isEqualTo("OrderCreated");
        assertThat(row.times().delivered()).isNull();
        assertThat(row.error()).isEmpty();
    }

    @Test
    @Tag("R3.1")
    void rowOfAnOrderTellsItsLastErrorAndWhenItWasSent() {
        ManualRelay relay = new ManualRelay(
                shop.store(), "test", RetryPolicy.exponential(Duration.ofMillis(1), Duration.ofMillis(1), 5));
        factory.inTransaction(session -> session.persist(new Purchase().place("kim", NOW)));

        relay.nack(claim(relay), "Kafka is away");
        assertThat(row(MessageStatus.PENDING).error())
                .hasValueSatisfying(error -> assertThat(error).contains("Kafka is away"));
        relay.ack(claim(relay));

        StoredMessage row = row(MessageStatus.DELIVERED);
        assertThat(row.times().delivered()).isNotNull();
        assertThat(row.error()).isEmpty();
    }

    private OutboxMessage invited() {
        Invitation invitation = new Invitation(
                new FamilyId(UUID.fromString("789e4567-e89b-12d3-a456-426614174000")),
                new Email("john@example.com"),
                new Role("Member"),
                new Token("abc123..."),
                new UserId(UUID.fromString("456e4567-e89b-12d3-a456-426614174000")));
        factory.inTransaction(session -> session.persist(
                FamilyMemberInvitation.createEmailInvitation(new InvitationId(INVITATION), invitation, EVENT, NOW)));
        return row(MessageStatus.PENDING).message();
    }

    private StoredMessage row(MessageStatus status) {
        List<StoredMessage> rows = shop.admin().list(status, 0, 10);
        assertThat(rows).hasSize(1);
        return rows.get(0);
    }

    private static ClaimedMessage claim(ManualRelay relay) {
        List<ClaimedMessage> claimed = List.of();
        while (claimed.isEmpty()) {
            claimed = relay.claim(1, Duration.ofMinutes(1));
        }
        return claimed.get(0);
    }

    private static String text(OutboxMessage message) {
        return new String(message.payload(), StandardCharsets.UTF_8);
    }

    /** The payload as the document prints it. */
    private static String printed(OutboxMessage message) {
        JsonMapper mapper = new JsonMapper();
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter(
                        Separators.createDefaultInstance().withObjectNameValueSpacing(Separators.Spacing.AFTER))
                .withObjectIndenter(new DefaultIndenter("  ", "\n"));
        return mapper.writer().with(printer).writeValueAsString(mapper.readTree(message.payload()));
    }

    private static String example() throws IOException {
        try (InputStream file = EventPayloadTest.class.getResourceAsStream("/family-member-invited.json")) {
            return new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8).strip();
        }
    }
}

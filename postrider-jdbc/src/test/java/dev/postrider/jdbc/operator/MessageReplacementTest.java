package dev.postrider.jdbc.operator;

import static dev.postrider.jdbc.operator.Desk.DECISION;
import static dev.postrider.jdbc.operator.Desk.keyed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.postrider.KeyRing;
import dev.postrider.MessageStatus;
import dev.postrider.OutboxException;
import dev.postrider.OutboxMessage;
import dev.postrider.Receipt;
import dev.postrider.admin.ArchivedMessage;
import dev.postrider.admin.AuditEntry;
import dev.postrider.admin.MessageEdit;
import dev.postrider.admin.MessageStateException;
import dev.postrider.admin.StoredMessage;
import dev.postrider.jdbc.JdbcOutbox;
import dev.postrider.jdbc.JdbcOutboxStore;
import dev.postrider.jdbc.Secrets;
import dev.postrider.jdbc.row.Defects;
import dev.postrider.relay.Relay;
import dev.postrider.services.Database.Kind;
import dev.postrider.spi.PublishResult;
import dev.postrider.testkit.FlakyPublisher;
import dev.postrider.testkit.RecordingPublisher;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A dead message is corrected where it stands. */
@Tag("R0.6")
final class MessageReplacementTest {

    private static final MessageEdit EDIT = MessageEdit.create().withPayload("{\"fixed\": true}");
    private static final KeyRing SIGNING = Secrets.ring("sign-1");
    private static final KeyRing ENCRYPTION = Secrets.ring("lock-1");

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void theNewMessageHasTheOldPlaceAndTheArchiveTheOriginal(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            OutboxMessage original = OutboxMessage.to("orders", "Placed")
                    .namespace("shop")
                    .key("42")
                    .tenant("acme")
                    .header("trace", "1")
                    .maxAttempts(3)
                    .payload(new byte[] {0, -1, 127})
                    .build();
            desk.enqueue(original);
            desk.kill("unreadable", original);
            desk.failure(original, "Unreadable");
            StoredMessage before = desk.admin().find(original.id()).orElseThrow();
            MessageEdit edit = EDIT.withType("PlacedAgain")
                    .withVersion(2)
                    .withContentType("application/vnd.shop+json")
                    .withHeaders(Map.of("corrected", "yes"));

            UUID id = desk.messages().edit(original.id(), edit, DECISION);

            assertThat(id).isNotEqualTo(original.id());
            assertThat(id.version()).isEqualTo(7);
            assertThat(desk.admin().find(original.id())).isEmpty();
            StoredMessage after = desk.admin().find(id).orElseThrow();
            assertThat(after.seq()).isEqualTo(before.seq());
            assertThat(after.status()).isEqualTo(MessageStatus.PENDING);
            assertThat(after.attempts()).isZero();
            assertThat(after.lastError()).isNull();
            assertThat(after.claimedBy()).isNull();
            assertThat(after.defect()).isNull();
            assertThat(after.times().died()).isNull();
            assertThat(after.times().created()).isEqualTo(before.times().created());
            assertThat(after.message())
                    .usingRecursiveComparison()
                    .isEqualTo(OutboxMessage.to("orders", "PlacedAgain")
                            .id(id)
                            .namespace("shop")
                            .key("42")
                            .tenant("acme")
                            .header("corrected", "yes")
                            .version(2)
                            .maxAttempts(3)
                            .contentType("application/vnd.shop+json")
                            .payload("{\"fixed\": true}")
                            .build());
            ArchivedMessage archived = desk.messages().archived(original.id()).get(0);
            assertThat(archived.message()).usingRecursiveComparison().isEqualTo(original);
            assertThat(archived.ended()).isEqualTo(ArchivedMessage.Ended.EDITED);
            assertThat(archived.replacedBy()).isEqualTo(id);
            assertThat(archived.lastError()).isEqualTo("unreadable");
            assertThat(archived.attempts()).isEqualTo(1);
            assertThat(archived.seq()).isEqualTo(before.seq());
            assertThat(archived.times().died()).isEqualTo(before.times().died());
            assertThat(archived.times().created()).isEqualTo(before.times().created());
            assertThat(desk.messages().archived(id)).usingRecursiveComparison().isEqualTo(List.of(archived));
            assertThat(desk.audit()).singleElement().satisfies(entry -> {
                assertThat(entry.action()).isEqualTo("EDIT");
                assertThat(entry.by()).isEqualTo(DECISION.by());
                assertThat(entry.reason()).isEqualTo(DECISION.reason());
                assertThat(entry.messageId()).isEqualTo(original.id());
                assertThat(entry.detail()).isEqualTo("shop/orders Placed");
            });
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void whoClaimedTheOriginalInALoopOfItsOwnIsNotSaidOfTheNewMessage(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            OutboxMessage original = keyed("42");
            desk.enqueue(original);
            desk.killByHand("unreadable");

            UUID id = desk.messages().edit(original.id(), EDIT, DECISION);

            StoredMessage after = desk.admin().find(id).orElseThrow();
            assertThat(after.status()).isEqualTo(MessageStatus.PENDING);
            assertThat(after.claimedBy()).isNull();
            assertThat(after.times().claimedUntil()).isNull();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("B1")
    void anEditedMessageIsDeliveredBeforeWhatWaitedBehindIt(Kind kind) {
        FlakyPublisher publisher = new FlakyPublisher();
        publisher.always(
                message -> message.type().equals("Placed") && message.payloadSize() == 0,
                PublishResult.rejected("an empty payload"));
        try (Desk desk = Desk.open(kind)) {
            OutboxMessage broken = OutboxMessage.to("orders", "Placed").key("a").build();
            OutboxMessage second = keyed("a");
            OutboxMessage third = keyed("a");
            OutboxMessage loose = OutboxMessage.to("orders", "Placed").build();
            desk.enqueue(broken, second, third, loose, keyed("b"));
            try (Relay relay = desk.start(publisher)) {
                desk.await(() -> desk.status(broken.id()) == MessageStatus.DEAD
                        && desk.status(loose.id()) == MessageStatus.DEAD);

                UUID fixed = desk.messages().edit(broken.id(), EDIT, DECISION);
                UUID loosened = desk.messages().edit(loose.id(), EDIT, DECISION);
                relay.wake();
                desk.await(() -> desk.delivered(third.id()) && desk.delivered(loosened));

                assertThat(publisher.broker().received().stream()
                                .filter(message -> message.key().equals(second.key()))
                                .map(OutboxMessage::id))
                        .containsExactly(fixed, second.id(), third.id());
                assertThat(publisher.broker().received())
                        .filteredOn(message -> message.id().equals(fixed))
                        .extracting(message -> new String(message.payload(), StandardCharsets.UTF_8))
                        .containsExactly("{\"fixed\": true}");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("R4.2")
    @Tag("S11")
    void anEditedMessageIsSignedAndEncryptedAnew(Kind kind) {
        RecordingPublisher broker = new RecordingPublisher();
        try (Desk desk = Desk.open(kind)) {
            OutboxMessage original = keyed("a");
            desk.enqueue(
                    JdbcOutbox.builder()
                            .signWith(SIGNING)
                            .encryptWith(ENCRYPTION)
                            .build(),
                    original);
            desk.kill("never", original);
            KeyRing newSigning = Secrets.rotated(SIGNING, "sign-2");
            KeyRing newEncryption = Secrets.rotated(ENCRYPTION, "lock-2");
            JdbcDeadMessages.Builder keys = JdbcDeadMessages.builder(
                            desk.fixture().pool())
                    .verifyWith(newSigning)
                    .decryptWith(newEncryption)
                    .signWith(newSigning)
                    .encryptWith(newEncryption);

            UUID id = keys.build().edit(original.id(), EDIT, DECISION);

            StoredMessage bare = desk.admin().find(id).orElseThrow();
            assertThat(bare.defect()).contains("lock-2");
            assertThat(new String(bare.message().payload(), StandardCharsets.UTF_8))
                    .doesNotContain("fixed");
            assertThat(keys.build().archived(id)).singleElement().satisfies(archived -> {
                assertThat(archived.defect()).isNull();
                assertThat(archived.message().payload()).isEqualTo(original.payload());
            });
            JdbcOutboxStore.Builder store = JdbcOutboxStore.builder(
                            desk.fixture().pool())
                    .verifyWith(newSigning)
                    .decryptWith(newEncryption);
            try (Relay relay = desk.start(store, broker)) {
                relay.wake();
                desk.await(() -> desk.delivered(id));
            }
            assertThat(broker.received()).singleElement().satisfies(received -> {
                assertThat(received.id()).isEqualTo(id);
                assertThat(new String(received.payload(), StandardCharsets.UTF_8))
                        .isEqualTo("{\"fixed\": true}");
            });
        }
    }

    @Test
    @Tag("R4.2")
    void aDeskThatSignsWithoutVerifyingIsRefused() {
        JdbcDeadMessages.Builder builder =
                JdbcDeadMessages.builder(new JdbcDataSource()).signWith(SIGNING);

        assertThatIllegalArgumentException().isThrownBy(builder::build).withMessageContaining("verifyWith");
        assertThat(builder.verifyWith(SIGNING).build()).isNotNull();
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("R4.2")
    void anEditGivesNoSignatureToARowWhoseSignatureWasTakenAway(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            OutboxMessage unsigned = keyed("a");
            desk.enqueue(unsigned);
            desk.kill("never", unsigned);
            JdbcDeadMessages.Builder keys = JdbcDeadMessages.builder(
                            desk.fixture().pool())
                    .verifyWith(SIGNING)
                    .signWith(SIGNING);
            assertThatExceptionOfType(OutboxException.class)
                    .isThrownBy(() -> keys.build().edit(unsigned.id(), EDIT, DECISION))
                    .withMessageContaining(Defects.UNSIGNED);

            UUID id = keys.acceptUnsigned().build().edit(unsigned.id(), EDIT, DECISION);

            JdbcOutboxAdmin strict = JdbcOutboxAdmin.builder(desk.fixture().pool())
                    .verifyWith(SIGNING)
                    .build();
            assertThat(strict.find(id).orElseThrow().defect()).isEqualTo(Defects.UNSIGNED);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("R4.2")
    void anEditNeitherHidesADefectNorTakesProtectionAway(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            OutboxMessage signed = keyed("a");
            OutboxMessage encrypted = keyed("b");
            OutboxMessage damaged = keyed("c");
            desk.enqueue(JdbcOutbox.builder().signWith(SIGNING).build(), signed);
            desk.enqueue(JdbcOutbox.builder().encryptWith(ENCRYPTION).build(), encrypted);
            desk.enqueue(damaged);
            desk.kill("never", signed, encrypted, damaged);
            desk.fixture().damage(damaged.id());
            JdbcDeadMessages reader = JdbcDeadMessages.builder(desk.fixture().pool())
                    .decryptWith(ENCRYPTION)
                    .build();

            assertThatExceptionOfType(OutboxException.class)
                    .isThrownBy(() -> reader.edit(signed.id(), EDIT, DECISION))
                    .withMessageContaining("is signed");
            assertThatExceptionOfType(OutboxException.class)
                    .isThrownBy(() -> reader.edit(encrypted.id(), EDIT, DECISION))
                    .withMessageContaining("is encrypted");
            assertThatExceptionOfType(OutboxException.class)
                    .isThrownBy(() -> reader.edit(damaged.id(), EDIT, DECISION))
                    .withMessageContaining(Defects.HASH);

            assertNothingDone(desk, signed, encrypted, damaged);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("R1.15")
    void onlyADeadMessageCanBeEditedAndTheErrorNamesItsState(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            OutboxMessage pending = keyed("1");
            OutboxMessage claimed = keyed("2");
            OutboxMessage delivered = keyed("3");
            desk.enqueue(pending, claimed, delivered);
            desk.deliver(delivered);
            desk.claim(claimed);

            assertState(desk, pending.id(), "PENDING");
            assertState(desk, claimed.id(), "CLAIMED");
            assertState(desk, delivered.id(), "DELIVERED");
            assertState(desk, new UUID(1, 2), "not there");

            assertThat(desk.status(pending.id())).isEqualTo(MessageStatus.PENDING);
            assertThat(desk.status(claimed.id())).isEqualTo(MessageStatus.CLAIMED);
            assertThat(desk.status(delivered.id())).isEqualTo(MessageStatus.DELIVERED);
            assertThat(desk.audit()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void anEditFollowsTheRulesOfAnEnqueue(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            OutboxMessage message = keyed("1");
            desk.enqueue(message);
            desk.kill("never", message);

            assertRefused(desk, message, EDIT.withPayload(new byte[1_000_001]), "payload bytes");
            assertRefused(desk, message, EDIT.withHeaders(Map.of("postrider-id", "x")), "reserved");
            assertRefused(desk, message, EDIT.withHeaders(Map.of("trace", "a\nb")), "control characters");
            assertRefused(desk, message, EDIT.withType(" "), "type must not be blank");
            assertRefused(desk, message, EDIT.withContentType("x".repeat(201)), "contentType");
            assertRefused(desk, message, EDIT.withVersion(0), "version");
            assertRefused(desk, message, MessageEdit.create(), "replaces nothing");

            assertNothingDone(desk, message);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("R0.3")
    void aDedupeKeyStaysTakenByTheEditedMessage(Kind kind) {
        RecordingPublisher broker = new RecordingPublisher();
        try (Desk desk = Desk.open(kind)) {
            OutboxMessage original = OutboxMessage.to("orders", "Placed")
                    .key("a")
                    .dedupeKey("order-42")
                    .payload("{}")
                    .build();
            OutboxMessage again = OutboxMessage.to("orders", "Placed")
                    .key("a")
                    .dedupeKey("order-42")
                    .payload("{}")
                    .build();
            desk.enqueue(original);
            desk.kill("never", original);

            UUID id = desk.messages().edit(original.id(), EDIT, DECISION);
            Receipt receipt = desk.enqueue(again).get(0);

            assertThat(receipt.alreadyEnqueued()).isTrue();
            assertThat(receipt.id()).as("the id that belongs to the key").isEqualTo(original.id());
            assertThat(desk.messages().archived(receipt.id()))
                    .singleElement()
                    .extracting(ArchivedMessage::replacedBy)
                    .isEqualTo(id);
            assertThat(desk.admin().find(id).orElseThrow().message().dedupeKey())
                    .contains("order-42");
            try (Relay relay = desk.start(broker)) {
                relay.wake();
                desk.await(() -> desk.delivered(id));
            }
            assertThat(broker.received()).extracting(OutboxMessage::id).containsExactly(id);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void anEditedMessageThatDiesAgainCanBeEditedAgain(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            OutboxMessage original = keyed("1");
            desk.enqueue(original);
            desk.kill("never", original);

            UUID second = desk.messages().edit(original.id(), EDIT, DECISION);
            desk.kill("again", desk.admin().find(second).orElseThrow().message());
            UUID third = desk.messages().edit(second, EDIT.withPayload("{}"), DECISION);

            assertThat(desk.messages().archived(second))
                    .extracting(archived -> archived.message().id())
                    .containsExactly(second, original.id());
            assertThat(desk.messages().archived(third))
                    .extracting(archived -> archived.message().id())
                    .containsExactly(second);
            assertThat(desk.audit()).extracting(AuditEntry::messageId).containsExactly(original.id(), second);
        }
    }

    private static void assertState(Desk desk, UUID id, String state) {
        assertThatExceptionOfType(MessageStateException.class)
                .isThrownBy(() -> desk.messages().edit(id, EDIT, DECISION))
                .withMessage("Could not edit message %s: it is %s".formatted(id, state))
                .satisfies(e -> assertThat(e.status().map(MessageStatus::name).orElse("not there"))
                        .isEqualTo(state));
    }

    private static void assertRefused(Desk desk, OutboxMessage message, MessageEdit edit, String why) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> desk.messages().edit(message.id(), edit, DECISION))
                .withMessageContaining(why);
    }

    private static void assertNothingDone(Desk desk, OutboxMessage... messages) {
        for (OutboxMessage message : messages) {
            assertThat(desk.status(message.id())).isEqualTo(MessageStatus.DEAD);
            assertThat(desk.messages().archived(message.id())).isEmpty();
        }
        assertThat(desk.audit()).isEmpty();
    }
}

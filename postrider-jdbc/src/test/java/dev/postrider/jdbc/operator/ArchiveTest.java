package dev.postrider.jdbc.operator;

import static dev.postrider.jdbc.operator.Desk.DECISION;
import static dev.postrider.jdbc.operator.Desk.keyed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.postrider.MessageStatus;
import dev.postrider.OutboxException;
import dev.postrider.OutboxMessage;
import dev.postrider.admin.ArchivedMessage;
import dev.postrider.admin.AuditEntry;
import dev.postrider.admin.MessageEdit;
import dev.postrider.admin.MessageStateException;
import dev.postrider.admin.StoredMessage;
import dev.postrider.relay.Relay;
import dev.postrider.services.Database.Kind;
import dev.postrider.testkit.RecordingPublisher;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A discarded message is not lost. */
@Tag("R0.6")
final class ArchiveTest {

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("R4.7")
    @Tag("R0.3")
    void aDiscardedMessageIsArchivedAsItWas(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            OutboxMessage message = OutboxMessage.to("orders", "Placed")
                    .namespace("shop")
                    .key("42")
                    .tenant("acme")
                    .dedupeKey("acme/42")
                    .header("request-id", "r-1")
                    .version(3)
                    .maxAttempts(7)
                    .contentType("application/octet-stream")
                    .payload(new byte[] {0, -1, 127})
                    .build();
            OutboxMessage kept = keyed("2");
            desk.enqueue(message, kept);
            desk.kill("no such account", message, kept);
            StoredMessage dead = desk.admin().find(message.id()).orElseThrow();

            desk.admin().discard(List.of(message.id()), DECISION);

            assertThat(desk.admin().find(message.id())).isEmpty();
            assertThat(desk.status(kept.id())).isEqualTo(MessageStatus.DEAD);
            assertThat(desk.messages().archived(kept.id())).isEmpty();
            assertThat(desk.messages().archived(message.id())).singleElement().satisfies(archived -> {
                assertThat(archived.message()).usingRecursiveComparison().isEqualTo(message);
                assertThat(archived.seq()).isEqualTo(dead.seq());
                assertThat(archived.ended()).isEqualTo(ArchivedMessage.Ended.DISCARDED);
                assertThat(archived.replacedBy()).isNull();
                assertThat(archived.attempts()).isEqualTo(1);
                assertThat(archived.lastError()).isEqualTo("no such account");
                assertThat(archived.defect()).isNull();
                assertThat(archived.times().created()).isEqualTo(dead.times().created());
                assertThat(archived.times().died()).isEqualTo(dead.times().died());
                assertThat(archived.times().delivered()).isNull();
                assertThat(archived.times().archived())
                        .isAfterOrEqualTo(archived.times().created());
            });
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void whatWaitedBehindADiscardedMessageGoesOnAndARestoredOneComesLast(Kind kind) {
        RecordingPublisher broker = new RecordingPublisher();
        try (Desk desk = Desk.open(kind)) {
            OutboxMessage first = keyed("a");
            OutboxMessage second = keyed("a");
            OutboxMessage third = keyed("a");
            desk.enqueue(first);
            desk.killHolding("never", first);
            desk.enqueue(second, third);
            try (Relay relay = desk.start(broker)) {
                desk.admin().discard(List.of(first.id()), DECISION);
                relay.wake();
                desk.await(() -> desk.delivered(third.id()));

                desk.messages().restore(first.id(), DECISION);
                relay.wake();
                desk.await(() -> desk.delivered(first.id()));
            }

            assertThat(broker.received())
                    .extracting(OutboxMessage::id)
                    .containsExactly(second.id(), third.id(), first.id());
            assertThat(broker.received().get(2)).usingRecursiveComparison().isEqualTo(first);
            assertThat(desk.messages().archived(first.id())).isEmpty();
            assertThat(desk.audit()).extracting(AuditEntry::action).containsExactly("DISCARD", "RESTORE");
            assertThat(desk.audit()).extracting(AuditEntry::messageId).containsOnly(first.id());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void onlyADiscardedMessageThatIsNotBackYetCanBeRestored(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            OutboxMessage discarded = keyed("1");
            OutboxMessage edited = keyed("2");
            desk.enqueue(discarded, edited);
            desk.kill("never", discarded, edited);
            desk.messages().edit(edited.id(), MessageEdit.create().withPayload("{}"), DECISION);

            assertState(desk, discarded.id(), "DEAD");
            assertState(desk, edited.id(), "not there");
            assertState(desk, new UUID(1, 2), "not there");
            desk.admin().discard(List.of(discarded.id()), DECISION);
            desk.messages().restore(discarded.id(), DECISION);
            assertState(desk, discarded.id(), "PENDING");

            assertThat(desk.audit()).extracting(AuditEntry::action).containsExactly("EDIT", "DISCARD", "RESTORE");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void aMessageWhoseDedupeKeyIsTakenAgainStaysInTheArchive(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            OutboxMessage discarded = deduped();
            desk.enqueue(discarded);
            desk.kill("never", discarded);
            desk.admin().discard(List.of(discarded.id()), DECISION);
            OutboxMessage again = deduped();
            assertThat(desk.enqueue(again).get(0).inserted()).isTrue();

            assertState(desk, discarded.id(), "PENDING");
            desk.kill("never", again);
            desk.messages().edit(again.id(), MessageEdit.create().withPayload("{}"), DECISION);
            assertThatExceptionOfType(OutboxException.class)
                    .isThrownBy(() -> desk.messages().restore(discarded.id(), DECISION))
                    .withMessageContaining("dedupe key");

            assertThat(desk.messages().archived(discarded.id()))
                    .extracting(ArchivedMessage::ended)
                    .containsExactly(ArchivedMessage.Ended.EDITED, ArchivedMessage.Ended.DISCARDED);
            assertThat(desk.audit()).extracting(AuditEntry::action).containsExactly("DISCARD", "EDIT");
        }
    }

    private static OutboxMessage deduped() {
        return OutboxMessage.to("orders", "Placed").dedupeKey("order-42").build();
    }

    private static void assertState(Desk desk, UUID id, String state) {
        assertThatExceptionOfType(MessageStateException.class)
                .isThrownBy(() -> desk.messages().restore(id, DECISION))
                .withMessage("Could not restore message %s: it is %s".formatted(id, state));
    }
}

package dev.postrider.jdbc.operator;

import static dev.postrider.jdbc.operator.Desk.DECISION;
import static dev.postrider.jdbc.operator.Desk.keyed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

import dev.postrider.MessageStatus;
import dev.postrider.OutboxException;
import dev.postrider.OutboxMessage;
import dev.postrider.admin.AuditEntry;
import dev.postrider.admin.AuditFilter;
import dev.postrider.admin.Decision;
import dev.postrider.admin.MessageFilter;
import dev.postrider.admin.OutboxAdmin;
import dev.postrider.admin.Page;
import dev.postrider.admin.Retention;
import dev.postrider.admin.RetentionStep;
import dev.postrider.admin.Slice;
import dev.postrider.database.TableNames;
import dev.postrider.jdbc.OutboxDialect;
import dev.postrider.services.Database.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What people do to messages can be looked up. */
@Tag("R0.6")
final class AuditTrailTest {

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("R3.5")
    @Tag("R1.15")
    void anActionLeavesOneEntryForEachMessageItChangedAndNoneForOthers(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            OutboxMessage[] m = {keyed("1"), keyed("2"), keyed("3"), keyed("4"), keyed("5")};
            desk.enqueue(m);
            desk.kill("never", m[3], m[4]);
            desk.deliver(m[2]);
            desk.claim(m[1]);
            List<UUID> all = new ArrayList<>(ids(m));
            all.add(new UUID(1, 2));
            OutboxAdmin admin = desk.admin();

            assertThat(admin.requeue(ids(m[3]), new Decision("ada", "broker is back")))
                    .isEqualTo(1);
            assertThat(admin.requeue(List.of(m[0].id(), m[1].id(), m[2].id()), DECISION))
                    .isZero();
            assertThat(admin.discard(all, new Decision("bob", "a test order; näää 🐎")))
                    .isEqualTo(1);
            assertThat(admin.replay(all, new Decision("cy", "consumer lost it")))
                    .isEqualTo(1);

            assertThat(desk.audit())
                    .extracting(AuditEntry::action, AuditEntry::by, AuditEntry::reason, AuditEntry::messageId)
                    .containsExactly(
                            tuple("REQUEUE", "ada", "broker is back", m[3].id()),
                            tuple("DISCARD", "bob", "a test order; näää 🐎", m[4].id()),
                            tuple("REPLAY", "cy", "consumer lost it", m[2].id()));
            assertThat(desk.audit()).allSatisfy(entry -> {
                assertThat(entry.detail()).isEqualTo("default/orders Placed");
                assertThat(entry.bulkId()).isNull();
                assertThat(entry.at())
                        .isBetween(
                                Instant.now().minusSeconds(600), Instant.now().plusSeconds(600));
            });
            assertThat(desk.status(m[0].id())).isEqualTo(MessageStatus.PENDING);
            assertThat(desk.status(m[1].id())).isEqualTo(MessageStatus.CLAIMED);
            assertThat(desk.status(m[2].id())).isEqualTo(MessageStatus.PENDING);
            assertThat(desk.status(m[3].id())).isEqualTo(MessageStatus.PENDING);
            assertThat(admin.find(m[4].id())).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void aPurgeLeavesAnEntryWithWhoWhyAndHowMany(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            OutboxMessage[] m = {keyed("1"), keyed("2"), keyed("3")};
            desk.enqueue(m);
            desk.deliver(m);

            assertThat(desk.admin().purge(Duration.ZERO, 2, new Decision("ada", "the disk is full")))
                    .isEqualTo(2);
            assertThat(desk.admin().purge(Duration.ofDays(1), 2, DECISION)).isZero();

            assertThat(desk.audit()).singleElement().satisfies(entry -> {
                assertThat(entry.action()).isEqualTo("PURGE");
                assertThat(entry.by()).isEqualTo("ada");
                assertThat(entry.reason()).isEqualTo("the disk is full");
                assertThat(entry.messageId()).isNull();
                assertThat(entry.detail()).isEqualTo("2 DELIVERED messages older than PT0S");
            });
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void aRetentionJobAddsOneEntryInAnHourWithAllThatItRemoved(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            AtomicLong nanos = new AtomicLong();
            JdbcRetention retention = new JdbcRetention(desk.fixture().pool(), TableNames.defaults(), nanos::get);
            for (int round = 0; round < 3; round++) {
                OutboxMessage[] m = {keyed("1"), keyed("2"), keyed("3")};
                desk.enqueue(m);
                desk.deliver(m);
                nanos.addAndGet(Duration.ofMinutes(31).toNanos());

                removeAll(retention, Retention.forEver().withDelivered(Duration.ZERO));
            }

            assertThat(desk.audit())
                    .extracting(AuditEntry::action, AuditEntry::by, AuditEntry::reason, AuditEntry::detail)
                    .containsExactly(
                            tuple("PURGE", "retention", "older than PT0S", "2 DELIVERED messages"),
                            tuple("PURGE", "retention", "older than PT0S", "6 DELIVERED messages"));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void nothingIsPurgedThatCannotBeNoted(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            OutboxMessage message = keyed("1");
            desk.enqueue(message);
            desk.deliver(message);
            OutboxAdmin admin = desk.admin();
            JdbcRetention retention = JdbcRetention.of(desk.fixture().pool());
            assertThat(admin.find(message.id())).isPresent();

            desk.fixture().execute("alter table outbox_audit rename to outbox_audit_away");
            assertThatExceptionOfType(OutboxException.class).isThrownBy(() -> admin.purge(Duration.ZERO, 10, DECISION));
            assertThatExceptionOfType(OutboxException.class)
                    .isThrownBy(() -> removeAll(retention, Retention.forEver().withDelivered(Duration.ZERO)));
            desk.fixture().execute("alter table outbox_audit_away rename to outbox_audit");

            assertThat(desk.status(message.id())).isEqualTo(MessageStatus.DELIVERED);
        }
    }

    private static void removeAll(JdbcRetention retention, Retention policy) {
        RetentionStep step = retention.step(policy, 2);
        while (!step.ended()) {
            step = retention.step(policy, 2);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void nothingIsDoneThatCannotBeNoted(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            OutboxMessage message = keyed("1");
            desk.enqueue(message);
            desk.kill("never", message);
            OutboxAdmin admin = desk.admin();
            assertThat(admin.find(message.id())).isPresent();

            desk.fixture().execute("alter table outbox_audit rename to outbox_audit_away");
            assertThatExceptionOfType(OutboxException.class).isThrownBy(() -> admin.requeue(ids(message), DECISION));
            assertThatExceptionOfType(OutboxException.class).isThrownBy(() -> admin.discard(ids(message), DECISION));
            desk.fixture().execute("alter table outbox_audit_away rename to outbox_audit");

            assertThat(desk.status(message.id())).isEqualTo(MessageStatus.DEAD);
            assertThat(desk.messages().archived(message.id())).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void manyMessagesLeaveAsManyEntriesThatNameTheBulkAction(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            OutboxMessage[] many =
                    IntStream.range(0, 1_200).mapToObj(i -> keyed("" + i)).toArray(OutboxMessage[]::new);
            desk.enqueue(many);
            desk.kill("never", many);
            List<UUID> first = ids(many).subList(0, 1_100);
            List<UUID> rest = ids(many).subList(1_090, 1_200);
            UUID bulk = UUID.randomUUID();

            int requeued = desk.admin().requeue(first, DECISION);
            List<Long> changed = OutboxDialect.transactions(desk.fixture().pool(), TableNames.defaults(), 10)
                    .transacted(
                            "discard",
                            session -> Intervention.DISCARD.apply(
                                    session,
                                    rest.stream().map(session.dialect()::id).toList(),
                                    DECISION,
                                    bulk));

            assertThat(requeued).isEqualTo(1_100);
            assertThat(changed).hasSize(100).doesNotHaveDuplicates();
            List<AuditEntry> discards = all(desk, new AuditFilter(null, bulk, null, null, null), Page.oldest(30));
            assertThat(discards)
                    .extracting(AuditEntry::messageId)
                    .containsExactlyElementsOf(ids(many).subList(1_100, 1_200));
            assertThat(discards)
                    .allMatch(entry ->
                            bulk.equals(entry.bulkId()) && entry.action().equals("DISCARD"));
            assertThat(all(desk, AuditFilter.all(), Page.newest(700)))
                    .extracting(AuditEntry::messageId)
                    .doesNotHaveDuplicates()
                    .hasSize(1_200);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void theTrailIsReadByMessageByPersonAndByTime(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            OutboxMessage[] m = {keyed("1"), keyed("2"), keyed("3")};
            desk.enqueue(m);
            desk.kill("never", m);
            OutboxAdmin admin = desk.admin();
            admin.requeue(ids(m[0]), DECISION);
            admin.requeue(ids(m[1]), new Decision("bob", "why not"));
            desk.kill("never", m[0]);
            AuditEntry second = desk.audit().get(1);
            desk.await(() -> now(desk).isAfter(second.at()));
            admin.discard(ids(m[0], m[2]), DECISION);

            List<AuditEntry> newest = all(desk, AuditFilter.all(), Page.newest(3));
            List<AuditEntry> later = all(desk, AuditFilter.since(second.at().plusNanos(500)), Page.newest(10));
            List<AuditEntry> earlier = all(
                    desk, new AuditFilter(null, null, null, null, second.at().plusNanos(500)), Page.newest(10));

            assertThat(newest)
                    .extracting(AuditEntry::messageId)
                    .containsExactly(m[2].id(), m[0].id(), m[1].id(), m[0].id());
            assertThat(newest).extracting(AuditEntry::entry).isSortedAccordingTo((a, b) -> Long.compare(b, a));
            assertThat(all(desk, AuditFilter.ofMessage(m[0].id()), Page.newest(1)))
                    .extracting(AuditEntry::action)
                    .containsExactly("DISCARD", "REQUEUE");
            assertThat(all(desk, AuditFilter.ofMessage(m[0].id()), Page.oldest(10)))
                    .extracting(AuditEntry::action)
                    .containsExactly("REQUEUE", "DISCARD");
            assertThat(all(desk, new AuditFilter(null, null, "bob", null, null), Page.newest(10)))
                    .containsExactly(second);
            assertThat(later).extracting(AuditEntry::action).containsExactly("DISCARD", "DISCARD");
            assertThat(earlier).extracting(AuditEntry::action).containsExactly("REQUEUE", "REQUEUE");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "H2"})
    void aCursorOfAnotherQuestionIsRefused(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            OutboxMessage[] m = {keyed("1"), keyed("2"), keyed("3")};
            desk.enqueue(m);
            JdbcDeadMessages messages = desk.messages();
            String cursor =
                    messages.search(MessageFilter.all(), Page.newest(1)).next().orElseThrow();

            Stream.of(cursor, "", "audit-up-0", "audit-down-1-99999999999999999999", "audit-up-0-1'; drop", "x\n")
                    .forEach(wrong -> assertThatIllegalArgumentException()
                            .isThrownBy(() -> messages.audit(
                                    AuditFilter.all(), Page.newest(1).after(wrong)))
                            .withMessageContaining("is not one of this question")
                            .withMessageNotContaining("\n"));
            assertThatIllegalArgumentException()
                    .isThrownBy(() ->
                            messages.search(MessageFilter.all(), Page.oldest(1).after(cursor)));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> messages.search(
                            MessageFilter.all().withStatus(MessageStatus.DEAD),
                            Page.newest(1).after(cursor)));
        }
    }

    private static Instant now(Desk desk) {
        OutboxMessage probe = OutboxMessage.to("probe", "Probe").build();
        desk.enqueue(probe);
        return desk.admin().find(probe.id()).orElseThrow().times().created();
    }

    private static List<AuditEntry> all(Desk desk, AuditFilter filter, Page first) {
        JdbcDeadMessages messages =
                JdbcDeadMessages.builder(desk.fixture().pool()).step(100).build();
        List<AuditEntry> all = new ArrayList<>();
        Slice<AuditEntry> slice = messages.audit(filter, first);
        all.addAll(slice.items());
        while (slice.next().isPresent()) {
            slice = messages.audit(filter, first.after(slice.next().get()));
            assertThat(slice.items()).hasSizeLessThanOrEqualTo(first.limit());
            all.addAll(slice.items());
        }
        return all;
    }

    private static List<UUID> ids(OutboxMessage... messages) {
        return Arrays.stream(messages).map(OutboxMessage::id).toList();
    }
}

package dev.postrider.jdbc.operator;

import static dev.postrider.jdbc.operator.Desk.DECISION;
import static dev.postrider.jdbc.operator.Desk.keyed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.postrider.MessageStatus;
import dev.postrider.OutboxMessage;
import dev.postrider.admin.AuditEntry;
import dev.postrider.admin.MessageEdit;
import dev.postrider.admin.MessageStateException;
import dev.postrider.admin.OutboxAdmin;
import dev.postrider.database.Dialect;
import dev.postrider.relay.Relay;
import dev.postrider.services.Database.Kind;
import dev.postrider.testkit.RecordingPublisher;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** People and relays want the same rows at the same time. */
@Tag("R0.3")
@Tag("R1.15")
final class InterventionRaceTest {

    private static final MessageEdit EDIT = MessageEdit.create().withPayload("{\"fixed\": true}");

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void anActionWaitsForALockedRowAndThenSeesWhatBecameOfIt(Kind kind) throws Exception {
        try (Desk desk = Desk.open(kind)) {
            OutboxMessage requeued = keyed("1");
            OutboxMessage edited = keyed("2");
            OutboxMessage untouched = keyed("3");
            desk.enqueue(requeued, edited, untouched);
            desk.kill("never", requeued, edited, untouched);
            OutboxAdmin admin = desk.admin();
            ExecutorService people = Executors.newFixedThreadPool(3);
            try (Connection relay = desk.fixture().producers().getConnection()) {
                relay.setAutoCommit(false);
                // As a relay would that claimed it: another person has requeued it just before.
                claim(relay, requeued, edited);

                Future<Integer> discard =
                        people.submit(() -> admin.discard(List.of(requeued.id(), untouched.id()), DECISION));
                Future<UUID> edit = people.submit(() -> desk.messages().edit(edited.id(), EDIT, DECISION));
                assertWaits(discard);
                assertWaits(edit);
                relay.commit();

                assertThat(discard.get(1, TimeUnit.MINUTES)).isEqualTo(1);
                assertThatExceptionOfType(Exception.class)
                        .isThrownBy(() -> edit.get(1, TimeUnit.MINUTES))
                        .withCauseInstanceOf(MessageStateException.class)
                        .withMessageContaining("CLAIMED");
            } finally {
                people.shutdownNow();
            }
            assertThat(desk.status(requeued.id())).isEqualTo(MessageStatus.CLAIMED);
            assertThat(desk.status(edited.id())).isEqualTo(MessageStatus.CLAIMED);
            assertThat(desk.audit()).extracting(AuditEntry::messageId).containsExactly(untouched.id());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void ofManyActionsOnAMessageOneWinsAndTheRelayDeliversAccordingly(Kind kind) throws Exception {
        RecordingPublisher broker = new RecordingPublisher();
        Set<UUID> requeued = ConcurrentHashMap.newKeySet();
        Set<UUID> discarded = ConcurrentHashMap.newKeySet();
        Map<UUID, UUID> edited = new ConcurrentHashMap<>();
        try (Desk desk = Desk.open(kind)) {
            OutboxMessage[] messages =
                    IntStream.range(0, 120).mapToObj(i -> keyed("" + i % 40)).toArray(OutboxMessage[]::new);
            desk.enqueue(messages);
            desk.kill("never", messages);
            List<UUID> ids = Arrays.stream(messages).map(OutboxMessage::id).toList();
            OutboxAdmin admin = desk.admin();
            JdbcDeadMessages dead = desk.messages();
            try (Relay relay = desk.start(broker)) {
                race(
                        ids,
                        List.of(
                                id -> {
                                    if (admin.requeue(List.of(id), DECISION) == 1) {
                                        requeued.add(id);
                                    }
                                },
                                id -> {
                                    if (admin.discard(List.of(id), DECISION) == 1) {
                                        discarded.add(id);
                                    }
                                },
                                id -> {
                                    try {
                                        edited.put(id, dead.edit(id, EDIT, DECISION));
                                    } catch (MessageStateException e) {
                                        assertThat(e.status()).isNotEqualTo(Optional.of(MessageStatus.DEAD));
                                    }
                                }));
                relay.wake();
                desk.await(() -> broker.received().size() >= requeued.size() + edited.size());
            }

            assertThat(requeued.size() + discarded.size() + edited.size()).isEqualTo(ids.size());
            Set<UUID> expected = new HashSet<>(requeued);
            expected.addAll(edited.values());
            assertThat(broker.received().stream().map(OutboxMessage::id).collect(Collectors.toSet()))
                    .isEqualTo(expected);
            assertThat(desk.audit()).extracting(AuditEntry::messageId).containsExactlyInAnyOrderElementsOf(ids);
            assertThat(desk.audit())
                    .allSatisfy(entry -> assertThat(entry.action())
                            .isEqualTo(
                                    requeued.contains(entry.messageId())
                                            ? "REQUEUE"
                                            : discarded.contains(entry.messageId()) ? "DISCARD" : "EDIT"));
        }
    }

    private static void race(List<UUID> ids, List<Consumer<UUID>> actions) throws Exception {
        ExecutorService people = Executors.newFixedThreadPool(actions.size());
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < actions.size(); i++) {
                Consumer<UUID> action = actions.get(i);
                int first = i * ids.size() / actions.size();
                // Each begins elsewhere, so that each wins some.
                running.add(people.submit(() ->
                        IntStream.range(0, ids.size()).forEach(n -> action.accept(ids.get((first + n) % ids.size())))));
            }
            for (Future<?> each : running) {
                each.get(2, TimeUnit.MINUTES);
            }
        } finally {
            people.shutdownNow();
        }
    }

    private static void claim(Connection connection, OutboxMessage... messages) throws SQLException {
        for (OutboxMessage message : messages) {
            try (PreparedStatement claim = connection.prepareStatement(
                    "update outbox_message set status = 1, died_at = null, claim_token = 7 where id = ?")) {
                claim.setObject(1, Dialect.of(connection).id(message.id()));
                assertThat(claim.executeUpdate()).isEqualTo(1);
            }
        }
    }

    private static void assertWaits(Future<?> action) {
        assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> action.get(300, TimeUnit.MILLISECONDS));
    }
}

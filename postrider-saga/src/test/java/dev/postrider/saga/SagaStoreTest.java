package dev.postrider.saga;

import static dev.postrider.saga.SagaFixture.ORDER;
import static dev.postrider.saga.SagaFixture.durable;
import static dev.postrider.saga.SagaFixture.start;
import static dev.postrider.saga.SagaFixture.transacted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.postrider.OutboxException;
import dev.postrider.admin.Decision;
import dev.postrider.services.Database.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the rows of sagas say. */
@Tag("R0.1")
final class SagaStoreTest {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Set<SagaVersion> ORDERS = Set.of(ORDER);

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void aSagaIsReadAsItWasInserted(Kind kind) {
        try (SagaFixture fixture = SagaFixture.create(kind)) {
            SagaStore store = fixture.store();
            UUID parent = SagaFixture.nextId();
            SagaHead head = new SagaHead(
                    SagaFixture.nextId(), ORDER, "Bestellung Ä-1 ", SagaMode.DURABLE, "json", "00-abc-01", parent);

            start(store, NewSaga.running(head, "{\"a\":\"ü\"}", Duration.ofDays(2)));

            SagaRow row = store.find(head.id()).orElseThrow();
            assertThat(row.head()).isEqualTo(head);
            assertThat(row.state())
                    .isEqualTo(
                            new SagaRow.State(SagaStatus.RUNNING, Direction.FORWARD, "{\"a\":\"ü\"}", 0, false, null));
            assertThat(row.claim()).isEqualTo(new SagaRow.Claim(null, null, 0, 0));
            assertThat(row.times().wakeAt()).isBeforeOrEqualTo(row.times().readAt());
            assertThat(row.times().finishedAt()).isNull();
            assertThat(Duration.between(row.times().createdAt(), row.times().deadlineAt()))
                    .isBetween(
                            Duration.ofDays(2).minusSeconds(60),
                            Duration.ofDays(2).plusSeconds(60));
            assertThat(store.findByKey("order", "Bestellung Ä-1 ")).isPresent();
            assertThat(store.findByKey("order", "Bestellung Ä-1")).isEmpty();
            assertThat(store.findByKey("order", "bestellung ä-1 ")).isEmpty();
            assertThat(store.unfinished()).isEqualTo(Map.of(ORDER, 1L));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void anAtomicSagaIsNeverDueAndARolledBackOneIsFinished(Kind kind) {
        try (SagaFixture fixture = SagaFixture.create(kind)) {
            SagaStore store = fixture.store();
            SagaHead atomic = SagaHead.of(SagaFixture.nextId(), ORDER, "k", SagaMode.ATOMIC, "json");
            SagaHead failed = SagaHead.of(SagaFixture.nextId(), ORDER, null, SagaMode.ATOMIC, "json");
            SagaFailure failure = new SagaFailure("pay", "a.B", "no\nmoney");

            boolean completed = transacted(store, connection -> {
                store.insert(connection, NewSaga.running(atomic, "{}", null));
                SagaUpdate end = SagaUpdate.to(SagaStatus.COMPLETED).withContext("{\"done\":1}");
                return store.advanceInserted(connection, atomic.id(), end);
            });
            start(store, new NewSaga(failed, SagaStatus.ROLLED_BACK, "{}", null, failure));

            assertThat(completed).isTrue();
            SagaRow row = store.find(atomic.id()).orElseThrow();
            assertThat(row.status()).isEqualTo(SagaStatus.COMPLETED);
            assertThat(row.state().context()).isEqualTo("{\"done\":1}");
            assertThat(row.times().finishedAt()).isNotNull();
            SagaRow rolledBack = store.find(failed.id()).orElseThrow();
            assertThat(rolledBack.state().failure()).isEqualTo(new SagaFailure("pay", "a.B", "no money"));
            assertThat(rolledBack.times().finishedAt()).isNotNull();
            assertThat(store.claim(ORDERS, 10, HOUR, "n")).isEmpty();
            assertThat(store.unfinished()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void theJournalKeepsTheOrderInWhichStepsWereBegun(Kind kind) {
        try (SagaFixture fixture = SagaFixture.create(kind)) {
            SagaStore store = fixture.store();
            UUID id = start(store);
            List<StepEntry> entries = List.of(
                    StepEntry.of(id, "b", Direction.FORWARD, StepStatus.WAITING, 1)
                            .withCommand("c-1"),
                    StepEntry.of(id, "a", Direction.FORWARD, StepStatus.DONE, 1),
                    StepEntry.of(id, "b", Direction.FORWARD, StepStatus.FAILED, 2)
                            .withError("x\u0000y"),
                    StepEntry.of(id, "b", Direction.FORWARD, StepStatus.DONE, 3),
                    StepEntry.of(id, "b", Direction.COMPENSATION, StepStatus.STARTED, 1));

            transacted(store, connection -> {
                store.lock(connection, id);
                for (StepEntry entry : entries) {
                    store.write(connection, entry);
                }
                return id;
            });

            List<JournalEntry> journal = store.journal(id);
            assertThat(journal)
                    .extracting(JournalEntry::step, JournalEntry::direction, JournalEntry::seq)
                    .containsExactly(
                            tuple("b", Direction.FORWARD, 1),
                            tuple("a", Direction.FORWARD, 2),
                            tuple("b", Direction.COMPENSATION, 3));
            assertThat(journal.get(0)).satisfies(entry -> {
                assertThat(entry.status()).isEqualTo(StepStatus.DONE);
                assertThat(entry.attempts()).isEqualTo(3);
                assertThat(entry.commandId()).isEqualTo("c-1");
                assertThat(entry.error()).isEqualTo("x y");
                assertThat(entry.finishedAt()).isNotNull();
            });
            assertThat(journal.get(2).finishedAt()).isNull();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("D6")
    void aReplyIsAwaitedOnlyWhileItsStepWaitsInTheDirectionOfTheSaga(Kind kind) {
        try (SagaFixture fixture = SagaFixture.create(kind)) {
            SagaStore store = fixture.store();
            UUID id = start(store);
            ClaimedSaga claimed = store.claim(ORDERS, 1, HOUR, "n").get(0);
            StepEntry waiting = StepEntry.of(id, "pay", Direction.FORWARD, StepStatus.WAITING, 1)
                    .withCommand("Cmd-1");
            store.record(
                    id,
                    claimed.epoch(),
                    waiting,
                    SagaUpdate.to(SagaStatus.WAITING).waking(HOUR));

            assertThat(awaited(store, "Cmd-1")).hasValueSatisfying(reply -> {
                assertThat(reply.saga().id()).isEqualTo(id);
                assertThat(reply.step().step()).isEqualTo("pay");
            });
            for (String foreign : List.of("cmd-1", "Cmd-1 ", "Cmd-ä", "", "x".repeat(101), "Cmd-2")) {
                assertThat(awaited(store, foreign)).as(foreign).isEmpty();
            }

            transacted(store, connection -> {
                SagaRow saga = store.lock(connection, id).orElseThrow();
                return store.advance(connection, saga, SagaUpdate.to(SagaStatus.COMPENSATING));
            });
            assertThat(awaited(store, "Cmd-1")).as("the saga has turned back").isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("D9")
    void aVersionWithOtherStepsIsRefusedAndAnUnknownOneIsNotClaimed(Kind kind) {
        try (SagaFixture fixture = SagaFixture.create(kind)) {
            SagaStore store = fixture.store();
            SagaVersion second = new SagaVersion("order", 2);
            String hash = "a".repeat(64);
            store.register(ORDER, hash, "graph");
            store.register(ORDER, hash, "graph");
            start(store, durable(second, null));

            assertThatThrownBy(() -> store.register(ORDER, "b".repeat(64), "graph"))
                    .isInstanceOf(OutboxException.class)
                    .hasMessageContaining("order v1")
                    .hasMessageContaining("new version");
            store.register(second, "b".repeat(64), "graph");
            assertThat(store.claim(ORDERS, 10, HOUR, "n")).isEmpty();
            assertThat(store.claim(Set.of(), 10, HOUR, "n")).isEmpty();
            assertThat(store.unfinished()).containsOnlyKeys(second);
            assertThat(store.claim(Set.of(ORDER, second), 10, HOUR, "n")).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void whatIsFinishedLosesItsClaimAndIsNotClaimedAgain(Kind kind) {
        try (SagaFixture fixture = SagaFixture.create(kind)) {
            SagaStore store = fixture.store();
            UUID id = start(store);

            List<ClaimedSaga> first = store.claim(Set.of(ORDER), 10, HOUR, "n");

            assertThat(first).containsExactly(new ClaimedSaga(id, ORDER, 1, 1));
            assertThat(store.claim(Set.of(ORDER), 10, HOUR, "m")).isEmpty();
            transacted(store, connection -> {
                SagaRow saga = store.fence(connection, id, 1, HOUR).orElseThrow();
                store.audit(connection, id, "LATE_REPLY", new Decision("orders", "nobody waits"), "c-1");
                return store.advance(
                        connection,
                        saga,
                        SagaUpdate.to(SagaStatus.COMPLETED).waking(HOUR).passingPivot());
            });
            SagaRow row = store.find(id).orElseThrow();
            assertThat(row.claim()).isEqualTo(new SagaRow.Claim(null, null, 1, 0));
            assertThat(row.times().wakeAt()).isNull();
            assertThat(row.state().pivotPassed()).isTrue();
            assertThat(store.claim(Set.of(ORDER), 10, HOUR, "m")).isEmpty();
            assertThat(fixture.count("saga_audit")).isEqualTo(1);
        }
    }

    private static Optional<AwaitedReply> awaited(SagaStore store, String commandId) {
        return transacted(store, connection -> store.awaited(connection, commandId));
    }
}

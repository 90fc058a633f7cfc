package dev.postrider.saga;

import static dev.postrider.saga.SagaFixture.ORDER;
import static dev.postrider.saga.SagaFixture.claimOne;
import static dev.postrider.saga.SagaFixture.durable;
import static dev.postrider.saga.SagaFixture.start;
import static dev.postrider.saga.SagaFixture.transacted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.postrider.admin.Decision;
import dev.postrider.admin.Page;
import dev.postrider.admin.Slice;
import dev.postrider.database.OpenTransaction;
import dev.postrider.services.Database.Kind;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a person sees of sagas and does to them. */
@Tag("R0.1")
final class SagaAdminTest {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Decision DECISION = new Decision("ada", "ticket 7");
    private static final SagaFailure FAILURE = new SagaFailure("pay", "a.b.Declined", "no money");

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void sagasAreListedByDefinitionStatusAndAge(Kind kind) {
        try (SagaFixture fixture = SagaFixture.create(kind)) {
            SagaStore store = fixture.store();
            SagaAdmin admin = SagaAdmin.of(fixture.pool());
            List<UUID> orders = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                orders.add(start(store));
            }
            UUID refund = start(store, durable(new SagaVersion("refund", 3), "r-1"));
            advance(store, orders.get(1), SagaUpdate.to(SagaStatus.STUCK).because(FAILURE));
            fixture.execute("update saga_instance set updated_at = created_at");
            fixture.execute("update saga_instance set updated_at = " + yearAgo(kind) + " where saga_id = '"
                    + orders.get(2) + "'");

            assertThat(ids(admin.list(SagaFilter.all(), Page.oldest(10)).items()))
                    .containsExactly(orders.get(0), orders.get(1), orders.get(2), orders.get(3), orders.get(4), refund);
            assertThat(ids(admin.list(SagaFilter.all().withDefinition("order"), Page.newest(2))
                            .items()))
                    .containsExactly(orders.get(4), orders.get(3));
            assertThat(admin.list(SagaFilter.all().withStatus(SagaStatus.STUCK), Page.newest(10))
                            .items())
                    .singleElement()
                    .satisfies(each -> {
                        assertThat(each.id()).isEqualTo(orders.get(1));
                        assertThat(each.failure()).isEqualTo(FAILURE);
                    });
            assertThat(ids(admin.list(
                                    SagaFilter.all()
                                            .withDefinition("order")
                                            .withStatus(SagaStatus.RUNNING, SagaStatus.STUCK)
                                            .withUnchangedFor(Duration.ofDays(300)),
                                    Page.newest(10))
                            .items()))
                    .containsExactly(orders.get(2));
            assertThat(admin.list(SagaFilter.all().withDefinition("refund"), Page.newest(10))
                            .items())
                    .singleElement()
                    .satisfies(each -> {
                        assertThat(each.version()).isEqualTo(3);
                        assertThat(each.businessKey()).isEqualTo("r-1");
                    });
            assertThat(walk(admin, Page.newest(2))).isEqualTo(reversed(walk(admin, Page.oldest(4))));
            assertThatThrownBy(() -> admin.list(SagaFilter.all(), Page.newest(2).after("x")))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void aStuckSagaTriesAgainWhereItWas(Kind kind) {
        try (SagaFixture fixture = SagaFixture.create(kind)) {
            SagaStore store = fixture.store();
            SagaAdmin admin = SagaAdmin.of(fixture.pool());
            UUID forward = stuck(store, Direction.FORWARD);
            UUID back = stuck(store, Direction.COMPENSATION);

            admin.retry(forward, DECISION);
            admin.retry(back, DECISION);

            SagaDetails one = admin.show(forward).orElseThrow();
            assertThat(one.saga().status()).isEqualTo(SagaStatus.RUNNING);
            assertThat(one.saga().failure()).isNull();
            assertThat(one.schedule().wakeAt()).isNotNull();
            assertThat(one.journal()).extracting(JournalEntry::attempts).containsExactly(1, 0);
            assertThat(one.audit()).singleElement().satisfies(entry -> {
                assertThat(entry.by()).isEqualTo("ada");
                assertThat(entry.action()).isEqualTo("RETRY");
                assertThat(entry.reason()).isEqualTo("ticket 7");
            });
            SagaDetails other = admin.show(back).orElseThrow();
            assertThat(other.saga().status()).isEqualTo(SagaStatus.COMPENSATING);
            assertThat(other.saga().failure()).as("why it turned back").isEqualTo(FAILURE);
            assertThat(store.claim(List.of(ORDER), 10, HOUR, "n"))
                    .extracting(ClaimedSaga::id)
                    .containsExactlyInAnyOrder(forward, back);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void aRetryAsksAnewWhatWasRefusedAndAsksAgainWhatWasNotAnswered(Kind kind) {
        try (SagaFixture fixture = SagaFixture.create(kind)) {
            SagaStore store = fixture.store();
            SagaAdmin admin = SagaAdmin.of(fixture.pool());
            UUID id = start(store);
            List<StepEntry> entries = List.of(
                    StepEntry.of(id, "refused", Direction.FORWARD, StepStatus.FAILED, 1)
                            .withCommand("c-1"),
                    StepEntry.of(id, "pay", Direction.FORWARD, StepStatus.WAITING, 3)
                            .withCommand("c-2"),
                    StepEntry.of(id, "ship", Direction.FORWARD, StepStatus.WAITING, 1)
                            .withCommand("c-3"));
            transacted(store, connection -> {
                SagaRow saga = store.lock(connection, id).orElseThrow();
                for (StepEntry entry : entries) {
                    store.write(connection, entry);
                }
                return store.advance(
                        connection, saga, SagaUpdate.to(SagaStatus.STUCK).because(FAILURE));
            });

            admin.retry(id, DECISION);

            assertThat(store.journal(id))
                    .extracting(JournalEntry::status, JournalEntry::commandId, JournalEntry::attempts)
                    .containsExactly(
                            tuple(StepStatus.FAILED, null, 0),
                            tuple(StepStatus.STARTED, "c-2", 0),
                            tuple(StepStatus.WAITING, "c-3", 0));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void aSagaGoesOnWithoutTheStepThatIsSkipped(Kind kind) {
        try (SagaFixture fixture = SagaFixture.create(kind)) {
            SagaStore store = fixture.store();
            SagaAdmin admin = SagaAdmin.of(fixture.pool());
            UUID id = stuck(store, Direction.FORWARD);
            UUID unbegun = start(store);
            advance(store, unbegun, SagaUpdate.to(SagaStatus.STUCK).because(FAILURE));

            refused(() -> admin.skip(id, "reserve", DECISION), SagaStatus.STUCK, "'reserve'", "it is at 'pay'");
            refused(() -> admin.skip(id, "ship", DECISION), SagaStatus.STUCK, "'ship'", "it is at 'pay'");
            admin.skip(id, "pay", DECISION);
            admin.skip(unbegun, "pay", DECISION);

            SagaDetails saga = admin.show(id).orElseThrow();
            assertThat(saga.saga().status()).isEqualTo(SagaStatus.RUNNING);
            assertThat(saga.journal())
                    .extracting(JournalEntry::status)
                    .containsExactly(StepStatus.DONE, StepStatus.SKIPPED);
            assertThat(saga.audit()).singleElement().satisfies(entry -> {
                assertThat(entry.action()).isEqualTo("SKIP");
                assertThat(entry.detail()).contains("pay", "FAILED");
            });
            assertThat(store.journal(unbegun)).extracting(JournalEntry::status).containsExactly(StepStatus.SKIPPED);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("D3")
    void aSagaTurnsBackWhenItIsCancelledButAfterThePivotOnlyIfSomebodyInsists(Kind kind) {
        try (SagaFixture fixture = SagaFixture.create(kind)) {
            SagaStore store = fixture.store();
            SagaAdmin admin = SagaAdmin.of(fixture.pool());
            UUID early = start(store);
            UUID late = start(store);
            advance(
                    store,
                    late,
                    SagaUpdate.to(SagaStatus.WAITING).passingPivot().waking(HOUR));

            admin.cancel(early, DECISION);
            refused(() -> admin.cancel(late, DECISION), SagaStatus.WAITING, "past its pivot", "compensateAfterPivot");
            assertThat(store.find(late).orElseThrow().status()).isEqualTo(SagaStatus.WAITING);
            assertThat(admin.show(late).orElseThrow().audit()).isEmpty();
            admin.compensateAfterPivot(late, DECISION);

            for (UUID id : List.of(early, late)) {
                SagaDetails saga = admin.show(id).orElseThrow();
                assertThat(saga.saga().status()).isEqualTo(SagaStatus.COMPENSATING);
                assertThat(saga.saga().failure()).isEqualTo(new SagaFailure(null, "CANCELLED", "ticket 7"));
                refused(() -> admin.cancel(id, DECISION), SagaStatus.COMPENSATING, "on its way back");
            }
            assertThat(admin.show(early).orElseThrow().audit())
                    .extracting(SagaAuditEntry::action)
                    .containsExactly("CANCEL");
            assertThat(admin.show(late).orElseThrow().audit()).singleElement().satisfies(entry -> {
                assertThat(entry.action()).isEqualTo("COMPENSATE");
                assertThat(entry.detail()).isEqualTo("after the pivot");
            });
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void theContextOfAStuckSagaIsEditedUnlessItChangedMeanwhile(Kind kind) {
        try (SagaFixture fixture = SagaFixture.create(kind)) {
            SagaStore store = fixture.store();
            SagaAdmin admin = SagaAdmin.of(fixture.pool());
            UUID id = stuck(store, Direction.FORWARD);
            long revision = admin.show(id).orElseThrow().revision();

            admin.editContext(id, revision, "{\"x\":1}", DECISION);

            SagaDetails saga = admin.show(id).orElseThrow();
            assertThat(saga.context()).isEqualTo("{\"x\":1}");
            assertThat(saga.saga().status()).isEqualTo(SagaStatus.STUCK);
            assertThat(saga.saga().failure()).isEqualTo(FAILURE);
            assertThat(saga.audit()).extracting(SagaAuditEntry::action).containsExactly("EDIT");
            refused(() -> admin.editContext(id, revision, "{}", DECISION), SagaStatus.STUCK, "look at it again");
            assertThat(admin.show(id).orElseThrow().context()).isEqualTo("{\"x\":1}");
            UUID running = start(store);
            refused(() -> admin.editContext(running, 0, "{}", DECISION), SagaStatus.RUNNING, "only one that is STUCK");
            assertThat(saga.toString()).doesNotContain("\"x\"");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void whatDoesNotFitIsRefusedWithoutATrace(Kind kind) {
        try (SagaFixture fixture = SagaFixture.create(kind)) {
            SagaStore store = fixture.store();
            SagaAdmin admin = SagaAdmin.of(fixture.pool());
            UUID claimed = start(store);
            claimOne(store, HOUR, "node-1");
            UUID done = start(store);
            UUID waiting = start(store);
            UUID missing = SagaFixture.nextId();
            advance(store, done, SagaUpdate.to(SagaStatus.COMPLETED));
            advance(store, waiting, SagaUpdate.to(SagaStatus.WAITING).waking(HOUR));
            long revision = store.find(done).orElseThrow().state().revision();

            refused(() -> admin.retry(done, DECISION), SagaStatus.COMPLETED, "nothing more can happen");
            refused(() -> admin.cancel(done, DECISION), SagaStatus.COMPLETED, "nothing more can happen");
            refused(() -> admin.compensateAfterPivot(done, DECISION), SagaStatus.COMPLETED, "nothing more");
            refused(() -> admin.skip(done, "pay", DECISION), SagaStatus.COMPLETED, "nothing more");
            refused(() -> admin.retry(claimed, DECISION), SagaStatus.RUNNING, "node-1 is at it");
            refused(() -> admin.retry(waiting, DECISION), SagaStatus.WAITING, "waits for a reply", "cancel");
            assertThatThrownBy(() -> admin.cancel(missing, DECISION))
                    .isInstanceOfSatisfying(
                            SagaStateException.class,
                            error -> assertThat(error.status()).isEmpty())
                    .hasMessageContaining("not there");

            assertThat(admin.show(missing)).isEmpty();
            assertThat(fixture.count("saga_audit")).isZero();
            assertThat(store.find(done).orElseThrow().state().revision()).isEqualTo(revision);
            assertThat(store.find(waiting).orElseThrow().claim().epoch()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("D4")
    void anActionWaitsForTheStepThatIsUnderWayAndFencesTheNext(Kind kind) throws Exception {
        try (SagaFixture fixture = SagaFixture.create(kind)) {
            SagaStore store = fixture.store();
            SagaAdmin admin = SagaAdmin.of(fixture.pool());
            UUID id = start(store);
            ClaimedSaga claimed = claimOne(store, HOUR, "runner");
            StepEntry done = StepEntry.of(id, "reserve", Direction.FORWARD, StepStatus.DONE, 1);
            StepEntry next = StepEntry.of(id, "pay", Direction.FORWARD, StepStatus.DONE, 1);
            ExecutorService executor = Executors.newSingleThreadExecutor();
            Future<?> cancelled;

            try (OpenTransaction step = store.begin(null)) {
                Connection connection = step.session().connection();
                SagaRow saga =
                        store.fence(connection, id, claimed.epoch(), HOUR).orElseThrow();
                cancelled = executor.submit(() -> admin.cancel(id, DECISION));
                assertThatThrownBy(() -> cancelled.get(300, TimeUnit.MILLISECONDS))
                        .isInstanceOf(TimeoutException.class);
                store.write(connection, done);
                assertThat(store.advance(connection, saga, SagaUpdate.to(SagaStatus.RUNNING)))
                        .isTrue();
                step.commit();
            }
            cancelled.get(2, TimeUnit.MINUTES);
            executor.shutdown();

            assertThat(store.record(id, claimed.epoch(), next, SagaUpdate.to(SagaStatus.RUNNING)))
                    .as("the runner has lost the saga")
                    .isFalse();
            assertThat(store.journal(id)).extracting(JournalEntry::step).containsExactly("reserve");
            assertThat(store.find(id).orElseThrow().status()).isEqualTo(SagaStatus.COMPENSATING);
            assertThat(claimOne(store, HOUR, "next").id()).isEqualTo(id);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("D10")
    void onlyWhatNobodyCaresForIsNeglected(Kind kind) {
        try (SagaFixture fixture = SagaFixture.create(kind)) {
            SagaStore store = fixture.store();
            SagaAdmin admin = SagaAdmin.of(fixture.pool());
            Duration minute = Duration.ofMinutes(1);
            Duration past = Duration.ofMinutes(-5);
            UUID fresh = start(store);
            UUID claimed = start(store);
            advance(store, claimed, SagaUpdate.to(SagaStatus.RUNNING).waking(past));
            claimOne(store, HOUR, "runner");
            UUID later = start(store);
            advance(store, later, SagaUpdate.to(SagaStatus.WAITING).waking(HOUR));
            advance(store, start(store), SagaUpdate.to(SagaStatus.STUCK).because(FAILURE));
            for (SagaStatus end : List.of(SagaStatus.COMPLETED, SagaStatus.COMPENSATED, SagaStatus.ROLLED_BACK)) {
                advance(store, start(store), SagaUpdate.to(end));
            }
            UUID overdue = start(store);
            UUID deserted = start(store);
            advance(store, deserted, SagaUpdate.to(SagaStatus.COMPENSATING).waking(past));
            claimOne(store, past, "dead runner");
            advance(store, overdue, SagaUpdate.to(SagaStatus.RUNNING).waking(past));
            UUID forgotten = start(store);
            advance(store, forgotten, SagaUpdate.to(SagaStatus.WAITING).waking(null));

            assertThat(ids(admin.neglected(minute, 100))).containsExactly(overdue, deserted, forgotten);
            assertThat(ids(admin.neglected(minute, 1))).containsExactly(overdue);
            assertThat(ids(admin.neglected(HOUR, 100))).containsExactly(forgotten);
            assertThat(ids(admin.neglected(Duration.ZERO, 100))).contains(fresh).doesNotContain(claimed, later);
            fixture.execute("update saga_instance set finished_at = null where status = 'COMPENSATED'");
            assertThat(admin.neglected(minute, 100)).hasSize(4);
        }
    }

    private static UUID stuck(SagaStore store, Direction direction) {
        UUID id = start(store);
        transacted(store, connection -> {
            SagaRow saga = store.lock(connection, id).orElseThrow();
            store.write(connection, StepEntry.of(id, "reserve", Direction.FORWARD, StepStatus.DONE, 1));
            store.write(
                    connection,
                    StepEntry.of(id, "pay", direction, StepStatus.FAILED, 8).withError("no money"));
            return store.advance(
                    connection,
                    saga,
                    SagaUpdate.to(direction == Direction.FORWARD ? SagaStatus.RUNNING : SagaStatus.COMPENSATING));
        });
        advance(store, id, SagaUpdate.to(SagaStatus.STUCK).because(FAILURE));
        return id;
    }

    private static void advance(SagaStore store, UUID id, SagaUpdate change) {
        boolean advanced = transacted(
                store,
                connection ->
                        store.advance(connection, store.lock(connection, id).orElseThrow(), change));
        assertThat(advanced).isTrue();
    }

    private static void refused(ThrowingCallable action, SagaStatus status, String... parts) {
        assertThatThrownBy(action)
                .isInstanceOfSatisfying(
                        SagaStateException.class,
                        error -> assertThat(error.status()).hasValue(status))
                .hasMessageContainingAll(parts);
    }

    private static List<UUID> walk(SagaAdmin admin, Page first) {
        List<UUID> ids = new ArrayList<>();
        Page page = first;
        while (page != null) {
            Slice<SagaSummary> slice = admin.list(SagaFilter.all(), page);
            ids.addAll(ids(slice.items()));
            page = slice.next().map(first::after).orElse(null);
        }
        return ids;
    }

    private static List<UUID> reversed(List<UUID> ids) {
        List<UUID> reversed = new ArrayList<>();
        ids.forEach(each -> reversed.add(0, each));
        return reversed;
    }

    private static List<UUID> ids(List<SagaSummary> sagas) {
        return sagas.stream().map(SagaSummary::id).toList();
    }

    private static String yearAgo(Kind kind) {
        return switch (kind) {
            case H2 -> "dateadd('YEAR', -1, current_timestamp)";
            case MARIADB, MYSQL -> "utc_timestamp(6) - interval 1 year";
            default -> "now() - interval '1 year'";
        };
    }
}

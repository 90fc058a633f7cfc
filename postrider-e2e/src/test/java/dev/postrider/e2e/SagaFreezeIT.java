package dev.postrider.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postrider.e2e.Errand.Fate;
import dev.postrider.e2e.Victim.Place;
import dev.postrider.services.Database.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A node that runs sagas is frozen with SIGSTOP for longer than its claims last, and comes back as a zombie. */
@Tag("B4")
@Tag("D4")
final class SagaFreezeIT {

    private static final int THREE = ErrandNode.SAGAS;

    /** Where a node is frozen, and the fate of the sagas it runs then. */
    private record Freeze(Fate fate, Place place) {

        String name() {
            return "%s.%s".formatted(fate, place);
        }
    }

    // Between two transactions, after the action of somebody else, before a failure is written; forwards and back.
    private static final List<Freeze> BETWEEN_TRANSACTIONS = List.of(
            new Freeze(Fate.GOOD, new Place("saga.step.committed", 1)),
            new Freeze(Fate.GOOD, new Place("saga.external.called", 1)),
            new Freeze(Fate.FLAKY, new Place("saga.step.failed", 1)),
            new Freeze(Fate.DECLINED, new Place("saga.step.failed", 1)),
            new Freeze(Fate.DECLINED, new Place("saga.external.called", THREE + 1)));

    private static final List<Freeze> IN_A_TRANSACTION = List.of(
            new Freeze(Fate.GOOD, new Place("saga.step.acted", 1)),
            new Freeze(Fate.DECLINED, new Place("saga.step.acted", THREE + 1)));

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB"})
    void aZombieChangesNoRowOfASagaThatAnotherNodeHasTaken(Kind kind) {
        try (Ledger ledger = Ledger.create(kind)) {
            List<Integer> taken = Abreast.map(
                    Victim.cases(kind, BETWEEN_TRANSACTIONS, Freeze::place), freeze -> takenAway(ledger, freeze));

            System.out.printf(
                    "%s: %d nodes frozen past their claim: %d sagas taken over, none changed by the zombie%n",
                    kind,
                    taken.size(),
                    taken.stream().mapToInt(Integer::intValue).sum());
            assertThat(taken).allSatisfy(sagas -> assertThat(sagas).isPositive());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB"})
    @Tag("D1")
    void aNodeFrozenInATransactionKeepsItsSagaAndNothingHappensTwice(Kind kind) {
        try (Ledger ledger = Ledger.create(kind)) {
            List<Boolean> kept =
                    Abreast.map(Victim.cases(kind, IN_A_TRANSACTION, Freeze::place), freeze -> kept(ledger, freeze));

            System.out.printf(
                    "%s: %d nodes frozen in a transaction: the saga stayed theirs, the others were taken over%n",
                    kind, kept.size());
        }
    }

    /** Returns how many sagas were taken over. */
    private int takenAway(Ledger ledger, Freeze freeze) {
        Path go = go();
        try (ErrandNode client = ErrandNode.lasting(ledger.pool(), freeze.name(), "client")
                        .answer();
                Victim zombie = frozen(ledger, freeze, go)) {
            int held = held(ledger, freeze).size();
            try (ErrandNode survivor = ErrandNode.lasting(ledger.pool(), freeze.name(), "survivor")) {
                survivor.run();
                awaitEnd(ledger, freeze);
            }
            SagaKillIT.check(ledger, freeze.fate(), freeze.name());
            List<String> before = everything(ledger, freeze);

            resume(zombie, go);
            // When it has run other sagas, it has long come to the end of these.
            client.ask(freeze.fate() == Fate.GOOD ? Fate.FLAKY : Fate.GOOD);
            awaitEnd(ledger, freeze);

            assertThat(everything(ledger, freeze))
                    .as("rows after the return at %s", freeze)
                    .isEqualTo(before);
            return held;
        }
    }

    private boolean kept(Ledger ledger, Freeze freeze) {
        Path go = go();
        try (ErrandNode survivor = ErrandNode.lasting(ledger.pool(), freeze.name(), "survivor")
                        .answer();
                Victim zombie = frozen(ledger, freeze, go)) {
            survivor.run();
            await("the other sagas of " + freeze)
                    .atMost(Victim.PATIENCE)
                    .until(() -> open(ledger, freeze).size() == 1);
            assertThat(open(ledger, freeze))
                    .as("the saga in the open transaction")
                    .isEqualTo(held(ledger, freeze));

            resume(zombie, go);
            awaitEnd(ledger, freeze);
            SagaKillIT.check(ledger, freeze.fate(), freeze.name());
            return true;
        }
    }

    private Path go() {
        return folder.resolve(UUID.randomUUID().toString());
    }

    /** Returns a process that is frozen at the fault point. */
    private static Victim frozen(Ledger ledger, Freeze freeze, Path go) {
        Victim victim = Victim.launch(
                SagaVictim.class,
                ledger.database(),
                freeze.place(),
                freeze.name(),
                freeze.fate().name(),
                go.toString());
        victim.jvm().awaitOutput(Halt.there(freeze.place().point()), Victim.PATIENCE);
        victim.jvm().stop();
        return victim;
    }

    private static void resume(Victim zombie, Path go) {
        try {
            Files.createFile(go);
        } catch (IOException e) {
            throw new UncheckedIOException("Could not create " + go, e);
        }
        zombie.jvm().cont();
    }

    private static void awaitEnd(Ledger ledger, Freeze freeze) {
        await("the end of the sagas of " + freeze)
                .atMost(Victim.PATIENCE)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> open(ledger, freeze).isEmpty());
    }

    private static List<String> open(Ledger ledger, Freeze freeze) {
        return ledger.strings(
                "select saga_id from saga_instance where definition like ? and finished_at is null",
                freeze.name() + "%");
    }

    private static List<String> held(Ledger ledger, Freeze freeze) {
        return ledger.strings(
                "select saga_id from saga_instance where definition like ? and finished_at is null and claimed_by = ?",
                freeze.name() + "%",
                SagaVictim.NODE);
    }

    /** Returns all there is of the sagas with the fate in question. */
    private static List<String> everything(Ledger ledger, Freeze freeze) {
        String owners = freeze.fate() + " " + freeze.name() + "%";
        List<String> rows = new ArrayList<>();
        rows.addAll(ledger.strings(
                "select concat(saga_id, status, epoch, ' ', revision, updated_at, coalesce(claimed_by, '')) as r"
                        + " from saga_instance where business_key like ? order by r",
                owners));
        rows.addAll(ledger.strings(
                "select concat(s.saga_id, s.step, s.direction, s.status, s.seq, ' ', s.attempts, s.started_at,"
                        + " s.finished_at) as r from saga_step s join saga_instance i on i.saga_id = s.saga_id"
                        + " where i.business_key like ? order by r",
                owners));
        rows.addAll(
                ledger.strings("select concat(owner, what) as r from effect where owner like ? order by r", owners));
        rows.addAll(ledger.strings(
                "select concat(seq, type) as r from outbox_message where message_key like ? order by r", owners));
        return rows;
    }
}

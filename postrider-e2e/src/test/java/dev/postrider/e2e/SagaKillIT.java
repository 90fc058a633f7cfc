package dev.postrider.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postrider.e2e.Errand.Fate;
import dev.postrider.e2e.Victim.Place;
import dev.postrider.services.Database.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A node that runs sagas is killed with SIGKILL at every fault point, and another takes over. */
@Tag("B4")
final class SagaKillIT {

    /** A kill, and the fate of the sagas that ran then: with three of them, from the fourth time on they go back. */
    private record Kill(Fate fate, Place place) {

        Kill(Fate fate, String point, int nth) {
            this(fate, new Place(point, nth));
        }

        String name() {
            return "%s.%s".formatted(fate, place);
        }

        boolean onTheWayBack() {
            return fate == Fate.DECLINED && place.nth() > ErrandNode.SAGAS;
        }
    }

    private static final List<Kill> KILLS = List.of(
            new Kill(Fate.GOOD, "saga.inserted", 2),
            new Kill(Fate.GOOD, "saga.step.acted", 2),
            new Kill(Fate.GOOD, "saga.step.acted", 5),
            new Kill(Fate.GOOD, "saga.step.journaled", 2),
            new Kill(Fate.GOOD, "saga.step.journaled", 12),
            new Kill(Fate.GOOD, "saga.step.committed", 2),
            new Kill(Fate.GOOD, "saga.step.committed", 12),
            new Kill(Fate.GOOD, "saga.request.enqueued", 2),
            new Kill(Fate.GOOD, "saga.external.arming", 2),
            new Kill(Fate.GOOD, "saga.external.started", 2),
            new Kill(Fate.GOOD, "saga.external.called", 2),
            new Kill(Fate.FLAKY, "saga.step.failed", 2),
            new Kill(Fate.DECLINED, "saga.step.failed", 1),
            new Kill(Fate.DECLINED, "saga.step.acted", 4),
            new Kill(Fate.DECLINED, "saga.step.journaled", 11),
            new Kill(Fate.DECLINED, "saga.step.committed", 11),
            new Kill(Fate.DECLINED, "saga.request.enqueued", 4),
            new Kill(Fate.DECLINED, "saga.external.arming", 4),
            new Kill(Fate.DECLINED, "saga.external.started", 4),
            new Kill(Fate.DECLINED, "saga.external.called", 4),
            new Kill(Fate.SILENT, "saga.moved", 1),
            new Kill(Fate.ATOMIC, "saga.atomic.stepped", 2),
            new Kill(Fate.ATOMIC, "saga.atomic.committed", 2));

    @Test
    void noFaultPointOfSagasIsForgotten() {
        Set<String> tried =
                KILLS.stream().map(kill -> kill.place().point()).collect(Collectors.toCollection(TreeSet::new));

        assertThat(tried).isEqualTo(FaultPointNames.of("postrider-saga"));
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB"})
    @Tag("A1")
    @Tag("A4")
    @Tag("D1")
    @Tag("D2")
    @Tag("D5")
    void killedAtAnyPointEverySagaIsTakenOverAndDoneOrUndoneOnce(Kind kind) {
        try (Ledger ledger = Ledger.create(kind)) {
            List<Integer> taken = Abreast.map(Victim.cases(kind, KILLS, Kill::place), kill -> kill(ledger, kill));

            System.out.printf(
                    "%s: %d nodes killed -9 at %d fault points of sagas: %d sagas taken over, all ended as they should%n",
                    kind,
                    taken.size(),
                    FaultPointNames.of("postrider-saga").size(),
                    taken.stream().mapToInt(Integer::intValue).sum());
            assertThat(taken).as("sagas of dead nodes that another took over").anyMatch(sagas -> sagas > 0);
        }
    }

    /** Returns how many sagas the dead node held, all of which another has taken. */
    private static int kill(Ledger ledger, Kill kill) {
        try (Victim victim = Victim.launch(
                        SagaVictim.class,
                        ledger.database(),
                        kill.place(),
                        kill.name(),
                        kill.fate().name());
                ErrandNode survivor = ErrandNode.lasting(ledger.pool(), kill.name(), "survivor")) {
            victim.awaitDeath();
            int held = held(ledger, kill);
            assertThat(statuses(ledger, kill.name()).contains("COMPENSATING"))
                    .as("goes back when killed at %s", kill)
                    .isEqualTo(kill.onTheWayBack());
            survivor.answer().run();
            await("another node to take over at " + kill)
                    .atMost(Victim.PATIENCE)
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> held(ledger, kill) == 0);

            // The caller that got no answer asks again.
            survivor.ask(kill.fate());
            await("the end of the sagas of " + kill)
                    .atMost(Victim.PATIENCE)
                    .pollInterval(Duration.ofMillis(50))
                    .until(() -> open(ledger, kill) == 0);
            check(ledger, kill.fate(), kill.name());
            return held;
        }
    }

    private static int held(Ledger ledger, Kill kill) {
        return ledger.strings(
                        "select saga_id from saga_instance where definition like ? and claimed_by = ?"
                                + " and finished_at is null",
                        kill.name() + "%",
                        SagaVictim.NODE)
                .size();
    }

    private static int open(Ledger ledger, Kill kill) {
        return ledger.strings(
                        "select saga_id from saga_instance where definition like ? and finished_at is null",
                        kill.name() + "%")
                .size();
    }

    private static List<String> statuses(Ledger ledger, String name) {
        return ledger.strings("select status from saga_instance where definition like ?", name + "%");
    }

    /** Checks that the sagas of an errand have all ended as is their fate. */
    static void check(Ledger ledger, Fate fate, String name) {
        assertThat(statuses(ledger, name))
                .as("sagas of %s", name)
                .hasSize(ErrandNode.SAGAS)
                .containsOnly(fate.end().name());
        for (int i = 1; i <= ErrandNode.SAGAS; i++) {
            String owner = fate.owner(name, i);
            assertThat(ledger.effects(owner)).as("effects of %s", owner).containsExactlyElementsOf(fate.effects());
            assertThat(fate.sent(ledger.messages(owner)))
                    .as("messages of %s", owner)
                    .containsExactlyElementsOf(fate.messages());
            assertThat(ledger.strings("""
                            select s.step
                              from saga_step s
                              join saga_instance i on i.saga_id = s.saga_id
                             where i.business_key = ?
                               and s.direction = 'C'
                               and s.status = 'DONE'
                             order by s.seq
                            """, owner))
                    .as("steps of %s that are undone", owner)
                    .containsExactlyElementsOf(fate.undone());
        }
    }
}

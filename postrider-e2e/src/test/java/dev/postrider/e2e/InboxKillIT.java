package dev.postrider.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postrider.admin.Decision;
import dev.postrider.e2e.InboxShift.Way;
import dev.postrider.e2e.Victim.Place;
import dev.postrider.inbox.InboxEntry;
import dev.postrider.inbox.JdbcInboxAdmin;
import dev.postrider.inbox.ParkedMessage;
import dev.postrider.services.Database.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A consumer is killed with SIGKILL at every fault point of the inbox, and another gets everything again. */
@Tag("B5")
final class InboxKillIT {

    private static final int LIMIT = 100;

    /** A kill, and how messages are handled then. */
    private record Kill(Way way, Place place) {

        List<String> consumers() {
            return Stream.of("billing", "audit")
                    .map(each -> "%s.%s.%s".formatted(each, way, place))
                    .toList();
        }
    }

    private static final List<Kill> KILLS = List.of(
            new Kill(Way.ONE_BY_ONE, new Place("inbox.begun", 3)),
            new Kill(Way.ONE_BY_ONE, new Place("inbox.claimed", 3)),
            new Kill(Way.ONE_BY_ONE, new Place("inbox.handled", 3)),
            new Kill(Way.ONE_BY_ONE, new Place("inbox.committing", 3)),
            new Kill(Way.ONE_BY_ONE, new Place("inbox.committed", 3)),
            new Kill(Way.ONE_BY_ONE, new Place("inbox.failed", 1)),
            new Kill(Way.ONE_BY_ONE, new Place("inbox.counted", 1)),
            // The second failure of the poisonous message parks it.
            new Kill(Way.ONE_BY_ONE, new Place("inbox.failed", 3)),
            new Kill(Way.ONE_BY_ONE, new Place("inbox.counted", 3)),
            new Kill(Way.ONE_BY_ONE, new Place("inbox.parked", 1)),
            new Kill(Way.BATCH, new Place("inbox.claimed", 1)),
            new Kill(Way.BATCH, new Place("inbox.handled", 1)),
            new Kill(Way.BATCH, new Place("inbox.committing", 1)),
            new Kill(Way.BATCH, new Place("inbox.committed", 1)),
            new Kill(Way.BATCH, new Place("inbox.failed", 1)),
            new Kill(Way.CALLERS_TRANSACTION, new Place("inbox.claimed", 3)),
            new Kill(Way.CALLERS_TRANSACTION, new Place("inbox.handled", 3)),
            new Kill(Way.RELEASED, new Place("inbox.claimed", 1)),
            new Kill(Way.RELEASED, new Place("inbox.handled", 1)),
            new Kill(Way.RELEASED, new Place("inbox.committed", 1)));

    /** What a process prints when it may acknowledge a message. */
    static String ack(String consumer, String id) {
        return "ack %s '%s'".formatted(consumer, id);
    }

    @Test
    void noFaultPointOfTheInboxIsForgotten() {
        Set<String> tried =
                KILLS.stream().map(kill -> kill.place().point()).collect(Collectors.toCollection(TreeSet::new));

        assertThat(tried).isEqualTo(FaultPointNames.of("postrider-inbox"));
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB"})
    @Tag("R0.7")
    @Tag("F62")
    @Tag("I1")
    @Tag("I2")
    @Tag("I3")
    @Tag("I4")
    @Tag("I5")
    void killedAtAnyPointEveryMessageHasOneEffectForEachConsumer(Kind kind) {
        try (Ledger ledger = Ledger.create(kind)) {
            long start = System.nanoTime();
            Set<Integer> acknowledged =
                    new TreeSet<>(Abreast.map(Victim.cases(kind, KILLS, Kill::place), kill -> kill(ledger, kill)));

            long effects =
                    Long.parseLong(ledger.strings("select count(*) from effect").get(0));
            assertThat(ledger.strings("select count(*) from inbox_message")).containsExactly(Long.toString(effects));
            assertThat(acknowledged).as("what the victims acknowledged").hasSizeGreaterThan(1);
            System.out.printf(
                    "%s: %d consumers killed -9 at %d fault points of the inbox: %d messages handled, each once, %d s%n",
                    kind,
                    Victim.cases(kind, KILLS, Kill::place).size(),
                    FaultPointNames.of("postrider-inbox").size(),
                    effects,
                    Duration.ofNanos(System.nanoTime() - start).toSeconds());
        }
    }

    /** Returns how many messages the victim had acknowledged. */
    private static int kill(Ledger ledger, Kill kill) {
        JdbcInboxAdmin admin = JdbcInboxAdmin.of(ledger.pool());
        if (kill.way() == Way.RELEASED) {
            kill.consumers().forEach(consumer -> release(ledger, admin, consumer));
        }
        List<String> printed;
        String[] more = Stream.concat(Stream.of(kill.way().name()), kill.consumers().stream())
                .toArray(String[]::new);
        try (Victim victim = Victim.launch(InboxVictim.class, ledger.database(), kill.place(), more)) {
            printed = victim.awaitDeath();
        }
        for (String consumer : kill.consumers()) {
            checkAcknowledged(ledger, admin, consumer, printed);
            if (kill.way() == Way.RELEASED) {
                awaitReleased(ledger, consumer);
            }
            new InboxShift(ledger.pool(), consumer, id -> {}).receive(kill.way());
            check(ledger, admin, kill.way(), consumer);
        }
        return (int) printed.stream().filter(line -> line.startsWith("ack ")).count();
    }

    private static void release(Ledger ledger, JdbcInboxAdmin admin, String consumer) {
        new InboxShift(ledger.pool(), consumer, id -> {}).receive(Way.ONE_BY_ONE);
        assertThat(admin.release(consumer, List.of("poison"), new Decision("operator", "it is mended")))
                .isEqualTo(1);
    }

    // The server may notice late that the victim is gone. Until then the victim's lock makes others pass the row over,
    // and
    // a consumer looks for released messages again later.
    private static void awaitReleased(Ledger ledger, String consumer) {
        List<String> expected = InboxShift.effective(Way.RELEASED);
        await().atMost(RelayProcess.PATIENCE).until(() -> {
            new InboxShift(ledger.pool(), consumer, id -> {}).receive(Way.RELEASED);
            return ledger.effects(consumer).equals(expected);
        });
    }

    private static void checkAcknowledged(Ledger ledger, JdbcInboxAdmin admin, String consumer, List<String> printed) {
        Set<String> handled =
                Set.copyOf(ledger.strings("select message_id from inbox_message where consumer = ?", consumer));
        Set<String> parked = admin.parked(consumer, 0, LIMIT).stream()
                .map(each -> each.message().id().orElse(""))
                .collect(Collectors.toSet());
        assertThat(ledger.effects(consumer)).as("effects with a mark").containsExactlyInAnyOrderElementsOf(handled);
        assertThat(printed.stream().filter(line -> line.startsWith("ack " + consumer + " ")))
                .as("what may be acknowledged is handled or parked")
                .isSubsetOf(Stream.concat(handled.stream(), parked.stream())
                        .map(id -> ack(consumer, id))
                        .toList());
    }

    private static void check(Ledger ledger, JdbcInboxAdmin admin, Way way, String consumer) {
        List<String> expected = InboxShift.effective(way);
        assertThat(ledger.effects(consumer)).as("effects for " + consumer).containsExactlyElementsOf(expected);
        assertThat(ledger.messages(consumer)).as("messages of " + consumer).containsExactlyElementsOf(expected);
        assertThat(ledger.strings(
                        "select message_id from inbox_message where consumer = ? order by message_id", consumer))
                .as("marks of " + consumer)
                .containsExactlyElementsOf(expected);
        assertThat(admin.parked(consumer, 0, LIMIT))
                .as("parked for " + consumer)
                .hasSize(InboxShift.parked(way))
                .extracting(ParkedMessage::state)
                .isSubsetOf(InboxEntry.State.PARKED, InboxEntry.State.BEHIND);
    }
}

package dev.postrider.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.MessageStatus;
import dev.postrider.OutboxMessage;
import dev.postrider.jdbc.operator.JdbcOutboxAdmin;
import dev.postrider.services.Database.Kind;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.FetchRequest;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.Shards;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The in-flight journal has one row for each fetch and is all that a fetch writes. */
@Tag("R1.8")
final class JournalTest {

    private static final String ENTRIES = "select count(*) from outbox_claim";

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_15", "POSTGRES_18"})
    @Tag("B9")
    void fetchLeavesTheVersionsOfItsRows(Kind kind) {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            HandRelay relay = HandRelay.join(fixture, "a");
            fixture.enqueue(3);

            relay.fetch();

            assertThat(fixture.number("select count(distinct (ctid, xmin)) from outbox_message where xmax = 0"))
                    .isEqualTo(3);
            assertThat(fixture.number(ENTRIES)).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("R4.9")
    void viewShowsWhatIsInFlight(Kind kind) {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            HandRelay relay = HandRelay.join(fixture, "a");
            fixture.enqueue(3);
            List<ClaimedMessage> fetched = relay.fetch();
            relay.settle(Settlement.delivered(fetched.get(0)));

            assertThat(fixture.number("""
                    select count(*)
                      from outbox_message_view
                     where status = 'CLAIMED' and attempts = 1 and claimed_by = 'a' and claim_until > updated_at
                    """)).isEqualTo(2);
            relay.end(fetched);
            assertThat(fixture.number("""
                    select count(*)
                      from outbox_message_view
                     where status = 'PENDING' and attempts = 0 and claimed_by is null and claim_until is null
                    """)).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void repeatedFetchExtendsItsEntry(Kind kind) {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            HandRelay relay = HandRelay.join(fixture, "a");
            fixture.enqueue(3);
            FetchRequest request = relay.request();
            relay.store().fetch(request, new SeqRange(0, 2), 100);
            relay.store().fetch(request, SeqRange.above(2), 100);

            long entries = fixture.number(ENTRIES);

            assertThat(entries).isEqualTo(1);
            assertThat(JdbcOutboxAdmin.of(fixture.pool()).list(MessageStatus.CLAIMED, 0, 10))
                    .hasSize(3);
        }
    }

    @ParameterizedTest
    @EnumSource
    void fetchThatFindsNothingLeavesNoEntry(Kind kind) {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            HandRelay relay = HandRelay.join(fixture, "a");

            assertThat(relay.fetch()).isEmpty();

            assertThat(fixture.number(ENTRIES)).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void entryOfAnotherRelayIsNotRemoved(Kind kind) {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            HandRelay relay = HandRelay.join(fixture, "a");
            HandRelay other = HandRelay.join(fixture, "b");
            fixture.enqueue(3);
            List<ClaimedMessage> fetched = relay.fetch();

            other.end(fetched);

            assertThat(fixture.number(ENTRIES)).isEqualTo(1);
        }
    }

    // A server that crashed may have lost its last rows.
    @ParameterizedTest
    @EnumSource
    @Tag("R1.10")
    void outcomesAreWrittenWithoutTheJournal(Kind kind) {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            HandRelay relay = HandRelay.join(fixture, "a");
            fixture.enqueue(3);
            List<ClaimedMessage> fetched = relay.fetch();
            fixture.execute("delete from outbox_claim");

            int written = relay.settle(
                    Settlement.delivered(fetched.get(0)),
                    Settlement.retry(fetched.get(1), HandRelay.LONG, "broken", true),
                    Settlement.dead(fetched.get(2), "never", false));

            assertThat(written).isEqualTo(3);
        }
    }

    // The fetch began before the take-over, and its entry became visible after it.
    @ParameterizedTest
    @EnumSource
    @Tag("R1.10")
    void entryThatComesTooLateChangesNothing(Kind kind) {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            HandRelay old = HandRelay.join(fixture, "a");
            fixture.enqueue(3);
            List<ClaimedMessage> late = old.fetch();
            fixture.execute("create table kept as select * from outbox_claim", "delete from outbox_claim");
            HandRelay young = old.takenOverBy(fixture, "b");
            List<ClaimedMessage> fetched = young.fetch();
            fixture.execute("insert into outbox_claim select * from kept");

            int byTheOld = old.settle(late, Settlement::delivered);
            int byTheYoung = young.settle(fetched, Settlement::delivered);

            assertThat(fetched).extracting(ClaimedMessage::lostClaims).containsExactly(0, 0, 0);
            assertThat(byTheOld).isZero();
            assertThat(byTheYoung).isEqualTo(3);
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("R1.14")
    void journalOfADeadRelayIsRemovedWithItsLastShard(Kind kind) {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            HandRelay dead = HandRelay.join(fixture, "a");
            OutboxMessage message = fixture.enqueue(1).get(0);
            dead.fetch();
            fixture.execute("delete from outbox_relay");
            Set<Integer> others = HandRelay.ALL.stream()
                    .filter(shard -> shard != Shards.of(message))
                    .collect(Collectors.toSet());
            JdbcOutboxStore store = dead.store();

            int lostElsewhere = HandRelay.join(store, "b", others).acquired().lostClaims();
            long between = fixture.number(ENTRIES);
            int lost = HandRelay.join(store, "b").acquired().lostClaims();

            assertThat(lostElsewhere).isZero();
            assertThat(between).isEqualTo(1);
            assertThat(lost).isEqualTo(1);
            assertThat(fixture.number(ENTRIES)).isZero();
        }
    }
}

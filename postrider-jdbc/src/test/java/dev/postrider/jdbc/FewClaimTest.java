package dev.postrider.jdbc;

import static dev.postrider.jdbc.Claimants.ALL;
import static dev.postrider.jdbc.Claimants.LONG;
import static dev.postrider.jdbc.Claimants.NOTES;
import static dev.postrider.jdbc.Claimants.PATIENCE;
import static dev.postrider.jdbc.Claimants.WAITING_FOR_A_LOCK;
import static dev.postrider.jdbc.Claimants.enqueue;
import static dev.postrider.jdbc.Claimants.joined;
import static dev.postrider.jdbc.Claimants.number;
import static dev.postrider.jdbc.Claimants.stored;
import static dev.postrider.jdbc.Claimants.takenOver;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.MessageStatus;
import dev.postrider.OutboxException;
import dev.postrider.OutboxMessage;
import dev.postrider.services.Database.Kind;
import dev.postrider.spi.ClaimRequest;
import dev.postrider.spi.ClaimSize;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.Sighting;
import dev.postrider.spi.TopicName;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** On PostgreSQL a few messages at rest are claimed in their rows at once, unless one of them asks for more. */
@Tag("B2")
@Tag("R1.8")
final class FewClaimTest {

    private static final SeqRange RANGE = new SeqRange(0, 100);
    private static final ClaimSize FEW = new ClaimSize(16, 1 << 20);
    private static final String IN_ROWS =
            "select count(*) from outbox_message where status = 1 and attempts = 1 and claimed_by = 'a'";

    private static final String OPEN = "select count(*) from pg_stat_activity where datname = current_database()"
            + " and state like 'idle in transaction%'";

    private long token;

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_15", "POSTGRES_18"})
    void aFewMessagesAreClaimedInTheirRows(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            JdbcOutboxStore store = joined(fixture, "a");
            OutboxMessage message = enqueue(fixture, 3).get(2);

            Sighting sighting = store.lookAndClaim(request("a", FEW), RANGE);

            assertThat(sighting.seen()).containsExactly(1L, 2L, 3L);
            assertThat(sighting.batch().messages())
                    .extracting(ClaimedMessage::attempt)
                    .containsExactly(1, 1, 1);
            assertThat(sighting.batch().scannedTo()).isEqualTo(3);
            assertThat(sighting.batch().full()).isFalse();
            assertThat(number(fixture, IN_ROWS)).isEqualTo(3);
            assertThat(number(fixture, NOTES)).isZero();
            assertThat(settled(store, sighting)).isEqualTo(3);
            assertThat(stored(fixture, message).status()).isEqualTo(MessageStatus.DELIVERED);
            assertThat(stored(fixture, message).attempts()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_15", "POSTGRES_18"})
    void whatIsLeftIsTold(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            JdbcOutboxStore store = joined(fixture, "a");
            enqueue(fixture, 20);

            Sighting sighting = store.lookAndClaim(request("a", FEW), RANGE);

            assertThat(sighting.batch().messages()).hasSize(16);
            assertThat(sighting.batch().scannedTo()).isEqualTo(16);
            assertThat(sighting.batch().full()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_15", "POSTGRES_18"})
    void manyMessagesAreNoted(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            JdbcOutboxStore store = joined(fixture, "a");
            enqueue(fixture, 3);

            store.lookAndClaim(request("a", new ClaimSize(500, 1 << 20)), RANGE);

            assertThat(number(fixture, NOTES)).isEqualTo(1);
            assertThat(number(fixture, IN_ROWS)).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_15", "POSTGRES_18"})
    void aRowBetweenThemThatIsNotDueIsSeenAllTheSame(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            JdbcOutboxStore store = joined(fixture, "a");
            enqueue(fixture, 3);
            fixture.execute("update outbox_message set due_at = now() + interval '1 hour' where seq = 2");

            Sighting sighting = store.lookAndClaim(request("a", FEW), RANGE);

            assertThat(sighting.seen()).containsExactly(1L, 2L, 3L);
            assertThat(sighting.batch().messages())
                    .extracting(ClaimedMessage::seq)
                    .containsExactly(1L, 3L);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_15", "POSTGRES_18"})
    @Tag("B1")
    void nothingIsClaimedPastARowThatSomebodyHasLocked(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind));
                Connection other = fixture.producers().getConnection();
                Statement lock = other.createStatement()) {
            JdbcOutboxStore store = joined(fixture, "a");
            enqueue(fixture, 3);
            fixture.execute("update outbox_message set message_key = 'same', shard = 1");
            other.setAutoCommit(false);
            lock.execute("select seq from outbox_message where seq = 1 for update");

            Sighting sighting = store.lookAndClaim(request("a", FEW), RANGE);

            assertThat(sighting.batch().messages()).isEmpty();
            assertThat(sighting.batch().scannedTo()).isZero();
            other.rollback();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_15", "POSTGRES_18"})
    @Tag("B1")
    void aMessageOfAHeldKeyIsPutBehindItsHolder(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            JdbcOutboxStore store = joined(fixture, "a");
            enqueue(fixture, 1);
            ClaimedMessage failed = store.lookAndClaim(request("a", FEW), RANGE)
                    .batch()
                    .messages()
                    .get(0);
            store.settle(List.of(Settlement.retry(failed, Duration.ofHours(1), "broken", true)));
            enqueue(fixture, 2);

            Sighting sighting = store.lookAndClaim(request("a", FEW), new SeqRange(1, 100));

            assertThat(sighting.seen()).containsExactly(2L, 3L);
            assertThat(sighting.batch().messages())
                    .extracting(ClaimedMessage::seq)
                    .containsExactly(3L);
            assertThat(number(fixture, "select count(*) from outbox_message where holds_key and seq = 2"))
                    .isEqualTo(1);
        }
    }

    // Otherwise a message that kills its process would never be found out.
    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_15", "POSTGRES_18"})
    @Tag("R1.14")
    void whatWasNotedByARelayThatDiedIsClaimedAsLost(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            JdbcOutboxStore old = joined(fixture, "a");
            enqueue(fixture, 3);
            old.claim(request("a", FEW), RANGE);
            JdbcOutboxStore young = takenOver(fixture, "a", "b");

            Sighting sighting = young.lookAndClaim(request("b", FEW), RANGE);

            assertThat(sighting.batch().messages())
                    .extracting(ClaimedMessage::lostClaims)
                    .containsExactly(1, 1, 1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_15", "POSTGRES_18"})
    @Tag("R1.14")
    void whatWasClaimedInItsRowByARelayThatDiedIsClaimedAsLost(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            JdbcOutboxStore old = joined(fixture, "a");
            enqueue(fixture, 3);
            Sighting lost = old.lookAndClaim(request("a", FEW), RANGE);
            JdbcOutboxStore young = takenOver(fixture, "a", "b");

            Sighting sighting = young.lookAndClaim(request("b", FEW), RANGE);

            assertThat(sighting.batch().messages())
                    .extracting(ClaimedMessage::lostClaims)
                    .containsExactly(1, 1, 1);
            assertThat(settled(old, lost)).isZero();
            assertThat(settled(young, sighting)).isEqualTo(3);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_15", "POSTGRES_18"})
    void aRelayThatIsDeadOrOwnsNoShardClaimsNothing(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            JdbcOutboxStore store = joined(fixture, "a");
            enqueue(fixture, 3);
            Sighting stranger = store.lookAndClaim(request("b", FEW), RANGE);
            fixture.execute("update outbox_relay set until = now()");
            Sighting dead = store.lookAndClaim(request("a", FEW), RANGE);

            assertThat(stranger.batch().messages()).isEmpty();
            assertThat(dead.batch().messages()).isEmpty();
            assertThat(dead.batch().scannedTo()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_15", "POSTGRES_18"})
    void rowsOfOtherShardsAndClosedTopicsAreSeenButLeft(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            JdbcOutboxStore store = joined(fixture, "a");
            enqueue(fixture, 3);
            fixture.execute("update outbox_message set shard = 7 where seq = 2");
            Set<Integer> others = ALL.stream().filter(shard -> shard != 7).collect(Collectors.toSet());
            fixture.execute("update outbox_message set topic = 'closed' where seq = 3");

            ClaimRequest request =
                    new ClaimRequest("a", others, Set.of(new TopicName("default", "closed")), FEW, LONG, ++token);
            Sighting sighting = store.lookAndClaim(request, RANGE);
            Sighting open = store.lookAndClaim(request("a", FEW).in(others), new SeqRange(1, 100));

            assertThat(sighting.seen()).containsExactly(1L, 2L, 3L);
            assertThat(sighting.batch().messages())
                    .extracting(ClaimedMessage::seq)
                    .containsExactly(1L);
            assertThat(open.batch().messages()).extracting(ClaimedMessage::seq).containsExactly(3L);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_15", "POSTGRES_18"})
    void asManyAreTakenAsThereIsRoomFor(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            JdbcOutboxStore store = joined(fixture, "a");
            enqueue(fixture, 3);
            fixture.execute("update outbox_message set payload = '\\x000102'");

            Sighting sighting = store.lookAndClaim(request("a", new ClaimSize(16, 7)), RANGE);

            assertThat(sighting.batch().messages()).hasSize(2);
            assertThat(sighting.batch().full()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_15", "POSTGRES_18"})
    void aClaimWithoutAnAnswerIsRepeatedUnderItsToken(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            JdbcOutboxStore store = joined(fixture, "a");
            enqueue(fixture, 3);
            ClaimRequest request = request("a", FEW);
            store.lookAndClaim(request, RANGE);
            enqueue(fixture, 1);

            Sighting again = store.lookAndClaim(request, RANGE);

            assertThat(again.seen()).containsExactly(1L, 2L, 3L, 4L);
            assertThat(again.batch().messages())
                    .hasSize(4)
                    .allMatch(each -> each.attempt() == 1 && each.lostClaims() == 0);
            assertThat(settled(store, again)).isEqualTo(4);
        }
    }

    // The trigger stands for somebody who changes the row after it was seen.
    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_15", "POSTGRES_18"})
    @Tag("B1")
    void aRowThatSlipsAwayIsNotToldSoThatItIsLookedForAgain(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            JdbcOutboxStore store = joined(fixture, "a");
            enqueue(fixture, 3);
            fixture.execute(
                    "create function slip() returns trigger language plpgsql as 'begin return null; end'",
                    "create trigger slip before update on outbox_message for each row when (old.seq = 2)"
                            + " execute function slip()");

            Sighting sighting = store.lookAndClaim(request("a", FEW), RANGE);

            assertThat(sighting.seen()).containsExactly(1L, 3L);
            assertThat(sighting.batch().messages())
                    .extracting(ClaimedMessage::seq)
                    .containsExactly(1L, 3L);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_15", "POSTGRES_18"})
    void aLockIsNotWaitedForButClaimedInAnotherWay(Kind kind) throws Exception {
        try (Fixture fixture = Fixture.create(Kinds.require(kind));
                Connection other = fixture.producers().getConnection();
                Statement lock = other.createStatement()) {
            JdbcOutboxStore store = joined(fixture, "a");
            enqueue(fixture, 3);
            // Another claim of this relay is still under way.
            lock.execute("select pg_advisory_lock(hashtextextended('outbox_message a', 0))");
            ExecutorService executor = Executors.newSingleThreadExecutor();
            try {
                Future<Sighting> claimed = executor.submit(() -> store.lookAndClaim(request("a", FEW), RANGE));
                String waitingForLong = WAITING_FOR_A_LOCK + " and now() - xact_start > interval '100 ms'";
                Awaitility.await().atMost(PATIENCE).until(() -> number(fixture, waitingForLong) > 0);
                lock.execute("select pg_advisory_unlock_all()");

                assertThat(claimed.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                                .batch()
                                .messages())
                        .hasSize(3);
                assertThat(number(fixture, NOTES)).isEqualTo(1);
            } finally {
                executor.shutdownNow();
            }
        }
    }

    // The trigger stands for whatever may go wrong in the middle.
    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_15", "POSTGRES_18"})
    void aClaimThatFailsLeavesNoTransactionOpen(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            JdbcOutboxStore store = joined(fixture, "a");
            enqueue(fixture, 3);
            fixture.execute(
                    "create function fail() returns trigger language plpgsql as 'begin raise ''broken''; end'",
                    "create trigger fail before update on outbox_message for each row execute function fail()");

            assertThatThrownBy(() -> store.lookAndClaim(request("a", FEW), RANGE))
                    .isInstanceOf(OutboxException.class)
                    .hasStackTraceContaining("broken");

            assertThat(number(fixture, OPEN)).isZero();
            fixture.execute("drop trigger fail on outbox_message");
            assertThat(store.lookAndClaim(request("a", FEW), RANGE).batch().messages())
                    .hasSize(3);
        }
    }

    private ClaimRequest request(String relay, ClaimSize size) {
        return new ClaimRequest(relay, ALL, Set.of(), size, LONG, ++token);
    }

    private static int settled(JdbcOutboxStore store, Sighting sighting) {
        return store.settle(
                sighting.batch().messages().stream().map(Settlement::delivered).toList());
    }
}

package dev.postrider.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.MessageStatus;
import dev.postrider.OutboxMessage;
import dev.postrider.admin.Decision;
import dev.postrider.jdbc.operator.JdbcOutboxAdmin;
import dev.postrider.services.Database.Kind;
import dev.postrider.spi.Acquired;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.FetchedRow;
import dev.postrider.spi.Settled;
import dev.postrider.spi.Settlement;
import dev.postrider.testkit.OutboxTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Another session, for example an operator's, holds locks on rows: no call of a relay waits for it. */
@Tag("B1")
final class LockedRowTest {

    private static final Duration LONG = HandRelay.LONG;

    @ParameterizedTest
    @EnumSource
    void fetchReturnsLockedRowsInTheirOrder(Kind kind) {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            HandRelay relay = HandRelay.join(fixture, "me");
            OutboxMessage locked = keyed("a");
            fixture.enqueue(locked, keyed("a"), keyed("b"));
            List<ClaimedMessage> retried = relay.fetch();
            relay.settle(retried, each -> Settlement.retry(each, Duration.ZERO, "broken", false));
            fixture.enqueue(keyed("a"));

            try (OutboxTransaction lock = lock(fixture, locked)) {
                assertThat(relay.due())
                        .extracting(ClaimedMessage::seq)
                        .containsExactlyElementsOf(
                                retried.stream().map(ClaimedMessage::seq).toList());
                assertThat(relay.fetch()).hasSize(1);
                lock.rollback();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void outcomeIsNotWrittenWhenTheOtherSessionHasSettledTheRow(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind));
                Connection other = fixture.producers().getConnection();
                Statement operator = other.createStatement()) {
            HandRelay relay = HandRelay.join(fixture, "me");
            OutboxMessage message = keyed("a");
            fixture.enqueue(message);
            Settlement outcome = Settlement.delivered(relay.fetch().get(0));
            other.setAutoCommit(false);
            operator.execute("update outbox_message set status = 3, died_at = current_timestamp");

            Settled during = relay.store().settle(List.of(outcome));
            other.commit();
            Settled afterwards = relay.store().settle(List.of(outcome));

            assertThat(during).isEqualTo(new Settled(0, List.of(outcome)));
            assertThat(afterwards).isEqualTo(new Settled(0, List.of()));
            assertThat(fixture.stored(message).status()).isEqualTo(MessageStatus.DEAD);
        }
    }

    @ParameterizedTest
    @EnumSource
    void messageIsPutBehindItsHolderWhenTheHolderIsNoLongerLocked(Kind kind) {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            HandRelay relay = HandRelay.join(fixture, "me");
            OutboxMessage holder = keyed("a");
            OutboxMessage free = keyed("b");
            fixture.enqueue(holder);
            relay.settle(relay.fetch(), each -> Settlement.retry(each, LONG, "broken", true));
            fixture.enqueue(keyed("a"), free);
            List<FetchedRow> rows = relay.page(0, 10).rows();
            Settlement behind = Settlement.behind(
                    rows.get(0).claimed(), Objects.requireNonNull(rows.get(0).holder()));

            Settled settled;
            try (OutboxTransaction lock = lock(fixture, holder)) {
                settled = relay.store()
                        .settle(List.of(behind, Settlement.delivered(rows.get(1).claimed())));
                lock.rollback();
            }

            assertThat(settled).isEqualTo(new Settled(1, List.of(behind)));
            assertThat(fixture.stored(free).status()).isEqualTo(MessageStatus.DELIVERED);
            assertThat(relay.settle(behind)).isEqualTo(1);
            assertThat(relay.fetch()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void holderIsDeliveredThoughTheNextOfItsKeyIsLocked(Kind kind) {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            HandRelay relay = HandRelay.join(fixture, "me");
            OutboxMessage holder = keyed("a");
            OutboxMessage next = keyed("a");
            block(fixture, relay, holder, next);
            Settlement delivered = Settlement.delivered(relay.due().get(0));

            Settled settled;
            try (OutboxTransaction lock = lock(fixture, next)) {
                settled = relay.store().settle(List.of(delivered));
                lock.rollback();
            }
            relay.store().unblock(HandRelay.ALL, 0);

            assertThat(settled).isEqualTo(new Settled(1, List.of()));
            assertThat(fixture.stored(holder).status()).isEqualTo(MessageStatus.DELIVERED);
            assertThat(relay.due())
                    .singleElement()
                    .extracting(each -> each.message().id())
                    .isEqualTo(next.id());
        }
    }

    @ParameterizedTest
    @EnumSource
    void unblockFreesTheOthersAndTheLockedMessageLater(Kind kind) {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            HandRelay relay = HandRelay.join(fixture, "me");
            OutboxMessage locked = keyed("a");
            block(fixture, relay, keyed("a"), locked);
            block(fixture, relay, keyed("b"), keyed("b"));
            fixture.execute("delete from outbox_message where last_error is not null");

            int during;
            try (OutboxTransaction lock = lock(fixture, locked)) {
                during = relay.store().unblock(HandRelay.ALL, 0).messages();
                lock.rollback();
            }

            assertThat(during).isEqualTo(1);
            assertThat(relay.store().unblock(HandRelay.ALL, 0).messages()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void trialOfALockedMessageDoesNotBegin(Kind kind) {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            HandRelay relay = HandRelay.join(fixture, "me");
            OutboxMessage message = keyed("a");
            fixture.enqueue(message);
            ClaimedMessage fetched = relay.fetch().get(0);

            boolean begun;
            try (OutboxTransaction lock = lock(fixture, message)) {
                begun = relay.store().beginTrial(fetched);
                lock.rollback();
            }

            assertThat(begun).isFalse();
            assertThat(relay.store().beginTrial(fetched)).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void takeOverCountsLostClaimsOfTheOtherRowsOnly(Kind kind) {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            HandRelay relay = HandRelay.join(fixture, "me");
            OutboxMessage locked = keyed("a");
            fixture.enqueue(locked, keyed("b"));
            relay.fetch();

            Acquired acquired;
            try (OutboxTransaction lock = lock(fixture, locked)) {
                acquired = relay.takenOverBy(fixture, "successor").acquired();
                lock.rollback();
            }

            assertThat(acquired.shards()).hasSize(HandRelay.ALL.size());
            assertThat(acquired.lostClaims()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void claimUnshardedTakesTheRowsThatAreNotLocked(Kind kind) {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            JdbcOutboxStore store = JdbcOutboxStore.builder(fixture.pool()).build();
            OutboxMessage locked = keyed("a");
            OutboxMessage free = keyed("b");
            fixture.enqueue(locked, free);

            List<ClaimedMessage> claimed;
            try (OutboxTransaction lock = lock(fixture, locked)) {
                claimed = store.claimUnsharded("me", 1, LONG, 5, null);
                lock.rollback();
            }

            assertThat(claimed)
                    .singleElement()
                    .extracting(each -> each.message().id())
                    .isEqualTo(free.id());
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("R3.6")
    void purgeLeavesLockedRowsForTheNextTime(Kind kind) {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            HandRelay relay = HandRelay.join(fixture, "me");
            OutboxMessage locked = keyed("a");
            fixture.enqueue(locked, keyed("b"));
            relay.settle(relay.fetch(), Settlement::delivered);
            JdbcOutboxAdmin admin = JdbcOutboxAdmin.of(fixture.pool());

            try (OutboxTransaction lock = lock(fixture, locked)) {
                assertThat(admin.purge(Duration.ZERO, 10, new Decision("ada", "old")))
                        .isEqualTo(1);
                lock.rollback();
            }

            assertThat(admin.purge(Duration.ZERO, 10, new Decision("ada", "old")))
                    .isEqualTo(1);
        }
    }

    /** Lets the first message fail, so that it holds its key, and puts the other one behind it. */
    private static void block(Fixture fixture, HandRelay relay, OutboxMessage holder, OutboxMessage next) {
        fixture.enqueue(holder, next);
        List<ClaimedMessage> fetched = relay.fetch();
        relay.settle(
                Settlement.retry(fetched.get(0), Duration.ZERO, "broken", true),
                Settlement.behind(fetched.get(1), fetched.get(0).seq()));
    }

    private static OutboxMessage keyed(String key) {
        return OutboxMessage.to("orders", "Placed").key(key).build();
    }

    private static OutboxTransaction lock(Fixture fixture, OutboxMessage message) {
        return JdbcTransaction.locking(fixture.producers(), message.id());
    }
}

package dev.postrider.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.postrider.MessageStatus;
import dev.postrider.OutboxException;
import dev.postrider.OutboxMessage;
import dev.postrider.services.Database.Kind;
import dev.postrider.spi.ClaimRequest;
import dev.postrider.spi.ClaimSize;
import dev.postrider.spi.ClaimedBatch;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.Shards;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the contract leaves to the store. */
final class JdbcOutboxStoreTest {

    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Set<Integer> ALL =
            IntStream.range(0, Shards.COUNT).boxed().collect(Collectors.toUnmodifiableSet());

    private long token;

    @ParameterizedTest
    @EnumSource
    @Tag("R3.6")
    void deliveredRowsMayBeDeletedAtOnce(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            JdbcOutboxStore store =
                    joined(JdbcOutboxStore.builder(fixture.pool()).deleteDelivered(true));
            OutboxMessage[] messages = {keyed("a"), keyed("b"), keyed("c")};
            enqueue(fixture, messages);
            List<ClaimedMessage> claimed = claim(store, ALL).messages();

            int written = store.settle(List.of(
                    Settlement.delivered(claimed.get(0)),
                    Settlement.dead(claimed.get(1), "never", false),
                    Settlement.released(claimed.get(2))));
            int again = store.settle(List.of(Settlement.delivered(claimed.get(2))));

            JdbcOutboxAdmin admin = JdbcOutboxAdmin.of(fixture.pool());
            assertThat(written).isEqualTo(3);
            assertThat(again).as("the claim is settled").isZero();
            assertThat(admin.find(messages[0].id())).isEmpty();
            assertThat(admin.list(MessageStatus.DEAD, 0, 10)).hasSize(1);
            assertThat(admin.list(MessageStatus.PENDING, 0, 10)).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("B1")
    void aDeletedHolderCallsTheNextOfItsKey(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            JdbcOutboxStore store =
                    joined(JdbcOutboxStore.builder(fixture.pool()).deleteDelivered(true));
            OutboxMessage next = keyed("a");
            enqueue(fixture, keyed("a"), next);
            List<ClaimedMessage> claimed = claim(store, ALL).messages();
            store.settle(List.of(
                    Settlement.retry(claimed.get(0), Duration.ZERO, "broken", true),
                    Settlement.behind(claimed.get(1))));
            ClaimedMessage head = store.claimWaiting(request(ALL)).get(0);

            store.settle(List.of(Settlement.delivered(head)));

            assertThat(store.claimWaiting(request(ALL)))
                    .singleElement()
                    .extracting(each -> each.message().id())
                    .isEqualTo(next.id());
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("B1")
    void aHolderThatGivesUpItsKeyCallsTheNext(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            JdbcOutboxStore store = joined(JdbcOutboxStore.builder(fixture.pool()));
            OutboxMessage next = keyed("a");
            enqueue(fixture, keyed("a"), next);
            List<ClaimedMessage> claimed = claim(store, ALL).messages();
            store.settle(List.of(
                    Settlement.retry(claimed.get(0), Duration.ZERO, "broken", true),
                    Settlement.behind(claimed.get(1))));
            ClaimedMessage head = store.claimWaiting(request(ALL)).get(0);

            store.settle(List.of(Settlement.dead(head, "never", false)));

            assertThat(store.claimWaiting(request(ALL)))
                    .singleElement()
                    .extracting(each -> each.message().id())
                    .isEqualTo(next.id());
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("B1")
    void aScanDoesNotPassRowsOfAShardThatIsNotOwned(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            JdbcOutboxStore store = JdbcOutboxStore.builder(fixture.pool()).build();
            OutboxMessage lost = keyed("lost");
            enqueue(fixture, lost);
            Set<Integer> others =
                    ALL.stream().filter(shard -> shard != Shards.of(lost)).collect(Collectors.toSet());
            store.renew("me", LONG);
            store.acquire("me", others);

            assertThat(claim(store, ALL).scannedTo()).isZero();
            assertThat(claim(store, others).scannedTo()).isPositive();
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("B1")
    void aForgottenRelayBeginsAgainWithNothing(Kind kind) {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            JdbcOutboxStore store = joined(JdbcOutboxStore.builder(fixture.pool()));
            fixture.execute("delete from outbox_relay");

            assertThat(store.renew("me", LONG).owned()).isEmpty();
            assertThat(store.renew("me", LONG).free()).hasSize(Shards.COUNT);
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("B6")
    @Tag("R4.2")
    void aRowWhoseHeadersCannotBeReadIsHandedOutWithADefect(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            JdbcOutboxStore store = joined(JdbcOutboxStore.builder(fixture.pool()));
            enqueue(fixture, keyed("a"));
            fixture.execute("update outbox_message set headers = '{\"a\": 1}'");

            assertThat(claim(store, ALL).messages())
                    .singleElement()
                    .satisfies(each ->
                            assertThat(each.defect()).contains("headers").doesNotContain("\"a\""));
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("R0.6")
    void anAttemptIsWrittenTogetherWithItsOutcomeAndADeliveryNeedsNone(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            JdbcOutboxStore store = joined(JdbcOutboxStore.builder(fixture.pool()));
            OutboxMessage failed = keyed("a");
            OutboxMessage delivered = keyed("b");
            enqueue(fixture, failed, delivered);
            List<ClaimedMessage> claimed = claim(store, ALL).messages();
            fixture.execute("drop table outbox_attempt");

            int written = store.settle(List.of(Settlement.delivered(claimed.get(1))));

            assertThat(written).as("nothing was asked of the history").isEqualTo(1);
            List<Settlement> retry = List.of(Settlement.retry(claimed.get(0), LONG, "broken", true));
            assertThatExceptionOfType(OutboxException.class).isThrownBy(() -> store.settle(retry));
            assertThat(JdbcOutboxAdmin.of(fixture.pool())
                            .find(failed.id())
                            .orElseThrow()
                            .status())
                    .as("all or nothing")
                    .isEqualTo(MessageStatus.CLAIMED);
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("S22")
    void anErrorIsStoredCutAndClean(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            JdbcOutboxStore store = joined(JdbcOutboxStore.builder(fixture.pool()));
            enqueue(fixture, keyed("a"));
            ClaimedMessage claimed = claim(store, ALL).messages().get(0);

            store.settle(List.of(Settlement.dead(claimed, "\u0000\n\"🐎\\" + "x".repeat(3_000), false)));

            assertThat(JdbcOutboxAdmin.of(fixture.pool())
                            .find(claimed.message().id())
                            .orElseThrow()
                            .lastError())
                    .startsWith("  \"🐎\\xxx")
                    .hasSize(2_000);
        }
    }

    private static JdbcOutboxStore joined(JdbcOutboxStore.Builder builder) {
        JdbcOutboxStore store = builder.build();
        store.renew("me", LONG);
        store.acquire("me", ALL);
        return store;
    }

    private ClaimedBatch claim(JdbcOutboxStore store, Set<Integer> shards) {
        return store.claim(request(shards), SeqRange.above(0));
    }

    private ClaimRequest request(Set<Integer> shards) {
        return new ClaimRequest("me", shards, Set.of(), new ClaimSize(100, 1 << 20), LONG, ++token);
    }

    private static OutboxMessage keyed(String key) {
        return OutboxMessage.to("orders", "Placed").key(key).build();
    }

    private static void enqueue(Fixture fixture, OutboxMessage... messages) throws SQLException {
        try (Connection connection = fixture.producers().getConnection()) {
            connection.setAutoCommit(false);
            JdbcOutbox.create().enqueueAll(connection, List.of(messages));
            connection.commit();
        }
    }
}

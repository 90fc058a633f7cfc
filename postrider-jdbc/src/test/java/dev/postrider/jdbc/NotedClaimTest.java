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

import dev.postrider.MessageStatus;
import dev.postrider.OutboxMessage;
import dev.postrider.admin.StoredMessage;
import dev.postrider.database.TableNames;
import dev.postrider.services.Database.Kind;
import dev.postrider.spi.ClaimRequest;
import dev.postrider.spi.ClaimSize;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.Sighting;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** On PostgreSQL a claim is noted beside its rows, and must be as good as one that is written into them. */
@Tag("B9")
@Tag("R1.8")
final class NotedClaimTest {

    private long token;

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_15", "POSTGRES_18"})
    void aClaimChangesNoRowAndIsSeenByEverybody(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            JdbcOutboxStore store = joined(fixture, "a");
            OutboxMessage message = enqueue(fixture, 3).get(1);
            String versions = "select count(distinct (ctid, xmin)) from outbox_message where xmax = 0 and status = 0";

            claim(store, "a");

            assertThat(number(fixture, versions)).isEqualTo(3);
            assertThat(number(fixture, NOTES)).isEqualTo(1);
            StoredMessage stored = stored(fixture, message);
            assertThat(stored.status()).isEqualTo(MessageStatus.CLAIMED);
            assertThat(stored.attempts()).isEqualTo(1);
            assertThat(stored.claimedBy()).isEqualTo("a");
            assertThat(JdbcOutboxAdmin.of(fixture.pool()).list(MessageStatus.CLAIMED, 0, 10))
                    .hasSize(3);
            assertThat(JdbcOutboxAdmin.of(fixture.pool()).list(MessageStatus.PENDING, 0, 10))
                    .isEmpty();
            assertThat(number(fixture, """
                    select count(*)
                      from outbox_message_view
                     where status = 'CLAIMED' and attempts = 1 and claimed_by = 'a' and claim_until > now()
                    """)).isEqualTo(3);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_15", "POSTGRES_18"})
    void aNoteGoesWithItsLastMessage(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            JdbcOutboxStore store = joined(fixture, "a");
            List<OutboxMessage> messages = enqueue(fixture, 3);
            List<ClaimedMessage> claimed = claim(store, "a");

            int first = store.settle(List.of(Settlement.delivered(claimed.get(1))));
            long between = number(fixture, NOTES);
            int rest =
                    store.settle(List.of(Settlement.delivered(claimed.get(0)), Settlement.delivered(claimed.get(2))));

            assertThat(first).isEqualTo(1);
            assertThat(between).isEqualTo(1);
            assertThat(rest).isEqualTo(2);
            assertThat(number(fixture, NOTES)).isZero();
            assertThat(messages)
                    .allSatisfy(message ->
                            assertThat(stored(fixture, message).status()).isEqualTo(MessageStatus.DELIVERED))
                    .allSatisfy(message ->
                            assertThat(stored(fixture, message).attempts()).isEqualTo(1));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_15", "POSTGRES_18"})
    void severalClaimsAreSettledTogether(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            JdbcOutboxStore store = joined(fixture, "a");
            List<ClaimedMessage> claimed = new ArrayList<>();
            for (int i = 0; i < 7; i++) {
                enqueue(fixture, 2);
                claimed.addAll(claim(store, "a"));
            }

            int settled =
                    store.settle(claimed.stream().map(Settlement::delivered).toList());

            assertThat(settled).isEqualTo(14);
            assertThat(number(fixture, NOTES)).isZero();
            assertThat(number(fixture, "select count(*) from outbox_message where status = 2 and attempts = 1"))
                    .isEqualTo(14);
        }
    }

    // Between the two claims one shard went away and came back, so that its messages of the first are lost.
    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_15", "POSTGRES_18"})
    @Tag("R1.10")
    void claimsOfDifferentEpochsAreSettledEachByItsOwn(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            JdbcOutboxStore store = joined(fixture, "a");
            enqueue(fixture, 3);
            List<ClaimedMessage> claimed = new ArrayList<>(claim(store, "a"));
            enqueue(fixture, 2);
            int lost = claimed.get(1).shard();
            fixture.execute("update outbox_shard set epoch = epoch + 1 where shard = " + lost);
            fixture.execute("create table kept as select * from outbox_claim", "delete from outbox_claim");
            List<ClaimedMessage> later = store.claim(
                            request("a", LONG), SeqRange.above(claimed.get(2).seq()))
                    .messages();
            fixture.execute("insert into outbox_claim select * from kept");
            long gone = claimed.stream().filter(each -> each.shard() == lost).count();
            claimed.addAll(later);

            int settled =
                    store.settle(claimed.stream().map(Settlement::delivered).toList());

            assertThat(later).hasSize(2);
            assertThat(settled).isEqualTo(5 - (int) gone);
            assertThat(number(fixture, "select count(*) from outbox_message where status = 0"))
                    .isEqualTo(gone);
            assertThat(number(fixture, NOTES)).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_15", "POSTGRES_18"})
    @Tag("R1.10")
    void whoLostAShardSettlesTheOthersOfTheClaim(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            JdbcOutboxStore store = joined(fixture, "a");
            enqueue(fixture, 3);
            fixture.execute("update outbox_message set shard = seq % 3");
            List<ClaimedMessage> claimed = claim(store, "a");
            fixture.execute("update outbox_shard set epoch = epoch + 1 where shard = 1");

            int settled =
                    store.settle(claimed.stream().map(Settlement::delivered).toList());

            assertThat(settled).isEqualTo(2);
            assertThat(number(fixture, "select count(*) from outbox_message where status = 0 and shard = 1"))
                    .isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_15", "POSTGRES_18"})
    void ofSeveralClaimsOneMayHaveBeenWrittenIntoItsRows(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            JdbcOutboxStore store = joined(fixture, "a");
            enqueue(fixture, 3);
            List<ClaimedMessage> claimed = new ArrayList<>(claim(store, "a"));
            enqueue(fixture, 2);
            claimed.addAll(claim(store, "a"));
            fixture.execute(
                    TableNames.defaults().in(PostgresNotes.WRITE_CLAIMS).replace("?", "array[%d]".formatted(token)));

            int settled =
                    store.settle(claimed.stream().map(Settlement::delivered).toList());

            assertThat(settled).isEqualTo(5);
            assertThat(number(fixture, NOTES)).isZero();
            assertThat(number(fixture, "select count(*) from outbox_message where status = 2 and attempts = 1"))
                    .isEqualTo(5);
        }
    }

    // Rows of others are no holes, and need not be told one by one.
    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_15", "POSTGRES_18"})
    void whatWasSeenIsToldWithAndWithoutHoles(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            JdbcOutboxStore store = joined(fixture, "a");
            enqueue(fixture, 6);
            fixture.execute("update outbox_message set status = 2 where seq in (2, 5)");
            Sighting whole = store.lookAndClaim(request("a", LONG), new SeqRange(0, 50));
            enqueue(fixture, 4);
            fixture.execute("delete from outbox_message where seq = 8");

            Sighting holed = store.lookAndClaim(request("a", LONG), new SeqRange(6, 56));

            assertThat(whole.seen()).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
            assertThat(whole.batch().messages()).extracting(ClaimedMessage::seq).containsExactly(1L, 3L, 4L, 6L);
            assertThat(whole.batch().scannedTo()).isEqualTo(6);
            assertThat(holed.seen()).containsExactly(7L, 9L, 10L);
            assertThat(holed.batch().messages()).extracting(ClaimedMessage::seq).containsExactly(7L, 9L, 10L);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_15", "POSTGRES_18"})
    void aDeliveredMessageCanBeDeletedWithoutAWord(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            joined(fixture, "a");
            JdbcOutboxStore store = JdbcOutboxStore.builder(fixture.pool())
                    .deleteDelivered(true)
                    .build();
            enqueue(fixture, 3);
            List<ClaimedMessage> claimed = claim(store, "a");

            int settled =
                    store.settle(claimed.stream().map(Settlement::delivered).toList());

            assertThat(settled).isEqualTo(3);
            assertThat(number(fixture, "select count(*) from outbox_message")).isZero();
            assertThat(number(fixture, NOTES)).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_15", "POSTGRES_18"})
    void aFailureWritesTheClaimIntoItsRowsAndTheOthersAreStillHeld(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            JdbcOutboxStore store = joined(fixture, "a");
            List<OutboxMessage> messages = enqueue(fixture, 3);
            List<ClaimedMessage> claimed = claim(store, "a");

            int settled = store.settle(List.of(
                    Settlement.delivered(claimed.get(0)),
                    Settlement.retry(claimed.get(1), Duration.ofHours(1), "broken", true)));

            assertThat(settled).isEqualTo(2);
            assertThat(number(fixture, NOTES)).isZero();
            assertThat(stored(fixture, messages.get(1)).attempts()).isEqualTo(1);
            assertThat(stored(fixture, messages.get(2)).status()).isEqualTo(MessageStatus.CLAIMED);
            assertThat(claim(store, "a")).isEmpty();
            assertThat(store.settle(List.of(Settlement.delivered(claimed.get(2)))))
                    .isEqualTo(1);
        }
    }

    // The claim began before the take-over and committed after the new owner had claimed.
    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_15", "POSTGRES_18"})
    @Tag("R1.10")
    void aNoteThatComesTooLateChangesNothing(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            JdbcOutboxStore old = joined(fixture, "a");
            List<OutboxMessage> messages = enqueue(fixture, 3);
            List<ClaimedMessage> late = claim(old, "a");
            fixture.execute("create table kept as select * from outbox_claim", "delete from outbox_claim");
            JdbcOutboxStore young = takenOver(fixture, "a", "b");
            List<ClaimedMessage> claimed = claim(young, "b");
            fixture.execute("insert into outbox_claim select * from kept");

            int byTheOld = old.settle(late.stream().map(Settlement::delivered).toList());
            boolean untouched = messages.stream()
                    .allMatch(message -> stored(fixture, message).status() == MessageStatus.CLAIMED);
            int byTheYoung =
                    young.settle(claimed.stream().map(Settlement::delivered).toList());

            assertThat(claimed).hasSize(3);
            assertThat(byTheOld).isZero();
            assertThat(untouched).isTrue();
            assertThat(byTheYoung).isEqualTo(3);
        }
    }

    // As above, for what is written into the rows before it is settled.
    @ParameterizedTest
    @EnumSource(
            value = Settlement.Outcome.class,
            names = {"RETRY", "DEAD", "BEHIND", "RELEASED"})
    @Tag("R1.10")
    void aLateRelayWritesNoOutcomeAtAll(Settlement.Outcome outcome) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(Kind.POSTGRES_18))) {
            JdbcOutboxStore old = joined(fixture, "a");
            List<OutboxMessage> messages = enqueue(fixture, 3);
            List<ClaimedMessage> late = claim(old, "a");
            fixture.execute("create table kept as select * from outbox_claim", "delete from outbox_claim");
            JdbcOutboxStore young = takenOver(fixture, "a", "b");
            List<ClaimedMessage> claimed = claim(young, "b");
            fixture.execute("insert into outbox_claim select * from kept");

            int byTheOld = old.settle(late.stream()
                    .map(each -> switch (outcome) {
                        case RETRY -> Settlement.retry(each, Duration.ofHours(1), "no", true);
                        case DEAD -> Settlement.dead(each, "no", true);
                        case BEHIND -> Settlement.behind(each);
                        default -> Settlement.released(each);
                    })
                    .toList());
            int byTheYoung =
                    young.settle(claimed.stream().map(Settlement::delivered).toList());

            assertThat(byTheOld).isZero();
            assertThat(byTheYoung).isEqualTo(3);
            assertThat(messages).allMatch(message -> stored(fixture, message).status() == MessageStatus.DELIVERED);
        }
    }

    @Test
    @Tag("R1.10")
    void aLateRelayNeitherExtendsItsClaimNorBeginsATrial() throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(Kind.POSTGRES_18))) {
            JdbcOutboxStore old = joined(fixture, "a");
            enqueue(fixture, 2);
            List<ClaimedMessage> late = claim(old, "a");
            fixture.execute("create table kept as select * from outbox_claim", "delete from outbox_claim");
            JdbcOutboxStore young = takenOver(fixture, "a", "b");
            List<ClaimedMessage> claimed = claim(young, "b");
            fixture.execute("insert into outbox_claim select * from kept");

            boolean begun = old.beginTrial(late.get(0));
            int extended = old.extend(late, LONG);
            int byTheYoung =
                    young.settle(claimed.stream().map(Settlement::delivered).toList());

            assertThat(begun).isFalse();
            assertThat(extended).isZero();
            assertThat(byTheYoung).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_15", "POSTGRES_18"})
    @Tag("R1.14")
    void whatALostNoteHeldIsClaimedAsLost(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            JdbcOutboxStore old = joined(fixture, "a");
            enqueue(fixture, 3);
            List<ClaimedMessage> lost = claim(old, "a");
            old.settle(List.of(Settlement.delivered(lost.get(0))));
            JdbcOutboxStore young = takenOver(fixture, "a", "b");

            List<ClaimedMessage> claimed = claim(young, "b");

            assertThat(claimed)
                    .hasSize(2)
                    .allMatch(each -> each.lostClaims() == 1)
                    .allMatch(each -> each.attempt() == 1);
            assertThat(number(fixture, NOTES)).isZero();
            assertThat(old.settle(List.of(Settlement.delivered(lost.get(1))))).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_15", "POSTGRES_18"})
    void aClaimIsRepeatedUnderItsToken(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            JdbcOutboxStore store = joined(fixture, "a");
            enqueue(fixture, 3);
            ClaimRequest request = request("a", LONG);
            List<ClaimedMessage> first = store.claim(request, SeqRange.above(0)).messages();
            enqueue(fixture, 1);

            List<ClaimedMessage> again = store.claim(request, SeqRange.above(0)).messages();
            List<ClaimedMessage> rest = store.claim(
                            request, SeqRange.above(again.get(again.size() - 1).seq()))
                    .messages();

            assertThat(first).hasSize(3);
            assertThat(again).hasSize(4).allMatch(each -> each.attempt() == 1 && each.lostClaims() == 0);
            assertThat(rest).isEmpty();
            assertThat(store.settle(again.stream().map(Settlement::delivered).toList()))
                    .isEqualTo(4);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_15", "POSTGRES_18"})
    void theRestOfARepeatedClaimMayHaveANoteAlready(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            JdbcOutboxStore store = joined(fixture, "a");
            enqueue(fixture, 2);
            ClaimRequest request = request("a", LONG);
            List<ClaimedMessage> first = store.claim(request, SeqRange.above(0)).messages();
            enqueue(fixture, 2);

            List<ClaimedMessage> above =
                    store.claim(request, SeqRange.above(first.get(1).seq())).messages();

            assertThat(above).hasSize(2);
            List<Settlement> outcomes = new ArrayList<>();
            first.forEach(each -> outcomes.add(Settlement.delivered(each)));
            above.forEach(each -> outcomes.add(Settlement.delivered(each)));
            assertThat(store.settle(outcomes)).isEqualTo(4);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_15", "POSTGRES_18"})
    void somebodyElseMaySettleAndAnExpiredNoteIsRemoved(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            JdbcOutboxStore store = joined(fixture, "a");
            enqueue(fixture, 3);
            List<ClaimedMessage> claimed = store.claim(request("a", Duration.ofMillis(1)), SeqRange.above(0))
                    .messages();

            // A store without a memory of the claim does not know when it is over.
            int settled = JdbcOutboxStore.builder(fixture.pool())
                    .build()
                    .settle(claimed.stream().map(Settlement::delivered).toList());
            long left = number(fixture, NOTES);
            claim(store, "a");

            assertThat(settled).isEqualTo(3);
            assertThat(left).isEqualTo(1);
            assertThat(number(fixture, NOTES)).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_15", "POSTGRES_18"})
    @Tag("R0.4")
    void whoClaimsWithoutShardsLeavesWhatIsNoted(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            JdbcOutboxStore store = joined(fixture, "a");
            enqueue(fixture, 3);
            List<ClaimedMessage> claimed = claim(store, "a");
            enqueue(fixture, 2);

            List<ClaimedMessage> others = store.claimUnsharded("somebody", 10, LONG, 5, null);

            assertThat(others).hasSize(2);
            assertThat(store.settle(claimed.stream().map(Settlement::delivered).toList()))
                    .isEqualTo(3);
            assertThat(store.settle(others.stream().map(Settlement::delivered).toList()))
                    .isEqualTo(2);
        }
    }

    // Nobody looks further than that for a note.
    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_15", "POSTGRES_18"})
    void aClaimOfRowsFarApartIsWrittenIntoThem(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            JdbcOutboxStore store = joined(fixture, "a");
            OutboxMessage near = enqueue(fixture, 1).get(0);
            fixture.execute("alter table outbox_message alter column seq restart with 100000");
            OutboxMessage far = enqueue(fixture, 1).get(0);

            List<ClaimedMessage> claimed = claim(store, "a");

            assertThat(claimed).hasSize(2).allMatch(each -> each.attempt() == 1);
            assertThat(number(fixture, NOTES)).isZero();
            assertThat(List.of(near, far))
                    .allMatch(message -> stored(fixture, message).status() == MessageStatus.CLAIMED);
            assertThat(store.settle(claimed.stream().map(Settlement::delivered).toList()))
                    .isEqualTo(2);
        }
    }

    // Both want the same note: who comes second finds what the first one left.
    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_15", "POSTGRES_18"})
    void outcomesAreNotLostWhileTheirClaimIsWrittenIntoItsRows(Kind kind) throws Exception {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            JdbcOutboxStore store = joined(fixture, "a");
            enqueue(fixture, 3);
            List<ClaimedMessage> claimed = claim(store, "a");
            ExecutorService executor = Executors.newSingleThreadExecutor();
            try (Connection other = fixture.database().dataSource().getConnection();
                    Statement statement = other.createStatement()) {
                other.setAutoCommit(false);
                statement.execute(TableNames.defaults()
                        .in(PostgresNotes.WRITE_CLAIMS)
                        .replace("?", "array[%d]".formatted(token)));

                Future<Integer> settled = executor.submit(() ->
                        store.settle(claimed.stream().map(Settlement::delivered).toList()));
                Awaitility.await().atMost(PATIENCE).until(() -> number(fixture, WAITING_FOR_A_LOCK) > 0);
                other.commit();

                assertThat(settled.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(3);
                assertThat(number(fixture, "select count(*) from outbox_message where status = 2 and attempts = 1"))
                        .isEqualTo(3);
            } finally {
                executor.shutdownNow();
            }
        }
    }

    // Settlement and extension lock several notes: in one order, or each would wait for the other's.
    @Test
    void settlementAndExtensionNeverWaitForEachOther() throws Exception {
        try (Fixture fixture = Fixture.create(Kinds.require(Kind.POSTGRES_18))) {
            JdbcOutboxStore store = joined(fixture, "a");
            ExecutorService executor = Executors.newFixedThreadPool(2);
            try {
                for (int round = 0; round < 100; round++) {
                    List<List<ClaimedMessage>> claims = new ArrayList<>();
                    long first = token + 10;
                    for (int i = 0; i < 4; i++) {
                        enqueue(fixture, 3);
                        token = first - i;
                        claims.add(claim(store, "a"));
                    }
                    token = first + 10;
                    List<Settlement> mixed = new ArrayList<>();
                    mixed.add(Settlement.released(claims.get(0).get(0)));
                    claims.subList(1, 4)
                            .forEach(each -> each.forEach(claimed -> mixed.add(Settlement.delivered(claimed))));
                    List<ClaimedMessage> all =
                            claims.stream().flatMap(List::stream).toList();

                    Future<Integer> settled = executor.submit(() -> store.settle(mixed));
                    Future<Integer> extended = executor.submit(() -> store.extend(all, LONG));
                    settled.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
                    extended.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);

                    store.settle(all.stream().map(Settlement::delivered).toList());
                }
            } finally {
                executor.shutdownNow();
            }
            assertThat(number(fixture, "select deadlocks from pg_stat_database where datname = current_database()"))
                    .isZero();
        }
    }

    private List<ClaimedMessage> claim(JdbcOutboxStore store, String relay) {
        return store.claim(request(relay, LONG), SeqRange.above(0)).messages();
    }

    private ClaimRequest request(String relay, Duration claimFor) {
        return new ClaimRequest(relay, ALL, Set.of(), new ClaimSize(10, 1 << 20), claimFor, ++token);
    }
}

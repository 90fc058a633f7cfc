package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.postrider.MessageStatus;
import dev.postrider.OutboxMessage;
import dev.postrider.Receipt;
import dev.postrider.admin.StoredMessage;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.Shards;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is enqueued is what is fetched, if and only if the transaction committed. */
interface EnqueueContract extends StoreSteps {

    @Test
    @Tag("R1.3")
    default void everyFieldReachesTheRelayUnchanged() {
        OutboxMessage message = OutboxMessage.to("orders", "OrderPlaced")
                .namespace("shop")
                .key("order-42")
                .version(7)
                .tenant("acme")
                .dedupeKey("acme/42")
                .header("trace", "abc")
                .header("empty", "")
                .contentType("text/plain")
                .payload("hello")
                .maxAttempts(3)
                .build();
        join("a");

        enqueue(message);

        ClaimedMessage claimed = fetchOne("a");
        assertThat(claimed.message()).usingRecursiveComparison().isEqualTo(message);
        assertThat(claimed.shard()).isEqualTo(Shards.of(message));
        assertThat(claimed.attempt()).isEqualTo(1);
        assertThat(claimed.held()).isFalse();
        assertThat(claimed.lostClaims()).isZero();
        assertThat(claimed.onTrial()).isFalse();
    }

    @Test
    default void absentFieldsStayAbsent() {
        OutboxMessage message = OutboxMessage.to("orders", "OrderPlaced").build();
        join("a");

        enqueue(message);

        assertThat(fetchOne("a").message()).usingRecursiveComparison().isEqualTo(message);
    }

    @Test
    @Tag("R1.12")
    default void payloadIsBytesAndNotText() {
        byte[] everyByte = new byte[1024];
        for (int i = 0; i < everyByte.length; i++) {
            everyByte[i] = (byte) i;
        }
        join("a");

        enqueue(OutboxMessage.to("orders", "Binary").payload(everyByte).build());

        assertThat(fetchOne("a").message().payload()).containsExactly(everyByte);
    }

    @Test
    default void textOfEveryScriptSurvives() {
        String text = "größe 價格 🐎 \"quoted\" 'single' \\back {\"json\": null}";
        OutboxMessage message = OutboxMessage.to("topic 🐎", "type 價")
                .namespace("räume")
                .key(text)
                .tenant("🐎")
                .dedupeKey("🐎/" + text)
                .header("grüße", text)
                .payload(text)
                .build();
        join("a");

        enqueue(message);

        OutboxMessage arrived = fetchOne("a").message();
        assertThat(arrived).usingRecursiveComparison().isEqualTo(message);
        assertThat(new String(arrived.payload(), StandardCharsets.UTF_8)).isEqualTo(text);
    }

    @Test
    @Tag("R1.3")
    default void anEnqueuedMessageIsPendingAndUntried() {
        OutboxMessage message = keyed("42");

        enqueue(message);

        StoredMessage stored = stored(message);
        assertThat(stored.status()).isEqualTo(MessageStatus.PENDING);
        assertThat(stored.attempts()).isZero();
        assertThat(stored.claimedBy()).isNull();
        assertThat(stored.error()).isEmpty();
        assertThat(stored.times().updated()).isEqualTo(stored.times().created());
        assertThat(stored.times().due()).isNull();
        assertThat(stored.times().delivered()).isNull();
        assertThat(stored.times().died()).isNull();
    }

    @Test
    @Tag("R1.4")
    default void receiptsNameTheMessagesInOrder() {
        OutboxMessage first = keyed("1");
        OutboxMessage second = keyed("2");

        List<Receipt> receipts = enqueue(first, second);

        assertThat(receipts).containsExactly(new Receipt(first.id(), true), new Receipt(second.id(), true));
    }

    @Test
    @Tag("R0.5")
    @Tag("R1.2")
    default void aRollbackLeavesNothing() {
        OutboxMessage message = keyed("42");
        join("a");

        try (OutboxTransaction transaction = begin()) {
            transaction.outbox().enqueue(message);
            transaction.rollback();
        }

        assertThat(admin().find(message.id())).isEmpty();
        assertThat(fetchAll("a")).isEmpty();
    }

    @Test
    @Tag("R0.5")
    default void nobodySeesAMessageBeforeTheCommit() {
        OutboxMessage message = keyed("42");
        join("a");

        try (OutboxTransaction transaction = begin()) {
            transaction.outbox().enqueue(message);

            assertThat(fetchAll("a")).isEmpty();

            transaction.commit();
        }
        assertThat(ids(fetchAll("a"))).containsExactly(message.id());
    }

    @Test
    default void aLateCommitIsFoundInTheOldRange() {
        OutboxMessage late = unkeyed();
        OutboxMessage early = unkeyed();
        join("a");
        try (OutboxTransaction slow = begin()) {
            slow.outbox().enqueue(late);
            enqueue(early);
            List<ClaimedMessage> before = fetchAll("a");

            slow.commit();

            assertThat(ids(before)).containsExactly(early.id());
            SeqRange passed = new SeqRange(0, before.get(0).seq());
            assertThat(fetch(request("a", before), passed).rows())
                    .singleElement()
                    .extracting(row -> row.claimed().message().id())
                    .isEqualTo(late.id());
        }
    }

    @Test
    @Tag("R1.5")
    default void aSecondMessageWithTheDedupeKeyIsNotInserted() {
        Receipt first = enqueue(deduped("a/1")).get(0);

        Receipt second = enqueue(deduped("a/1")).get(0);

        assertThat(first.inserted()).isTrue();
        assertThat(second).isEqualTo(new Receipt(first.id(), false));
        assertThat(admin().list(MessageStatus.PENDING, 0, 10)).hasSize(1);
    }

    @Test
    @Tag("R1.5")
    default void aDuplicateInOneBatchIsNotInserted() {
        List<Receipt> receipts = enqueue(deduped("a/1"), unkeyed(), deduped("a/1"));

        assertThat(receipts).extracting(Receipt::inserted).containsExactly(true, true, false);
        assertThat(admin().list(MessageStatus.PENDING, 0, 10)).hasSize(2);
    }

    @Test
    @Tag("R1.5")
    default void dedupeKeysAreComparedExactlyAndWithinTheirTopic() {
        List<Receipt> receipts = enqueue(
                deduped("a/x"),
                deduped("a/X"),
                deduped("a/x "),
                OutboxMessage.to("invoices", "Placed").dedupeKey("a/x").build(),
                OutboxMessage.to("orders", "Placed")
                        .namespace("other")
                        .dedupeKey("a/x")
                        .build());

        assertThat(receipts).allMatch(Receipt::inserted);
    }

    @Test
    @Tag("R1.5")
    default void aDeliveredMessageStillHoldsItsDedupeKey() {
        enqueue(deduped("a/1"));
        join("a");
        settle(Settlement.delivered(fetchOne("a")));

        assertThat(enqueue(deduped("a/1")).get(0).alreadyEnqueued()).isTrue();
    }

    @Test
    @Tag("R1.5")
    default void theDedupeKeyOfARolledBackMessageIsFree() {
        try (OutboxTransaction transaction = begin()) {
            transaction.outbox().enqueue(deduped("a/1"));
            transaction.rollback();
        }

        assertThat(enqueue(deduped("a/1")).get(0).inserted()).isTrue();
    }

    @Test
    @Tag("R1.5")
    default void theLoserOfADedupeRaceKeepsAUsableTransaction() throws Exception {
        OutboxMessage another = unkeyed();
        CountDownLatch begun = new CountDownLatch(1);
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try (OutboxTransaction winner = begin()) {
            winner.outbox().enqueue(deduped("a/1"));
            Future<Receipt> lost = executor.submit(() -> {
                try (OutboxTransaction loser = begin()) {
                    begun.countDown();
                    Receipt receipt = loser.outbox().enqueue(deduped("a/1"));
                    loser.outbox().enqueue(another);
                    loser.commit();
                    return receipt;
                }
            });
            begun.await();
            winner.commit();

            assertThat(lost.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).alreadyEnqueued())
                    .isTrue();
            assertThat(admin().find(another.id())).isPresent();
            assertThat(admin().list(MessageStatus.PENDING, 0, 10)).hasSize(2);
        } finally {
            executor.shutdownNow();
        }
    }

    @Test
    default void oneTooLargeMessageRefusesTheWholeBatch() {
        OutboxMessage small = unkeyed();
        OutboxMessage large =
                OutboxMessage.to("orders", "Large").payload(new byte[1_000_001]).build();

        assertThatThrownBy(() -> enqueue(small, large))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1000001");

        assertThat(admin().list(MessageStatus.PENDING, 0, 10)).isEmpty();
    }

    @Test
    @Tag("B7")
    default void aDelayedMessageIsNotClaimedBeforeItsTime() {
        OutboxMessage delayed = delayed("42", LONG);
        join("a");

        enqueue(delayed);

        assertThat(fetchAll("a")).isEmpty();
        assertThat(due("a")).isEmpty();
        assertThat(store().claimUnsharded("me", 10, LONG, 5, null)).isEmpty();
        StoredMessage.Times times = stored(delayed).times();
        assertThat(times.due()).isCloseTo(times.created().plus(LONG), within(1, ChronoUnit.SECONDS));
    }

    @Test
    @Tag("B7")
    default void aDelayedMessageIsClaimedWhenItsTimeHasCome() {
        OutboxMessage delayed = delayed("42", SHORT);
        join("a");

        enqueue(delayed);

        ClaimedMessage claimed = awaitDue("a");
        assertThat(claimed.message().id()).isEqualTo(delayed.id());
        assertThat(claimed.attempt()).isEqualTo(1);
    }

    @Test
    @Tag("B7")
    default void aDelayedMessageDoesNotHoldItsKey() {
        OutboxMessage next = keyed("42");
        join("a");

        enqueue(delayed("42", LONG), next);

        assertThat(ids(fetchAll("a"))).containsExactly(next.id());
    }

    private static OutboxMessage deduped(String dedupeKey) {
        return OutboxMessage.to("orders", "Placed").dedupeKey(dedupeKey).build();
    }

    private static OutboxMessage delayed(String key, Duration delay) {
        return OutboxMessage.to("orders", "Placed").key(key).deliverAfter(delay).build();
    }
}

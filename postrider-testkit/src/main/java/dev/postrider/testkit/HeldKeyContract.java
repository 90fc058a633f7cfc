package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.MessageStatus;
import dev.postrider.OutboxMessage;
import dev.postrider.spi.ClaimSize;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.FetchedRow;
import dev.postrider.spi.Settled;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.Shards;
import dev.postrider.spi.Unblocked;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A message that holds its key is named to those behind it, which wait for it in the store. */
@Tag("B1")
interface HeldKeyContract extends StoreSteps {

    @Test
    default void aLaterMessageOfAHeldKeyIsFetchedWithItsHolder() {
        join("a");
        OutboxMessage holder = blockedKey("a", "42", 1).get(0);
        OutboxMessage later = keyed("42");
        enqueue(later);

        FetchedRow fetched = fetchRows("a").get(0);

        assertThat(fetched.claimed().message().id()).isEqualTo(later.id());
        assertThat(fetched.holder()).isEqualTo(stored(holder).seq());
    }

    @Test
    default void theHolderIsTheNearestEarlierOne() {
        join("a");
        List<OutboxMessage> line = blockedKey("a", "42", 3);
        enqueue(keyed("42"), keyed("42"), keyed("43"));
        List<FetchedRow> fetched = fetchRows("a");
        settle(Settlement.retry(fetched.get(1).claimed(), LONG, "broken", true));

        List<FetchedRow> again = fetchRows("a");

        assertThat(fetched)
                .extracting(FetchedRow::holder)
                .containsExactly(stored(line.get(2)).seq(), stored(line.get(2)).seq(), null);
        assertThat(again)
                .as("a later holder holds nothing")
                .extracting(FetchedRow::holder)
                .containsExactly(stored(line.get(2)).seq(), null);
    }

    @Test
    default void aDueMessageIsFetchedWithItsHolderToo() {
        OutboxMessage first = keyed("42");
        enqueue(first, keyed("42"));
        join("a");
        settle(fetchAll("a").stream()
                .map(each -> Settlement.retry(each, Duration.ZERO, "broken", true))
                .toList());

        List<FetchedRow> due = await(() -> {
            List<FetchedRow> rows = store().fetchDue(request("a"), null).rows();
            return rows.size() == 2 ? rows : List.of();
        });

        assertThat(due)
                .extracting(FetchedRow::holder)
                .containsExactly(null, stored(first).seq());
    }

    @Test
    default void aMessageThatWasPutBehindIsNotFetched() {
        join("a");
        OutboxMessage holder = blockedKey("a", "42", 1).get(0);
        OutboxMessage later = keyed("42");
        enqueue(later);
        ClaimedMessage fetched = fetchOne("a");

        assertThat(settle(Settlement.behind(fetched, stored(holder).seq()))).isEqualTo(1);

        assertThat(fetchAll("a")).isEmpty();
        assertThat(awaitDue("a").message().id()).isEqualTo(holder.id());
        assertThat(ids(due("a"))).containsExactly(holder.id());
        end("a", List.of(fetched));
        assertThat(stored(later).status()).isEqualTo(MessageStatus.PENDING);
        assertThat(stored(later).attempts()).isZero();
    }

    @Test
    default void followersArePutBehindTheirHolderInOneBatch() {
        List<OutboxMessage> messages =
                IntStream.range(0, 3).mapToObj(i -> keyed("42")).toList();
        enqueue(messages.toArray(OutboxMessage[]::new));
        join("a");
        List<ClaimedMessage> fetched = fetchAll("a");
        long head = fetched.get(0).seq();

        settle(Settlement.retry(fetched.get(0), Duration.ZERO, "broken", true));

        int written = settle(Settlement.behind(fetched.get(2), head), Settlement.behind(fetched.get(1), head));

        assertThat(written).isEqualTo(2);
        end("a", fetched);
        assertThat(stored(messages.get(1)).attempts()).isZero();
        assertThat(stored(messages.get(1)).status()).isEqualTo(MessageStatus.PENDING);
        assertThat(fetchAll("a")).isEmpty();
        assertThat(awaitDue("a").message().id()).isEqualTo(messages.get(0).id());
    }

    @Test
    default void aMessageIsNotPutBehindAHolderThatIsGone() {
        join("a");
        List<OutboxMessage> holders = new ArrayList<>();
        for (String key : List.of("delivered", "discarded", "parked")) {
            holders.addAll(blockedKey("a", key, 1));
        }
        enqueue(keyed("delivered"), keyed("discarded"), keyed("parked"));
        List<FetchedRow> fetched = fetchRows("a");
        List<ClaimedMessage> due = awaitDue("a", 3);
        settle(
                Settlement.delivered(due.get(0)),
                Settlement.dead(due.get(1), "never", true),
                Settlement.retry(due.get(2), LONG, "broken", false));
        admin().discard(List.of(holders.get(1).id()), DECISION);

        Settled settled = store().settle(fetched.stream()
                .map(row -> Settlement.behind(row.claimed(), Objects.requireNonNull(row.holder())))
                .toList());

        assertThat(fetched).extracting(FetchedRow::holder).doesNotContainNull().hasSize(3);
        assertThat(settled).isEqualTo(new Settled(0, List.of()));
        assertThat(ids(fetchFree("a")))
                .containsExactlyElementsOf(
                        ids(fetched.stream().map(FetchedRow::claimed).toList()));
    }

    @Test
    default void aMessagePutBehindTwiceStillWaits() {
        join("a");
        OutboxMessage holder = blockedKey("a", "42", 1).get(0);
        OutboxMessage later = keyed("42");
        enqueue(later);
        Settlement behind = Settlement.behind(fetchOne("a"), stored(holder).seq());

        settle(behind);
        settle(behind);

        settle(Settlement.delivered(awaitDue("a")));
        ClaimedMessage promoted = awaitDue("a");
        assertThat(promoted.message().id()).isEqualTo(later.id());
        assertThat(promoted.attempt()).isEqualTo(1);
        assertThat(settle(behind)).as("the holder is delivered").isZero();
        assertThat(awaitDue("a").message().id()).isEqualTo(later.id());
    }

    @Test
    default void aDeliveredHolderMakesTheNextHundredDueAtOnceAndInOrder() {
        join("a");
        List<OutboxMessage> messages = blockedKey("a", "42", 151);

        settle(Settlement.delivered(awaitDue("a")));

        List<ClaimedMessage> due = due("a");
        assertThat(ids(due))
                .containsExactlyElementsOf(
                        messages.subList(1, 101).stream().map(OutboxMessage::id).toList());
        settle(due.stream().map(Settlement::delivered).toList());
        assertThat(ids(due("a")))
                .containsExactlyElementsOf(messages.subList(101, 151).stream()
                        .map(OutboxMessage::id)
                        .toList());
    }

    @Test
    default void unblockFreesAMessageThatWaitsForNoOther() {
        join("a");
        OutboxMessage second = blockedKey("a", "42", 2).get(1);
        settle(Settlement.dead(unaware(awaitDue("a")), "parked", false));
        assertThat(due("a")).isEmpty();

        int freed = store().unblock(ALL_SHARDS, 0).messages();

        assertThat(freed).isEqualTo(1);
        assertThat(awaitDue("a").message().id()).isEqualTo(second.id());
    }

    @Test
    default void unblockLeavesMessagesBehindTheirHolder() {
        join("a");
        blockedKey("a", "42", 3);

        assertThat(store().unblock(ALL_SHARDS, 0)).isEqualTo(new Unblocked(0, 0));

        awaitDue("a");
        assertThat(store().unblock(ALL_SHARDS, 0)).isEqualTo(new Unblocked(0, 0));
        assertThat(due("a")).hasSize(1);
    }

    @Test
    default void unblockLooksOnlyAtTheGivenShards() {
        join("a");
        OutboxMessage second = blockedKey("a", "42", 2).get(1);
        settle(Settlement.dead(unaware(awaitDue("a")), "parked", false));
        int shard = Shards.of(second);
        List<Integer> others =
                ALL_SHARDS.stream().filter(other -> other != shard).toList();

        assertThat(store().unblock(Set.copyOf(others), 0).messages()).isZero();
        assertThat(store().unblock(Set.of(shard), stored(second).seq()).messages())
                .as("above the message")
                .isZero();
        assertThat(store().unblock(Set.of(shard), 0).messages()).isEqualTo(1);
    }

    @Test
    default void unblockLooksAtABoundedNumberOfMessagesAndSaysWhereToGoOn() {
        int many = 1_500;
        enqueue(IntStream.range(0, many).mapToObj(i -> keyed("key-" + i)).toArray(OutboxMessage[]::new));
        enqueue(IntStream.range(0, many).mapToObj(i -> keyed("key-" + i)).toArray(OutboxMessage[]::new));
        join("a");
        ClaimSize all = new ClaimSize(2 * many, 1 << 30);
        List<ClaimedMessage> fetched = fetch(request("a", all));
        settle(fetched.subList(0, many).stream()
                .map(each -> Settlement.retry(each, Duration.ZERO, "broken", true))
                .toList());
        settle(IntStream.range(0, many)
                .mapToObj(i ->
                        Settlement.behind(fetched.get(many + i), fetched.get(i).seq()))
                .toList());
        List<FetchedRow> heads = await(() -> {
            List<FetchedRow> due = store().fetchDue(request("a", all), null).rows();
            return due.size() == many ? due : List.of();
        });
        settle(heads.stream()
                .map(row -> Settlement.dead(unaware(row.claimed()), "parked", false))
                .toList());

        Unblocked first = store().unblock(ALL_SHARDS, 0);
        Unblocked second = store().unblock(ALL_SHARDS, first.next());

        assertThat(first.messages()).isBetween(1, many - 1);
        assertThat(first.next()).isPositive();
        assertThat(second.messages()).isEqualTo(many - first.messages());
        assertThat(second.next()).isZero();
    }

    /** Returns the message as a relay fetched it before it held its key: its outcome makes no other message due. */
    private static ClaimedMessage unaware(ClaimedMessage claimed) {
        return new ClaimedMessage(
                claimed.seq(),
                claimed.token(),
                claimed.claimedBy(),
                claimed.shard(),
                claimed.epoch(),
                claimed.attempt(),
                false,
                claimed.lostClaims(),
                claimed.onTrial(),
                claimed.defect(),
                claimed.dueAt(),
                claimed.message());
    }
}

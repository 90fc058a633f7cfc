package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.ClaimSize;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.DuePosition;
import dev.postrider.spi.FetchRequest;
import dev.postrider.spi.FetchedDue;
import dev.postrider.spi.FetchedPage;
import dev.postrider.spi.FetchedRow;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.Shards;
import dev.postrider.spi.TopicFilter;
import dev.postrider.spi.TopicName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A fetch takes as much as it was asked for, out of the rows it was asked for, and says how far it came. */
interface ScanContract extends StoreSteps {

    @Test
    default void aFetchTakesAtMostSoManyMessages() {
        several(5);
        join("a");
        ClaimSize three = new ClaimSize(3, 1_000);

        FetchedPage first = fetch(request("a", three), SeqRange.above(0));
        FetchedPage rest = fetch(request("a", three), SeqRange.above(first.scannedTo()));

        assertThat(first.rows()).hasSize(3);
        assertThat(first.full()).isTrue();
        assertThat(first.scannedTo()).isEqualTo(seqOf(first, 2));
        assertThat(first.seen()).isEqualTo(3);
        assertThat(rest.rows()).hasSize(2);
        assertThat(rest.full()).isFalse();
        assertThat(rest.seen()).isEqualTo(2);
    }

    @Test
    default void aFetchThatIsCutBySizePassesNoRowAboveTheLastItTook() {
        OutboxMessage excluded = OutboxMessage.to("closed", "Placed").build();
        enqueue(unkeyed(), unkeyed(), excluded, unkeyed());
        join("a");
        TopicFilter open = TopicFilter.allBut(Set.of(TopicName.of(excluded)));

        FetchedPage page = fetch(request("a", new ClaimSize(2, 1_000), open, Set.of()), SeqRange.above(0));

        assertThat(page.rows()).hasSize(2);
        assertThat(page.full()).isTrue();
        assertThat(page.scannedTo()).isEqualTo(seqOf(page, 1));
        assertThat(page.seen()).isEqualTo(2);
    }

    @Test
    default void aFetchTakesAtMostSoManyBytes() {
        enqueue(sized(400), sized(400), sized(400), sized(1));
        join("a");

        FetchedPage first = fetch(request("a", new ClaimSize(10, 1_000)), SeqRange.above(0));

        assertThat(first.rows()).hasSize(2);
        assertThat(first.full()).isTrue();
        assertThat(first.scannedTo()).isEqualTo(seqOf(first, 1));
        assertThat(first.seen()).isEqualTo(2);
        assertThat(fetch(request("a"), SeqRange.above(first.scannedTo())).rows())
                .hasSize(2);
    }

    @Test
    default void theFirstMessageIsTakenWhateverItsSize() {
        enqueue(sized(5_000), sized(1));
        join("a");

        FetchedPage page = fetch(request("a", new ClaimSize(10, 1_000)), SeqRange.above(0));

        assertThat(page.rows())
                .singleElement()
                .extracting(row -> row.claimed().message().payloadSize())
                .isEqualTo(5_000);
        assertThat(page.full()).isTrue();
    }

    @Test
    default void aFetchLooksAtAtMostSoManyRowsWhateverTheirState() {
        several(6);
        join("a");
        List<ClaimedMessage> all = fetchAll("a");
        settle(Settlement.delivered(all.get(0)), Settlement.retry(all.get(1), LONG, "broken", false));

        FetchedPage first = store().fetch(request("a"), SeqRange.above(0), 4);
        FetchedPage done = store().fetch(request("a"), SeqRange.above(0), 2);
        FetchedPage rest = store().fetch(request("a"), SeqRange.above(first.scannedTo()), 4);

        assertThat(first.rows())
                .extracting(FetchedRow::seq)
                .containsExactly(all.get(2).seq(), all.get(3).seq());
        assertThat(first.scannedTo()).isEqualTo(all.get(3).seq());
        assertThat(first.seen()).isEqualTo(4);
        assertThat(first.full()).isTrue();
        assertThat(done.rows()).isEmpty();
        assertThat(done.scannedTo()).isEqualTo(all.get(1).seq());
        assertThat(done.full()).isTrue();
        assertThat(rest.rows())
                .extracting(FetchedRow::seq)
                .containsExactly(all.get(4).seq(), all.get(5).seq());
        assertThat(rest.full()).isFalse();
    }

    @Test
    default void aScanEndsAtTheHighestRow() {
        several(3);
        join("a");

        FetchedPage page = fetch(request("a"), SeqRange.above(0));

        long highest = seqOf(page, 2);
        assertThat(page.scannedTo()).isEqualTo(highest);
        assertThat(page.full()).isFalse();
        assertThat(fetch(request("a"), SeqRange.above(highest)).scannedTo()).isEqualTo(highest);
        assertThat(fetch(request("a"), SeqRange.above(highest + 10)).scannedTo())
                .isEqualTo(highest + 10);
    }

    @Test
    default void aScanOfAnEmptyOutboxStaysWhereItWas() {
        join("a");

        FetchedPage page = fetch(request("a"), SeqRange.above(0));

        assertThat(page.rows()).isEmpty();
        assertThat(page.scannedTo()).isZero();
        assertThat(page.full()).isFalse();
        assertThat(page.seen()).isZero();
        assertThat(page.holes()).isEmpty();
    }

    @Test
    default void onlyRowsOfTheRangeAreFetched() {
        several(4);
        join("a");
        List<ClaimedMessage> all = fetchAll("a");
        SeqRange middle = new SeqRange(all.get(0).seq(), all.get(2).seq());

        FetchedPage page = fetch(request("a"), middle);

        assertThat(page.rows())
                .extracting(FetchedRow::seq)
                .containsExactly(all.get(1).seq(), all.get(2).seq());
        assertThat(page.scannedTo()).isEqualTo(all.get(2).seq());
        assertThat(page.seen()).isEqualTo(2);
    }

    @Test
    default void aDenseRangeHasNoHoles() {
        several(5);
        join("a");
        List<ClaimedMessage> all = fetchAll("a");

        FetchedPage page = fetch(request("a"), SeqRange.above(all.get(0).seq()));

        assertThat(page.seen()).isEqualTo(4);
        assertThat(page.holes()).isEmpty();
    }

    @Test
    @Tag("B1")
    default void everySequenceWithoutARowIsInAHole() {
        OutboxTransaction late = begin();
        OutboxTransaction rolledBack = begin();
        several(2);
        late.outbox().enqueue(unkeyed());
        several(2);
        rolledBack.outbox().enqueue(unkeyed());
        several(1);
        rolledBack.rollback();
        join("a");

        FetchedPage first = fetch(request("a"), SeqRange.above(0));
        late.commit();
        FetchedPage second = fetch(request("a"), SeqRange.above(0));

        assertThat(first.seen()).isEqualTo(5);
        assertThat(first.full()).isFalse();
        assertThat(first.scannedTo()).isEqualTo(seqOf(first, 4));
        assertEveryHoleIsReported(first);
        assertThat(second.seen()).isEqualTo(6);
        assertThat(second.rows()).extracting(FetchedRow::seq).isSorted();
        assertEveryHoleIsReported(second);
    }

    private static void assertEveryHoleIsReported(FetchedPage page) {
        List<Long> visible = page.rows().stream().map(FetchedRow::seq).toList();
        List<Long> missing = LongStream.rangeClosed(visible.get(0), page.scannedTo())
                .filter(seq -> !visible.contains(seq))
                .boxed()
                .toList();
        assertThat(missing)
                .isNotEmpty()
                .allSatisfy(seq -> assertThat(page.holes()).anySatisfy(hole -> {
                    assertThat(hole.after()).isLessThan(seq);
                    assertThat(hole.upTo()).isGreaterThanOrEqualTo(seq);
                }));
        assertThat(page.holes()).allSatisfy(hole -> assertThat(hole.upTo()).isLessThanOrEqualTo(page.scannedTo()));
    }

    @Test
    @Tag("B1")
    default void whatAppearedInHolesIsToldInAscendingOrder() {
        OutboxTransaction late = begin();
        late.outbox().enqueue(unkeyed());
        late.outbox().enqueue(unkeyed());
        several(3);
        join("a");
        FetchedPage before = fetch(request("a"), SeqRange.above(0));
        SeqRange hole = new SeqRange(0, seqOf(before, 0) - 1);
        SeqRange beyond = new SeqRange(before.scannedTo(), before.scannedTo() + 9);
        assertThat(store().appeared(Shards.ALL, TopicFilter.ALL, List.of(hole))).isEmpty();

        late.commit();

        assertThat(store().appeared(Shards.ALL, TopicFilter.ALL, List.of(hole, beyond)))
                .hasSize(2)
                .isSorted()
                .allSatisfy(seq -> assertThat(seq).isLessThan(seqOf(before, 0)));
        assertThat(store().appeared(Shards.ALL, TopicFilter.ALL, List.of(beyond)))
                .isEmpty();
        assertThat(store().appeared(Shards.ALL, TopicFilter.ALL, List.of())).isEmpty();
    }

    @Test
    default void onlyRowsOfTheShardsAndTopicsAskedForHaveAppeared() {
        enqueue(
                OutboxMessage.to("here", "x").payload("1").build(),
                OutboxMessage.to("there", "x").payload("2").build());
        join("a");
        List<ClaimedMessage> all = fetchAll("a");
        ClaimedMessage here = all.get(0);
        ClaimedMessage there = all.get(1);
        List<SeqRange> range = List.of(new SeqRange(0, there.seq()));
        TopicName topic = TopicName.of(there.message());

        assertThat(store().appeared(Set.of(), TopicFilter.ALL, range)).isEmpty();
        assertThat(store().appeared(Set.of(here.shard()), TopicFilter.only(TopicName.of(here.message())), range))
                .containsExactly(here.seq());
        assertThat(store().appeared(Shards.ALL, TopicFilter.allBut(Set.of(topic)), range))
                .containsExactly(here.seq());
        assertThat(store().appeared(Shards.ALL, TopicFilter.only(topic), range)).containsExactly(there.seq());
        assertThat(store().appeared(Shards.ALL, new TopicFilter(true, Set.of()), range))
                .isEmpty();
    }

    @Test
    default void onlyPendingRowsThatDoNotWaitHaveAppeared() {
        several(4);
        join("a");
        List<ClaimedMessage> all = fetchAll("a");
        settle(
                Settlement.delivered(all.get(0)),
                Settlement.retry(all.get(1), LONG, "broken", false),
                Settlement.dead(all.get(2), "never", false));

        assertThat(store().appeared(
                                Shards.ALL,
                                TopicFilter.ALL,
                                List.of(new SeqRange(0, all.get(3).seq()))))
                .containsExactly(all.get(3).seq());
    }

    @Test
    default void dueFetchesAreBoundedBySizeAndGoOnWhereTheyEnded() {
        enqueue(unkeyed(), unkeyed(), unkeyed(), unkeyed(), unkeyed());
        join("a");
        settle(fetchAll("a").stream()
                .map(each -> Settlement.retry(each, Duration.ZERO, "broken", false))
                .toList());
        await(() -> due("a").size() == 5 ? List.of("due") : List.of());

        List<FetchedDue> pages = duePages("a", new ClaimSize(2, 1_000), TopicFilter.ALL);

        assertThat(pages).extracting(page -> page.rows().size()).startsWith(2, 2, 1);
        assertThat(pages.stream().flatMap(page -> page.rows().stream()).map(FetchedRow::seq))
                .hasSize(5)
                .doesNotHaveDuplicates();
    }

    @Test
    default void dueMessagesAreFetchedInTheOrderOfTheirTimes() {
        enqueue(keyed("1"), keyed("2"), keyed("3"));
        join("a");
        List<ClaimedMessage> fetched = fetchAll("a");
        settle(Settlement.retry(fetched.get(2), Duration.ZERO, "broken", false));
        advance(POLL);
        settle(Settlement.retry(fetched.get(0), Duration.ZERO, "broken", false));
        advance(POLL);
        settle(Settlement.retry(fetched.get(1), Duration.ZERO, "broken", false));

        await(() -> due("a").size() == 3 ? List.of("due") : List.of());

        assertThat(due("a"))
                .extracting(ClaimedMessage::seq)
                .containsExactly(
                        fetched.get(2).seq(),
                        fetched.get(0).seq(),
                        fetched.get(1).seq());
    }

    @Test
    default void aFetchOfDueMessagesLooksAtABoundedNumberOfRows() {
        int bound = 5_000;
        for (int enqueued = 0; enqueued < 10 * bound; enqueued += 1_000) {
            enqueue(Stream.generate(() -> delayed("closed")).limit(1_000).toArray(OutboxMessage[]::new));
        }
        OutboxMessage open = delayed("open");
        enqueue(open);
        join("a");
        advance(SHORT);

        List<FetchedDue> pages = duePages("a", PLENTY, TopicFilter.allBut(Set.of(TopicName.of(delayed("closed")))));

        assertThat(pages).hasSizeBetween(10, 12);
        assertThat(pages.stream().flatMap(page -> page.rows().stream()))
                .singleElement()
                .extracting(row -> row.claimed().message().id())
                .isEqualTo(open.id());
    }

    private List<FetchedDue> duePages(String relay, ClaimSize size, TopicFilter topics) {
        List<FetchedDue> pages = new ArrayList<>();
        DuePosition next = null;
        do {
            FetchRequest request = request(relay, size, topics, Set.of());
            pages.add(store().fetchDue(request, next));
            next = pages.get(pages.size() - 1).next();
        } while (next != null);
        return pages;
    }

    private static OutboxMessage delayed(String topic) {
        return OutboxMessage.to(topic, "Delayed").deliverAfter(POLL).build();
    }

    private static long seqOf(FetchedPage page, int index) {
        return page.rows().get(index).seq();
    }

    private static OutboxMessage sized(int bytes) {
        return OutboxMessage.to("orders", "Sized").payload(new byte[bytes]).build();
    }
}

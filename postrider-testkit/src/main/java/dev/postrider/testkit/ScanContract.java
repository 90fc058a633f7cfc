package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.ClaimSize;
import dev.postrider.spi.ClaimedBatch;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.Outlook;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.Sighting;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A claim takes as much as it was asked for, out of the rows it was asked for, and says how far it came. */
interface ScanContract extends StoreSteps {

    @Test
    default void aClaimTakesAtMostSoManyMessages() {
        several(5);
        join("a");

        ClaimedBatch first = store().claim(request("a", new ClaimSize(3, 1_000), LONG), SeqRange.above(0));
        ClaimedBatch rest =
                store().claim(request("a", new ClaimSize(3, 1_000), LONG), SeqRange.above(first.scannedTo()));

        assertThat(first.messages()).hasSize(3);
        assertThat(first.full()).isTrue();
        assertThat(first.scannedTo()).isEqualTo(first.messages().get(2).seq());
        assertThat(rest.messages()).hasSize(2);
        assertThat(rest.full()).isFalse();
    }

    @Test
    @Tag("B1")
    default void aLookShowsWhatIsCommittedAndWhatAppearedInGaps() {
        OutboxTransaction late = begin();
        late.outbox().enqueue(unkeyed());
        several(3);

        List<Long> before = store().look(0, 10, List.of()).above();
        SeqRange gap = new SeqRange(0, before.get(0) - 1);
        assertThat(before).hasSize(3).isSorted();
        assertThat(store().look(0, 2, List.of()).above()).isEqualTo(before.subList(0, 2));
        assertThat(store().look(before.get(2), 10, List.of(gap)).appeared()).isEmpty();

        late.commit();

        Outlook after = store().look(before.get(2), 10, List.of(gap, new SeqRange(before.get(2), before.get(2) + 9)));
        assertThat(after.above()).isEmpty();
        assertThat(after.appeared())
                .singleElement()
                .satisfies(seq -> assertThat(seq).isLessThan(before.get(0)));
    }

    @Test
    @Tag("B1")
    default void aClaimInARangeNobodyLookedAtTellsWhatItSaw() {
        OutboxTransaction late = begin();
        late.outbox().enqueue(unkeyed());
        several(2);
        OutboxTransaction neverCommitted = begin();
        neverCommitted.outbox().enqueue(unkeyed());
        several(2);
        List<Long> rows = store().look(0, 10, List.of()).above();
        join("a");

        SeqRange range = new SeqRange(0, rows.get(2));
        Sighting first = store().lookAndClaim(request("a"), range);
        neverCommitted.rollback();
        late.commit();
        Sighting second = store().lookAndClaim(request("a"), range);
        Sighting beyond = store().lookAndClaim(request("a"), new SeqRange(rows.get(3), rows.get(3) + 10));

        assertThat(first.seen()).isEqualTo(rows.subList(0, 3));
        assertThat(first.batch().messages()).extracting(ClaimedMessage::seq).isEqualTo(rows.subList(0, 3));
        assertThat(first.batch().scannedTo()).isEqualTo(rows.get(2));
        assertThat(first.batch().full()).isFalse();
        assertThat(second.seen()).hasSize(4).isSorted().containsAll(first.seen());
        assertThat(second.batch().messages())
                .as("only the one that was late")
                .singleElement()
                .extracting(ClaimedMessage::seq)
                .isEqualTo(second.seen().get(0));
        assertThat(beyond.seen()).isEmpty();
        assertThat(beyond.batch().messages()).isEmpty();
        assertThat(beyond.batch().scannedTo()).isEqualTo(rows.get(3));
    }

    @Test
    default void aClaimInARangeNobodyLookedAtIsCutShortLikeAnyOther() {
        several(5);
        join("a");
        List<Long> rows = store().look(0, 10, List.of()).above();

        Sighting sighting =
                store().lookAndClaim(request("a", new ClaimSize(3, 1_000), LONG), new SeqRange(0, rows.get(4)));

        assertThat(sighting.seen()).startsWith(rows.subList(0, 3).toArray(Long[]::new));
        assertThat(sighting.batch().messages()).hasSize(3);
        assertThat(sighting.batch().full()).isTrue();
        assertThat(sighting.batch().scannedTo()).isEqualTo(rows.get(2));
    }

    @Test
    default void aClaimInARangeNobodyLookedAtTakesNothingInShardsOfOthers() {
        several(3);

        Sighting sighting = store().lookAndClaim(request("nobody"), new SeqRange(0, 1_000));

        assertThat(sighting.batch().messages()).isEmpty();
        assertThat(sighting.batch().scannedTo()).isZero();
    }

    @Test
    default void aClaimTakesAtMostSoManyBytes() {
        enqueue(sized(400), sized(400), sized(400), sized(1));
        join("a");

        ClaimedBatch first = store().claim(request("a", new ClaimSize(10, 1_000), LONG), SeqRange.above(0));

        assertThat(first.messages()).hasSize(2);
        assertThat(first.full()).isTrue();
        assertThat(first.scannedTo()).isEqualTo(first.messages().get(1).seq());
        assertThat(claim("a")).hasSize(2);
    }

    @Test
    default void theFirstMessageIsTakenWhateverItsSize() {
        enqueue(sized(5_000), sized(1));
        join("a");

        ClaimedBatch batch = store().claim(request("a", new ClaimSize(10, 1_000), LONG), SeqRange.above(0));

        assertThat(batch.messages())
                .singleElement()
                .extracting(claimed -> claimed.message().payloadSize())
                .isEqualTo(5_000);
        assertThat(batch.full()).isTrue();
    }

    @Test
    default void aScanEndsAtTheHighestRow() {
        several(3);
        join("a");

        ClaimedBatch batch = store().claim(request("a"), SeqRange.above(0));

        long highest = batch.messages().get(2).seq();
        assertThat(batch.scannedTo()).isEqualTo(highest);
        assertThat(batch.full()).isFalse();
        assertThat(store().claim(request("a"), SeqRange.above(highest)).scannedTo())
                .isEqualTo(highest);
        assertThat(store().claim(request("a"), SeqRange.above(highest + 10)).scannedTo())
                .isEqualTo(highest + 10);
    }

    @Test
    default void aScanOfAnEmptyOutboxStaysWhereItWas() {
        join("a");

        ClaimedBatch batch = store().claim(request("a"), SeqRange.above(0));

        assertThat(batch.messages()).isEmpty();
        assertThat(batch.scannedTo()).isZero();
        assertThat(batch.full()).isFalse();
    }

    @Test
    default void onlyRowsOfTheRangeAreClaimed() {
        several(4);
        join("a");
        List<ClaimedMessage> all = claim("a");
        all.forEach(each -> settle(Settlement.released(each)));
        SeqRange middle = new SeqRange(all.get(0).seq(), all.get(2).seq());

        ClaimedBatch batch = store().claim(request("a"), middle);

        assertThat(batch.messages())
                .extracting(ClaimedMessage::seq)
                .containsExactly(all.get(1).seq(), all.get(2).seq());
        assertThat(batch.scannedTo()).isEqualTo(all.get(2).seq());
    }

    @Test
    default void claimsWaitingAreBoundedBySize() {
        OutboxMessage[] messages = {unkeyed(), unkeyed(), unkeyed()};
        enqueue(messages);
        join("a");
        claim("a").forEach(each -> settle(Settlement.retry(each, Duration.ZERO, "broken", false)));

        List<ClaimedMessage> first = await(() -> store().claimWaiting(request("a", new ClaimSize(2, 1_000), LONG)));
        List<ClaimedMessage> rest = await(() -> store().claimWaiting(request("a", new ClaimSize(2, 1_000), LONG)));

        assertThat(first).hasSizeLessThanOrEqualTo(2);
        assertThat(ids(first)).doesNotContainAnyElementsOf(ids(rest));
    }

    private static OutboxMessage sized(int bytes) {
        return OutboxMessage.to("orders", "Sized").payload(new byte[bytes]).build();
    }
}

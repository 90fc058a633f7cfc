package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.ClaimRequest;
import dev.postrider.spi.ClaimSize;
import dev.postrider.spi.ClaimedBatch;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.OwnedShard;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Shards;
import dev.postrider.spi.TopicName;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ScanTest {

    private static final int BATCH = 10;
    private static final Set<Integer> ALL =
            IntStream.range(0, Shards.COUNT).boxed().collect(Collectors.toSet());
    private static final OutboxMessage MESSAGE =
            OutboxMessage.to("orders", "placed").build();
    private static final TopicName ORDERS = TopicName.of(MESSAGE);

    private final TopicGates gates = new TopicGates(new SplittableRandom(1));
    private final Scan scan = new Scan(BATCH, gates);

    @BeforeEach
    void own() {
        scan.gained(List.of(new OwnedShard(0, 1, 0)));
    }

    @Test
    void asManyMoreRowsAreLookedAtAsThereAreShardsOfOthers() {
        assertThat(scan.plan(request(ALL), 0).ahead()).isEqualTo(BATCH);

        assertThat(scan.plan(request(Set.of(3)), 0).ahead()).isEqualTo(BATCH * Shards.COUNT);
    }

    @Test
    void stepsGrowWhereMostRowsAreSettledAndAreSmallAgainAfterwards() {
        pass(0, 40, 0);
        assertThat(scan.plan(request(ALL), 0).ahead()).isEqualTo(4 * BATCH);
        pass(40, 80, 0);
        assertThat(scan.plan(request(ALL), 0).ahead()).isEqualTo(16 * BATCH);

        pass(80, 90, 10);

        assertThat(scan.plan(request(ALL), 0).ahead()).isEqualTo(BATCH);
    }

    @Test
    void stepsDoNotGrowBecauseOfTheRowsOfOthers() {
        Set<Integer> few = Set.of(0, 1, 2, 3, 4, 5, 6, 7);
        int expected = scan.plan(request(few), 0).ahead();

        pass(few, 0, 80, 9);

        assertThat(scan.plan(request(few), 0).ahead()).isEqualTo(expected);
    }

    @Test
    void aRowThatCameBackIsLookedAtAgain() {
        pass(0, 10, 10);

        scan.released(claimed(4));

        assertThat(scan.wentBackTo()).isEqualTo(3);
        assertThat(scan.isAhead(claimed(4))).isTrue();
        assertThat(scan.isAhead(claimed(3))).isFalse();
        assertThat(scan.lowWater()).isEqualTo(3);
    }

    @Test
    void aRowOfAClosedTopicIsForLaterAndKeepsTheLowWaterDown() {
        pass(0, 10, 10);
        gates.close(ORDERS, 0, Duration.ofSeconds(5), "away");
        scan.closed(ORDERS);

        scan.released(claimed(4));

        assertThat(scan.isAhead(claimed(10))).as("the head has not gone back").isFalse();
        assertThat(scan.lowWater()).isEqualTo(3);
        scan.openDue(Duration.ofHours(1).toNanos());
        assertThat(scan.plan(request(ALL), 0).after()).isEqualTo(3);
    }

    private void pass(long after, long upTo, int messages) {
        pass(ALL, after, upTo, messages);
    }

    private void pass(Set<Integer> shards, long after, long upTo, int messages) {
        SeqRange range = new SeqRange(after, upTo);
        List<Long> seen = LongStream.rangeClosed(after + 1, upTo).boxed().toList();
        List<ClaimedMessage> batch =
                seen.stream().limit(messages).map(ScanTest::claimed).toList();
        scan.plan(request(shards), 0);
        scan.claimed(new Claim(request(shards), range, Claim.Kind.HEAD, seen), new ClaimedBatch(batch, upTo, false), 0);
    }

    private static ClaimRequest request(Set<Integer> shards) {
        return new ClaimRequest("relay", shards, Set.of(), new ClaimSize(BATCH, 1_000), Duration.ofMinutes(1), 1);
    }

    private static ClaimedMessage claimed(long seq) {
        return new ClaimedMessage(seq, 1, "relay", 0, 1, false, 0, false, null, MESSAGE);
    }
}

package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.ClaimRequest;
import dev.postrider.spi.ClaimedBatch;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.Outlook;
import dev.postrider.spi.OwnedShard;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Shards;
import dev.postrider.spi.Sighting;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How much a relay asks for when it was told that something was enqueued. */
@Tag("B2")
class ExpectingTest {

    private static final int BATCH = 100;
    private static final int FEW = 16;

    private final List<Integer> asked = new ArrayList<>();
    private final List<ClaimedMessage> sent = new ArrayList<>();
    private LongPredicate claimable = seq -> true;
    private long rows;
    private final RelayLoop loop = loop();

    @Test
    void atRestItAsksForAFew() {
        fetch(1);
        fetch(1);

        assertThat(asked).containsExactly(FEW, FEW);
    }

    @Test
    void whenMoreIsLeftItAsksForABatch() {
        fetch(FEW + 5);
        loop.fetch(fetched -> {});

        assertThat(asked).containsExactly(FEW, BATCH);
    }

    @Test
    void afterMoreThanAFewItAsksForABatchUntilItIsAFewAgain() {
        fetch(FEW + BATCH / 2);
        loop.fetch(fetched -> {});
        fetch(BATCH / 2);
        fetch(1);
        fetch(1);

        assertThat(asked).containsExactly(FEW, BATCH, BATCH, BATCH, FEW);
    }

    @Test
    void whenItHadNoRoomItStillAsksForABatch() {
        fetch(20 * BATCH);
        while (loop.fetch(fetched -> {}) != Fetcher.Fetched.SATURATED) {
            // Goes on until the prefetch limit is reached.
        }
        asked.clear();
        loop.send();
        sent.forEach(claimed -> loop.answer(claimed, PublishResult.acked()));
        loop.settle();

        loop.fetch(fetched -> {});

        assertThat(asked).containsExactly(BATCH);
    }

    @Test
    void whereRowsOfOthersLieBetweenItAsksForABatch() {
        claimable = seq -> seq % 2 == 0;

        fetch(1);
        fetch(1);
        fetch(3);
        fetch(1);

        assertThat(asked).containsExactly(FEW, FEW, FEW, BATCH);
    }

    private void fetch(int enqueued) {
        rows += enqueued;
        loop.expect();
        loop.fetch(fetched -> {});
    }

    private RelayLoop loop() {
        OutboxStore store = (OutboxStore) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {OutboxStore.class},
                (proxy, method, args) -> switch (method.getName()) {
                    case "look" -> new Outlook(List.of(), List.of());
                    case "writers" -> Optional.of(Set.of());
                    case "lookAndClaim" -> lookAndClaim((ClaimRequest) args[0], (SeqRange) args[1]);
                    case "claimWaiting" -> List.of();
                    case "settle" -> ((List<?>) args[0]).size();
                    default -> throw new AssertionError(method);
                });
        RelayBuilder builder = Relay.builder(store, (wave, answers) -> sent.addAll(wave))
                .batchSize(BATCH)
                .prefetchMessages(10 * BATCH);
        builder.nanoTime = () -> 0;
        builder.random = new SplittableRandom(1);
        RelayLoop made = new RelayLoop(store, builder.publisher, new RelayConfig(builder), () -> {});
        List<OwnedShard> shards = IntStream.range(0, Shards.COUNT)
                .mapToObj(shard -> new OwnedShard(shard, 1, 0))
                .toList();
        made.state().gained(shards);
        made.state().renewed(shards, Duration.ofHours(1).toNanos());
        return made;
    }

    private Sighting lookAndClaim(ClaimRequest request, SeqRange range) {
        int size = request.size().messages();
        asked.add(size);
        long upTo = Math.min(Math.min(range.upTo(), rows), range.after() + size);
        OutboxMessage message = OutboxMessage.to("orders", "placed").build();
        List<Long> seen =
                LongStream.rangeClosed(range.after() + 1, upTo).boxed().toList();
        List<ClaimedMessage> messages = seen.stream()
                .filter(claimable::test)
                .map(seq -> new ClaimedMessage(seq, seq, "relay", 0, 1, false, 0, false, null, message))
                .toList();
        return new Sighting(seen, new ClaimedBatch(messages, upTo, messages.size() == size));
    }
}

package dev.postrider.relay;

import dev.postrider.OutboxMessage;
import dev.postrider.retry.RetryPolicy;
import dev.postrider.spi.ClaimSize;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.FetchRequest;
import dev.postrider.spi.OwnedShard;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.TopicName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;

/** A {@link RelayState} in a time of its own, and messages for it. */
abstract class RelayMemory {

    static final int BATCH = 8;
    static final ClaimSize ROOM = new ClaimSize(BATCH, Long.MAX_VALUE);
    static final PublishResult AWAY = PublishResult.unavailable("away");
    static final TopicName ORDERS = new TopicName("default", "orders");

    long nanos;
    final List<Integer> claimed = new ArrayList<>();
    final RelayConfig config = config();
    final RelayState state = new RelayState(config);

    @BeforeEach
    void own() {
        Turn.own(state, nanos);
    }

    FetchRequest request() {
        return Objects.requireNonNull(state.request(Turn.begin(state), ROOM, Set.of()));
    }

    SeqRange nextRange() {
        return Turn.begin(state).range();
    }

    void scanTo(long seq) {
        state.accept(Turn.begin(state), seq, List.of(), row -> true);
    }

    void ownTwo() {
        List<OwnedShard> second = List.of(new OwnedShard(1, 1, 0));
        state.gained(second);
        state.renewed(List.of(new OwnedShard(0, 1, 0), new OwnedShard(1, 1, 0)), hourFromNow());
    }

    long hourFromNow() {
        return nanos + Duration.ofHours(1).toNanos();
    }

    void pass(Duration time) {
        nanos += time.toNanos();
    }

    static List<Long> seqs(List<ClaimedMessage> messages) {
        return messages.stream().map(ClaimedMessage::seq).toList();
    }

    static ClaimedMessage message(long seq) {
        return message(seq, null);
    }

    static ClaimedMessage message(long seq, @Nullable String key) {
        return message(seq, key, "1234");
    }

    static ClaimedMessage message(long seq, @Nullable String key, String payload) {
        return Turn.claimed(seq, outbox(key, payload));
    }

    static ClaimedMessage bill(long seq) {
        return Turn.claimed(seq, OutboxMessage.to("bills", "placed").key("b").build());
    }

    static ClaimedMessage ofShard(long seq, int shard, long epoch) {
        return new ClaimedMessage(
                seq, Turn.TOKEN, "relay", shard, epoch, 1, false, 0, false, null, outbox(null, "1234"));
    }

    static OutboxMessage outbox(@Nullable String key, String payload) {
        return OutboxMessage.to("orders", "placed").key(key).payload(payload).build();
    }

    private RelayConfig config() {
        RelayBuilder builder = UnusedStore.relay()
                .batchSize(BATCH)
                .prefetchMessages(BATCH)
                .prefetchBytes(10)
                .retry(RetryPolicy.schedule(List.of(Duration.ofSeconds(5))))
                .listener(new RelayListener() {
                    @Override
                    public void claimed(int messages) {
                        claimed.add(messages);
                    }
                });
        builder.nanoTime = () -> nanos;
        builder.random = new SplittableRandom(1);
        return new RelayConfig(builder);
    }
}

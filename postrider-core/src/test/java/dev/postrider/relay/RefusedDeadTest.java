package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.OwnedShard;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.Settlement.Outcome;
import dev.postrider.spi.Unblocked;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a relay does when the store takes everything but dead messages. */
@Tag("R4.6")
class RefusedDeadTest {

    private static final Duration CLAIM = Duration.ofSeconds(30);

    private final List<List<Settlement>> calls = new ArrayList<>();
    private final List<Settlement> written = new ArrayList<>();
    private final List<Settlement> handedOver = new ArrayList<>();
    private final List<ClaimedMessage> published = new ArrayList<>();
    private Set<Long> extended = Set.of();
    private boolean refusing = true;
    private int failures;
    private long nanos;
    private @Nullable Housekeeping housekeeping;
    private final RelayLoop loop = loop();

    @BeforeEach
    void own() {
        OwnedShard shard = new OwnedShard(0, 1, 0);
        loop.state().gained(List.of(shard));
        loop.state().renewed(List.of(shard), Duration.ofHours(1).toNanos());
    }

    @Test
    void theOthersOfABatchAreWrittenWithTheNextCall() {
        claimAndSend(message(1, null), message(2, "dead"), message(3, null));
        assertThatThrownBy(loop::settle).hasMessage("refused");

        int settled = loop.settle();

        assertThat(settled).isEqualTo(2);
        assertThat(written).extracting(RefusedDeadTest::seq).containsExactly(1L, 3L);
        assertThat(handedOver).extracting(RefusedDeadTest::seq).containsExactly(2L);
        assertThat(loop.state().inFlight()).isEqualTo(1);
    }

    @Test
    void furtherOutcomesNeverFailBecauseOfADeadOne() {
        refuse(message(1, "dead"));

        claimAndSend(message(2, "dead"), message(3, null));

        assertThat(loop.settle()).isEqualTo(1);
        assertThat(written).extracting(RefusedDeadTest::seq).containsExactly(3L);
        assertThat(handedOver).extracting(RefusedDeadTest::seq).containsExactly(1L, 2L);
        assertThat(failures).isEqualTo(1);
    }

    @Test
    void aRefusedOneIsTriedAgainEverMoreRarelyAndHandedOverOnce() {
        refuse(message(1, "dead"));
        calls.clear();

        for (int second = 0; second < 100; second++) {
            nanos += Duration.ofSeconds(1).toNanos();
            loop.settle();
        }

        // 1, 2, 4, 8, 16, 30, 30 s, or with jitter half of each
        assertThat(calls.size()).isBetween(6, 12);
        assertThat(calls).allSatisfy(call -> assertThat(call).hasSize(1));
        assertThat(handedOver).hasSize(1);
    }

    @Test
    void itIsWrittenWhenTheStoreTakesItAgain() {
        refuse(message(1, "dead"), message(2, "dead"), message(3, "dead"));
        refusing = false;
        nanos += Duration.ofSeconds(2).toNanos();

        int settled = loop.settle();

        assertThat(settled).isEqualTo(3);
        assertThat(loop.state().isIdle()).isTrue();
        assertThat(loop.hasOutcomes()).isFalse();
    }

    @Test
    void itsClaimIsExtendedAndItIsNotPublishedAgain() {
        refuse(message(1, "dead"));
        published.clear();
        nanos += CLAIM.toNanos() / 2;

        Objects.requireNonNull(housekeeping).turn();
        loop.send();

        assertThat(extended).containsExactly(1L);
        assertThat(published).isEmpty();
    }

    @Test
    void laterMessagesOfItsKeyDoNotOvertake() {
        refuse(keyed(1, "dead"));
        published.clear();

        claimAndSend(keyed(2, null));
        loop.settle();

        assertThat(published).isEmpty();
        assertThat(written)
                .singleElement()
                .satisfies(settlement -> assertThat(settlement.outcome()).isEqualTo(Outcome.BEHIND));
    }

    @Test
    void aRefusedSuspectHoldsUpNobody() {
        ClaimedMessage onTrial = new ClaimedMessage(
                1, 77, "relay", 0, 1, false, 2, true, null, message(1, null).message());
        refuse(onTrial);

        claimAndSend(message(2, null));

        assertThat(published).extracting(ClaimedMessage::seq).containsExactly(2L);
    }

    private void refuse(ClaimedMessage... messages) {
        claimAndSend(messages);
        assertThatThrownBy(loop::settle).hasMessage("refused");
    }

    private void claimAndSend(ClaimedMessage... messages) {
        loop.state().accept(List.of(messages), claimed -> true);
        loop.send();
    }

    private RelayLoop loop() {
        OutboxStore store = (OutboxStore) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {OutboxStore.class}, (proxy, method, args) -> {
                    return switch (method.getName()) {
                        case "settle" -> settle(list(args[0]));
                        case "extend" -> {
                            List<ClaimedMessage> claims = list(args[0]);
                            extended = claims.stream().map(ClaimedMessage::seq).collect(Collectors.toSet());
                            yield claims.size();
                        }
                        case "unblock" -> new Unblocked(0, 0);
                        default -> throw new AssertionError(method);
                    };
                });
        RelayBuilder builder = Relay.builder(
                        store,
                        (wave, answers) -> wave.forEach(claimed -> {
                            published.add(claimed);
                            answers.answer(
                                    claimed,
                                    claimed.message().type().equals("dead")
                                            ? PublishResult.rejected("never")
                                            : PublishResult.acked());
                        }))
                .claimFor(CLAIM)
                .listener(new RelayListener() {
                    @Override
                    public void deadRefused(List<Settlement> dead, Throwable cause) {
                        handedOver.addAll(dead);
                    }

                    @Override
                    public void turnFailed(String name, Throwable cause) {
                        failures++;
                    }
                });
        builder.nanoTime = () -> nanos;
        builder.random = new SplittableRandom(1);
        RelayConfig config = new RelayConfig(builder);
        RelayLoop relay = new RelayLoop(store, builder.publisher, config, () -> {});
        housekeeping = new Housekeeping(store, relay.state(), config);
        return relay;
    }

    private int settle(List<Settlement> outcomes) {
        calls.add(outcomes);
        if (refusing && outcomes.stream().anyMatch(settlement -> settlement.outcome() == Outcome.DEAD)) {
            throw new IllegalStateException("refused");
        }
        written.addAll(outcomes);
        return outcomes.size();
    }

    @SuppressWarnings("unchecked")
    private static <T> List<T> list(Object argument) {
        return (List<T>) argument;
    }

    private static long seq(Settlement settlement) {
        return settlement.claimed().seq();
    }

    private static ClaimedMessage keyed(long seq, @Nullable String type) {
        return claimed(
                seq, OutboxMessage.to("orders", type == null ? "sound" : type).key("42"));
    }

    private static ClaimedMessage message(long seq, @Nullable String type) {
        return claimed(seq, OutboxMessage.to("orders", type == null ? "sound" : type));
    }

    private static ClaimedMessage claimed(long seq, OutboxMessage.Builder message) {
        return new ClaimedMessage(seq, 77, "relay", 0, 1, false, 0, false, null, message.build());
    }
}

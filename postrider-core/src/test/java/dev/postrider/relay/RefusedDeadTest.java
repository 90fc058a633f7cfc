package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.ClaimSize;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.FetchRequest;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Settled;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.Settlement.Outcome;
import dev.postrider.spi.TopicFilter;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a relay does when the store takes everything but dead messages. */
@Tag("R4.6")
class RefusedDeadTest {

    private final List<List<Settlement>> calls = new ArrayList<>();
    private final List<Settlement> written = new ArrayList<>();
    private final List<Settlement> handedOver = new ArrayList<>();
    private final List<ClaimedMessage> published = new ArrayList<>();
    private boolean refusing = true;
    private int failures;
    private long nanos;
    private final RelayLoop loop = loop();

    @BeforeEach
    void own() {
        Turn.own(loop.state(), nanos);
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
    void itStaysInFlightAndIsNotPublishedAgain() {
        refuse(message(1, "dead"));
        published.clear();
        nanos += Duration.ofMinutes(30).toNanos();

        FetchRequest next = nextRequest();
        Turn.acceptDue(loop.state(), message(1, "dead"));
        loop.send();

        assertThat(next.inFlight()).containsExactly(1L);
        assertThat(next.ended()).as("its entry in the journal").isEmpty();
        assertThat(loop.state().lowWater()).isZero();
        assertThat(published).isEmpty();
    }

    @Test
    void laterMessagesOfItsKeyDoNotOvertake() {
        refuse(keyed(1, "dead"));
        published.clear();

        claimAndSend(keyed(2, null));
        loop.settle();
        assertThat(written).as("the store does not know the holder yet").isEmpty();
        refusing = false;
        nanos += Duration.ofSeconds(2).toNanos();
        loop.settle();
        loop.send();

        assertThat(published).isEmpty();
        assertThat(written).extracting(Settlement::outcome).containsExactly(Outcome.DEAD);
        assertThat(Turn.begin(loop.state()).range())
                .as("read again, behind its holder")
                .isEqualTo(new SeqRange(1, 2));
    }

    @Test
    void aRefusedSuspectHoldsUpNobody() {
        ClaimedMessage onTrial = new ClaimedMessage(
                1,
                Turn.TOKEN,
                "relay",
                0,
                1,
                1,
                false,
                2,
                true,
                null,
                message(1, null).message());
        refuse(onTrial);

        claimAndSend(message(2, null));

        assertThat(published).extracting(ClaimedMessage::seq).containsExactly(2L);
    }

    private void refuse(ClaimedMessage... messages) {
        claimAndSend(messages);
        assertThatThrownBy(loop::settle).hasMessage("refused");
    }

    private void claimAndSend(ClaimedMessage... messages) {
        Turn.accept(loop.state(), messages);
        loop.send();
    }

    private RelayLoop loop() {
        OutboxStore store = (OutboxStore) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {OutboxStore.class}, (proxy, method, args) -> {
                    if (!method.getName().equals("settle")) {
                        throw new AssertionError(method);
                    }
                    return settle(list(args[0]));
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
        return new RelayLoop(store, builder.publisher, new RelayConfig(builder), () -> {});
    }

    private FetchRequest nextRequest() {
        RelayState state = loop.state();
        // As a step of the audit below the scan.
        Scan.Part all = new Scan.Part(new SeqRange(0, 100), TopicFilter.ALL, 100, 100, null);
        return Objects.requireNonNull(state.request(all, new ClaimSize(100, 1_000), Set.of()));
    }

    private Settled settle(List<Settlement> outcomes) {
        calls.add(outcomes);
        if (refusing && outcomes.stream().anyMatch(settlement -> settlement.outcome() == Outcome.DEAD)) {
            throw new IllegalStateException("refused");
        }
        written.addAll(outcomes);
        return new Settled(outcomes.size(), List.of());
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
        return Turn.claimed(seq, message.build());
    }
}

package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.Settled;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.Settlement.Outcome;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a relay does with outcomes whose rows another session has locked. */
@Tag("B1")
class LockedRowsTest {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final Set<Long> locked = new HashSet<>();
    private final List<List<Long>> calls = new ArrayList<>();
    private final List<Long> written = new ArrayList<>();
    private final List<Long> published = new ArrayList<>();
    private boolean refusingDead;
    private long nanos;
    private final RelayLoop loop = loop();

    @BeforeEach
    void own() {
        Turn.own(loop.state(), nanos);
    }

    @Test
    void aLockedRowHoldsUpNoOtherOutcome() {
        locked.add(2L);

        deliver(message(1), message(2), message(3));

        assertThat(written).containsExactly(1L, 3L);
        assertThat(loop.state().inFlight()).isEqualTo(1);
    }

    @Test
    void itsOutcomeIsWrittenOnceTheRowIsFree() {
        locked.add(2L);
        deliver(message(1), message(2));
        locked.clear();

        assertThat(loop.hasOutcomes()).as("not at once").isFalse();
        nanos += SECOND;
        loop.settle();

        assertThat(written).containsExactly(1L, 2L);
        assertThat(loop.state().isIdle()).isTrue();
    }

    @Test
    void itIsTriedEverMoreRarely() {
        locked.add(1L);
        deliver(message(1));
        calls.clear();

        for (int second = 0; second < 100; second++) {
            nanos += SECOND;
            loop.settle();
        }

        // 1, 2, 4, 8, 16, 30, 30 s, or with jitter half of each
        assertThat(calls.size()).isBetween(5, 12);
    }

    @Test
    void rowsThatAreLockedOneAfterAnotherAllGetTheirTurn() {
        for (long seq = 1; seq <= 100; seq++) {
            locked.clear();
            locked.add(seq);
            deliver(message(seq));
            nanos += SECOND / 4;
        }

        assertThat(written).as("outcomes of rows that were free again long ago").contains(1L, 2L, 3L);
    }

    @Test
    void aDeadOneThatIsRefusedOnceItsRowIsFreeHoldsUpNoOtherOutcome() {
        locked.addAll(List.of(1L, 2L));
        deliver(poison(1), message(2));
        locked.clear();
        refusingDead = true;
        nanos += 2 * SECOND;
        assertThatThrownBy(loop::settle).hasMessage("refused");

        nanos += 4 * SECOND;
        loop.settle();

        assertThat(written).containsExactly(2L);
    }

    @Test
    void aTrialWhoseRowIsLockedHoldsUpNoOtherMessage() {
        locked.add(1L);
        ClaimedMessage suspect = Turn.claimed(1, message(1).message(), null, 2);

        deliver(suspect, message(2));
        loop.send();

        assertThat(published).containsExactly(1L, 2L);
    }

    @Test
    void laterMessagesOfAHeldKeyDoNotOvertakeItsLockedHolder() {
        locked.add(1L);
        deliver(keyedPoison(1));
        published.clear();

        deliver(keyed(2));
        locked.clear();
        nanos += SECOND;
        loop.settle();
        loop.send();

        assertThat(published).isEmpty();
        assertThat(written).containsExactly(1L);
    }

    private void deliver(ClaimedMessage... messages) {
        Turn.accept(loop.state(), messages);
        loop.send();
        loop.settle();
    }

    private RelayLoop loop() {
        OutboxStore store = (OutboxStore) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {OutboxStore.class}, (proxy, method, args) -> {
                    return switch (method.getName()) {
                        case "settle" -> settle(outcomes(args[0]));
                        case "beginTrial" -> true;
                        default -> throw new AssertionError(method);
                    };
                });
        RelayBuilder builder = Relay.builder(
                store,
                (wave, answers) -> wave.forEach(claimed -> {
                    published.add(claimed.seq());
                    answers.answer(
                            claimed,
                            claimed.message().type().equals("Poison")
                                    ? PublishResult.rejected("never")
                                    : PublishResult.acked());
                }));
        builder.nanoTime = () -> nanos;
        builder.random = new SplittableRandom(1);
        return new RelayLoop(store, builder.publisher, new RelayConfig(builder), () -> {});
    }

    @SuppressWarnings("unchecked")
    private static List<Settlement> outcomes(Object argument) {
        return (List<Settlement>) argument;
    }

    private Settled settle(List<Settlement> outcomes) {
        calls.add(outcomes.stream().map(each -> each.claimed().seq()).toList());
        List<Settlement> free = outcomes.stream()
                .filter(each -> !locked.contains(each.claimed().seq()))
                .toList();
        if (refusingDead && free.stream().anyMatch(each -> each.outcome() == Outcome.DEAD)) {
            throw new IllegalStateException("refused");
        }
        free.forEach(each -> written.add(each.claimed().seq()));
        return new Settled(
                free.size(),
                outcomes.stream()
                        .filter(each -> locked.contains(each.claimed().seq()))
                        .toList());
    }

    private static ClaimedMessage message(long seq) {
        return Turn.claimed(seq, OutboxMessage.to("orders", "Placed").build());
    }

    private static ClaimedMessage poison(long seq) {
        return Turn.claimed(seq, OutboxMessage.to("orders", "Poison").build());
    }

    private static ClaimedMessage keyed(long seq) {
        return Turn.claimed(seq, OutboxMessage.to("orders", "Placed").key("42").build());
    }

    private static ClaimedMessage keyedPoison(long seq) {
        return Turn.claimed(seq, OutboxMessage.to("orders", "Poison").key("42").build());
    }
}

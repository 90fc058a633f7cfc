package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.Settlement.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a relay does with messages whose publisher throws. */
@Tag("R1.13")
class ThrowingPublisherTest {

    private static final long BAD = 3;

    private final List<Integer> waves = new ArrayList<>();
    private final List<Throwable> failures = new ArrayList<>();
    private boolean broken = true;
    private final RelayLoop loop = loop();

    @BeforeEach
    void own() {
        Turn.own(loop.state(), 0);
    }

    @Test
    void theWaveIsPutBackAndTheRealCauseIsReported() {
        List<Settlement> outcomes = send();

        assertThat(waves).containsExactly(5);
        assertThat(failures).singleElement().isInstanceOf(NoClassDefFoundError.class);
        assertThat(outcomes).as("nobody is to blame yet").isEmpty();
        assertThat(loop.state().isIdle()).isTrue();
        assertThat(Turn.begin(loop.state()).range()).as("read again").isEqualTo(new SeqRange(0, 5));
    }

    @Test
    void afterwardsEachGoesAloneAndOnlyTheOneThatThrowsHasFailed() {
        settled(send());
        waves.clear();

        List<Settlement> outcomes = send();

        assertThat(waves).containsOnly(1).hasSize(5);
        assertThat(outcomes)
                .filteredOn(each -> each.outcome() == Outcome.DELIVERED)
                .hasSize(4);
        assertThat(outcomes)
                .filteredOn(each -> each.claimed().seq() == BAD)
                .singleElement()
                .satisfies(each -> {
                    assertThat(each.outcome()).isEqualTo(Outcome.RETRY);
                    assertThat(each.error()).contains("NoClassDefFoundError", "com/example/Codec");
                });
    }

    @Test
    void aMessageThatThrewStaysApartUntilItDoesNot() {
        settled(send());
        settled(send());
        waves.clear();

        settled(send());
        assertThat(waves).containsExactly(1, 4);

        broken = false;
        settled(send());
        waves.clear();
        settled(send());
        assertThat(waves).containsExactly(5);
    }

    @Test
    void aBoundedNumberOfMessagesIsRemembered() {
        SentApart apart = new SentApart();
        for (int batch = 0; batch < 10; batch++) {
            apart.add(messages((long) batch * SentApart.MOST + 1, (batch + 1L) * SentApart.MOST));
        }

        assertThat(apart.divide(messages(1, SentApart.MOST))).hasSize(1);
        assertThat(apart.divide(messages(9L * SentApart.MOST + 1, 10L * SentApart.MOST)))
                .hasSize(SentApart.MOST);
        assertThat(apart.divide(messages(9L * SentApart.MOST, 9L * SentApart.MOST + 2)))
                .as("two that are remembered and one that is not")
                .extracting(wave -> wave.get(0).seq())
                .containsExactly(9L * SentApart.MOST + 1, 9L * SentApart.MOST + 2, 9L * SentApart.MOST);
    }

    private List<Settlement> send() {
        Turn.accept(loop.state(), messages(1, 5));
        loop.send();
        return loop.state().takeOutcomes(10);
    }

    private void settled(List<Settlement> outcomes) {
        loop.state().settled(outcomes);
    }

    private RelayLoop loop() {
        RelayBuilder builder = UnusedStore.relay().listener(new RelayListener() {
            @Override
            public void turnFailed(String name, Throwable cause) {
                failures.add(cause);
            }
        });
        MessagePublisher publisher = (wave, answers) -> {
            waves.add(wave.size());
            if (broken && wave.stream().anyMatch(claimed -> claimed.seq() == BAD)) {
                throw new NoClassDefFoundError("com/example/Codec");
            }
            wave.forEach(claimed -> answers.answer(claimed, PublishResult.acked()));
        };
        builder.nanoTime = () -> 0;
        builder.random = new SplittableRandom(1);
        return new RelayLoop(builder.store, publisher, new RelayConfig(builder), () -> {});
    }

    private static List<ClaimedMessage> messages(long first, long last) {
        OutboxMessage message = OutboxMessage.to("orders", "placed").build();
        return LongStream.rangeClosed(first, last)
                .mapToObj(seq -> Turn.claimed(seq, message))
                .toList();
    }
}

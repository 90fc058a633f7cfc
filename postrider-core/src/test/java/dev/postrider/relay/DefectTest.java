package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.Settlement.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a relay does with messages that must not be published. */
@Tag("R4.2")
class DefectTest {

    private final List<ClaimedMessage> published = new ArrayList<>();
    private final List<ClaimedMessage> heard = new ArrayList<>();
    private PublishResult answer = PublishResult.acked();
    private long nanos;
    private final RelayLoop loop = loop();

    @BeforeEach
    void own() {
        Turn.own(loop.state(), nanos);
    }

    @Test
    void aDefectiveMessageIsDeadAndTheRestOfItsWaveIsSent() {
        ClaimedMessage sound = claimed(1, null, 0);
        ClaimedMessage defective = claimed(2, "changed", 0);
        Turn.accept(loop.state(), sound, defective);

        loop.send();

        assertThat(published).containsExactly(sound);
        assertThat(heard).containsExactly(defective);
        assertThat(outcomes()).containsExactlyInAnyOrder(Outcome.DELIVERED, Outcome.DEAD);
    }

    @Test
    void aDefectiveSuspectNeedsNoTrial() {
        Turn.accept(loop.state(), claimed(1, "changed", 2));

        loop.send();

        assertThat(published).isEmpty();
        assertThat(loop.state().takeOutcomes(10))
                .singleElement()
                .satisfies(settlement -> assertThat(settlement.error()).isEqualTo("changed"));
    }

    @Test
    void aDefectSaysNothingAboutTheBroker() {
        answer = PublishResult.unavailable("away");
        Turn.accept(loop.state(), claimed(1, null, 0));
        loop.send();
        nanos += Duration.ofMinutes(1).toNanos();
        Turn.begin(loop.state());
        answer = PublishResult.acked();

        Turn.acceptDue(loop.state(), claimed(2, "changed", 0));
        loop.send();
        Turn.acceptDue(loop.state(), claimed(3, null, 0), claimed(4, null, 0));

        assertThat(loop.state().takeReady())
                .as("one message probes a gate that is half open")
                .hasSize(1);
    }

    private List<Outcome> outcomes() {
        return loop.state().takeOutcomes(10).stream().map(Settlement::outcome).toList();
    }

    private RelayLoop loop() {
        RelayBuilder builder = UnusedStore.relay().listener(new RelayListener() {
            @Override
            public void integrityFailed(ClaimedMessage defective) {
                heard.add(defective);
            }
        });
        MessagePublisher publisher = (wave, answers) -> wave.forEach(claimed -> {
            published.add(claimed);
            answers.answer(claimed, answer);
        });
        builder.nanoTime = () -> nanos;
        builder.random = new SplittableRandom(1);
        RelayConfig config = new RelayConfig(builder);
        return new RelayLoop(builder.store, publisher, config, () -> {});
    }

    private static ClaimedMessage claimed(long seq, @Nullable String defect, int lostClaims) {
        OutboxMessage message =
                OutboxMessage.to("orders", "placed").payload("{}").build();
        return Turn.claimed(seq, message, defect, lostClaims);
    }
}

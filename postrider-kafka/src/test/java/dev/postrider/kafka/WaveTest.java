package dev.postrider.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.OutboxMessage;
import dev.postrider.publish.NameTemplate;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.PublishResult;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WaveTest {

    private static final Records RECORDS = new Records(NameTemplate.of("{topic}"), null);

    private final List<PublishResult> answers = new ArrayList<>();
    private final Wave wave = new Wave(3, (any, result) -> answers.add(result));

    @Test
    void onlyTheFirstAnswerCounts() {
        Pending message = add();

        message.answer(PublishResult.acked());
        message.answer(PublishResult.failed("too late"));

        assertThat(message.answered()).isTrue();
        assertThat(answers).containsExactly(PublishResult.acked());
    }

    @Test
    void keepsOnlyWhatHasNoAnswer() {
        Pending first = add();
        Pending second = add();
        List<Pending> left = new ArrayList<>();

        first.answer(PublishResult.acked());
        wave.forEach(left::add);

        assertThat(left).containsExactly(second);
        assertThat(wave.isEmpty()).isFalse();
        second.answer(PublishResult.acked());
        assertThat(wave.isEmpty()).isTrue();
    }

    @Test
    void theUpperBoundOfASizeIsNeverBelowIt() {
        for (String text : List.of("", "a", "\u00e9\u4e16\ud83d\ude00", "x".repeat(190))) {
            ClaimedMessage claimed = Collected.claimed(OutboxMessage.to("orders", "Test")
                    .header("h" + text, text)
                    .payload(text)
                    .build());

            assertThat(RecordSize.atMost(RECORDS.of(claimed)))
                    .as(text)
                    .isGreaterThanOrEqualTo(RecordSize.of(RECORDS.of(claimed)));
        }
    }

    private Pending add() {
        ClaimedMessage claimed =
                Collected.claimed(OutboxMessage.to("orders", "Test").build());
        return wave.add(claimed, RECORDS.of(claimed));
    }
}

package dev.postrider.inbox;

import static dev.postrider.inbox.Desk.CONSUMER;
import static dev.postrider.inbox.Desk.effect;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.postrider.inbox.InboxResult.Duplicate;
import dev.postrider.inbox.InboxResult.Processed;
import dev.postrider.services.Database.Kind;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("R0.7")
@Tag("B5")
@Tag("I6")
final class MessageIdTest {

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void idsAndConsumersThatLookAlikeAreDifferent(Kind kind) {
        List<String> alike = List.of(
                "evt-a",
                "EVT-A",
                "evt-a ",
                " evt-a",
                "evt-a\\",
                "evt_a",
                "evt%a",
                "x".repeat(99),
                "x".repeat(100),
                "x".repeat(99) + "X",
                "x".repeat(99) + " ");
        try (Desk desk = Desk.open(kind)) {
            Inbox inbox = desk.inbox().build();

            for (String id : alike) {
                assertThat(inbox.process(id, CONSUMER, effect(id))).as(id).isEqualTo(new Processed<>("done " + id));
            }
            for (String consumer : List.of("Billing", "billing ", "b".repeat(100))) {
                assertThat(inbox.process("evt-a", consumer, effect("evt-a", consumer)))
                        .as(consumer)
                        .isEqualTo(new Processed<>("done evt-a"));
            }
            for (String id : alike) {
                assertThat(inbox.process(id, CONSUMER, effect(id))).as(id).isEqualTo(new Duplicate<>());
            }

            assertThat(desk.marks()).isEqualTo(alike.size() + 3);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "evt-á", "evt\u0000", "evt\n", "\ud83d\ude00"})
    void anIdThatDoesNotFitIsRefusedAndNeverCut(String id) {
        try (Desk desk = Desk.open(Kind.H2)) {
            Inbox inbox = desk.inbox().build();

            assertThatIllegalArgumentException()
                    .isThrownBy(() -> inbox.process(id, CONSUMER, effect("x")))
                    .withMessageContaining("messageId");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> inbox.process("m1", id, effect("x")))
                    .withMessageContaining("consumer");
            assertThat(desk.effects()).isZero();
        }
    }

    @Test
    void anIdThatIsTooLongIsRefusedAndItsTextIsBounded() {
        try (Desk desk = Desk.open(Kind.H2)) {
            Inbox inbox = desk.inbox().build();

            assertThatIllegalArgumentException()
                    .isThrownBy(() -> inbox.process("x".repeat(100_000), CONSUMER, effect("x")))
                    .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(300));
        }
    }
}

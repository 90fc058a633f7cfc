package dev.postrider.inbox;

import static dev.postrider.inbox.Desk.CONSUMER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.inbox.InboxException.Reason;
import dev.postrider.services.Database.Kind;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A handler that throws an Error, as when a message is too large or too deep for it. */
@Tag("R0.7")
final class HandlerErrorTest {

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("I3")
    void messageThatAlwaysEndsByAnErrorIsCountedAndParked(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Inbox inbox = desk.inbox().parkAfter(2).build();
            InboxHandler<String> failing = transaction -> {
                Desk.insertEffect(transaction.connection(), "m1", CONSUMER);
                throw new OutOfMemoryError("pretended");
            };

            assertThatThrownBy(() -> inbox.process(message("m1"), CONSUMER, failing))
                    .hasRootCauseInstanceOf(OutOfMemoryError.class)
                    .isInstanceOfSatisfying(
                            InboxException.class, e -> assertThat(e.reason()).isEqualTo(Reason.HANDLER_FAILED));
            InboxResult<String> second = inbox.process(message("m1"), CONSUMER, failing);

            assertThat(second).isEqualTo(new InboxResult.Parked<>(ParkReason.FAILED));
            assertThat(desk.effects()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void errorInABatchIsTheFailureOfOneMessageOnly(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Inbox inbox = desk.inbox().build();

            InboxBatchResult result = inbox.processBatch(
                    CONSUMER, List.of(message("good"), message("bad"), message("next")), (messages, transaction) -> {
                        for (ReceivedMessage each : messages) {
                            if (each.id().orElseThrow().equals("bad")) {
                                throw new InternalError("pretended");
                            }
                            Desk.insertEffect(
                                    transaction.connection(), each.id().orElseThrow(), CONSUMER);
                        }
                    });

            assertThat(result.entries())
                    .extracting(InboxBatchResult.Entry::outcome)
                    .containsExactly(
                            InboxBatchResult.Outcome.PROCESSED,
                            InboxBatchResult.Outcome.FAILED,
                            InboxBatchResult.Outcome.PROCESSED);
            assertThat(desk.effects()).isEqualTo(2);
        }
    }

    private static ReceivedMessage message(String id) {
        return ReceivedMessage.from("orders").id(id).build();
    }
}

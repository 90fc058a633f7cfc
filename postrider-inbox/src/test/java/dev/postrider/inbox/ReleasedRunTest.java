package dev.postrider.inbox;

import static dev.postrider.inbox.Desk.CONSUMER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.services.Database.Kind;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** In which order a call handles what is released, and where the next call goes on. */
@Tag("I5")
final class ReleasedRunTest {

    private static final String COLUMNS = "insert into inbox_failure (consumer, message_id, topic, message_key, seq,"
            + " state, reason, attempts, created_at, updated_at, payload) ";

    private final List<String> tried = new ArrayList<>();
    private final ReceivedHandler handler =
            (message, transaction) -> tried.add(message.id().orElseThrow());

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "H2"})
    void limitHoldsForTheMessagesOfOneKey(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            put(desk, "m1", "a", "RELEASED");
            put(desk, "m2", "a", "BEHIND");
            put(desk, "m3", "a", "BEHIND");
            Inbox inbox = desk.inbox().build();

            assertThat(inbox.processReleased(CONSUMER, 2, handler)).isEqualTo(2);
            assertThat(tried).containsExactly("m1", "m2");
            assertThat(inbox.processReleased(CONSUMER, 2, handler)).isEqualTo(1);

            assertThat(tried).containsExactly("m1", "m2", "m3");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "H2"})
    void nextCallGoesOnWithTheKeyThatTheLimitCutOff(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            put(desk, "hot", "hot", "PARKED");
            fill(desk, 2 * ReleasedRun.WINDOW, "'hot'", "BEHIND");
            put(desk, "m1", "a", "RELEASED");
            put(desk, "m2", "a", "BEHIND");
            Inbox inbox = desk.inbox().build();

            assertThat(inbox.processReleased(CONSUMER, 1, handler)).isEqualTo(1);
            assertThat(inbox.processReleased(CONSUMER, 1, handler)).isEqualTo(1);

            assertThat(tried).containsExactly("m1", "m2");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "H2"})
    void duplicateLetsTheNextOfItsKeyGoOnToo(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            put(desk, "hot", "hot", "PARKED");
            fill(desk, 2 * ReleasedRun.WINDOW, "'hot'", "BEHIND");
            put(desk, "m1", "a", "RELEASED");
            put(desk, "m2", "a", "BEHIND");
            desk.execute("insert into inbox_message (consumer, message_id, processed_at)"
                    + " values ('billing', 'm1', current_timestamp)");
            Inbox inbox = desk.inbox().build();

            assertThat(inbox.processReleased(CONSUMER, 1, handler)).isZero();
            assertThat(inbox.processReleased(CONSUMER, 1, handler)).isEqualTo(1);

            assertThat(tried).containsExactly("m2");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "H2"})
    void callReadsOnAsLongAsItHandlesMessages(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            int rows = ReleasedRun.WINDOW + 200;
            fill(desk, rows, "'key-' || %s", "RELEASED");
            Inbox inbox = desk.inbox().build();

            assertThat(inbox.processReleased(CONSUMER, 10, handler)).isEqualTo(10);
            assertThat(inbox.processReleased(CONSUMER, rows, handler))
                    .as("from where the call before ended, over two windows")
                    .isEqualTo(rows - 10);

            assertThat(tried).hasSize(rows).doesNotHaveDuplicates();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "H2"})
    void messageThatFailsAgainKeepsNoOtherFromItsTurn(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            put(desk, "m1", "a", "RELEASED");
            put(desk, "m2", "b", "RELEASED");
            Inbox inbox = desk.inbox().parkAfter(100).build();
            ReceivedHandler failing = (message, transaction) -> {
                handler.handle(message, transaction);
                throw new IllegalStateException("bad");
            };

            inbox.processReleased(CONSUMER, 1, failing);
            inbox.processReleased(CONSUMER, 1, failing);

            assertThat(tried).containsExactly("m1", "m2");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "H2"})
    void messageThatFailsHoldsThoseBehindItInASequence(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            put(desk, "m1", "a", "RELEASED", 1);
            put(desk, "m2", "a", "FAILING", 2);
            put(desk, "m3", "a", "BEHIND", 3);
            Inbox inbox = desk.inbox().dedupe(Dedupe.SEQUENCE).build();

            assertThat(inbox.processReleased(CONSUMER, 10, handler)).isEqualTo(1);

            assertThat(tried).containsExactly("m1");
        }
    }

    private static void put(Desk desk, String id, String key, String state) {
        put(desk, id, key, state, 1);
    }

    private static void put(Desk desk, String id, String key, String state, int sequence) {
        desk.execute(COLUMNS
                + "values ('billing', '%s', 'orders', '%s', %d, '%s', 'FAILED', 1, current_timestamp,"
                        .formatted(id, key, sequence, state)
                + " current_timestamp, null)");
    }

    private static void fill(Desk desk, int rows, String key, String state) {
        boolean h2 = desk.kind() == Kind.H2;
        String column = h2 ? "x" : "n";
        desk.execute(COLUMNS
                + "select 'billing', 'f' || %1$s, 'orders', %2$s, %1$s, '%3$s', 'FAILED', 1,"
                        .formatted(column, key.formatted(column), state)
                + " current_timestamp, current_timestamp, "
                + (h2 ? "null from system_range(1, %d)" : "null::bytea from generate_series(1, %d) n").formatted(rows));
    }
}

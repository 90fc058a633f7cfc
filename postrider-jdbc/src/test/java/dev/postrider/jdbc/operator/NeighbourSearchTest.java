package dev.postrider.jdbc.operator;

import static dev.postrider.jdbc.operator.Desk.keyed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.OutboxMessage;
import dev.postrider.admin.Neighbours;
import dev.postrider.admin.StoredMessage;
import dev.postrider.services.Database.Kind;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What came before and after a message in its key. */
@Tag("R0.6")
final class NeighbourSearchTest {

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void theNearestMessagesOfTheKeyAreFoundInBothDirections(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            OutboxMessage[] m = {keyed("a"), keyed("a"), keyed("b"), keyed("a"), keyed("a"), keyed("b"), keyed("a")};
            OutboxMessage elsewhere =
                    OutboxMessage.to("bills", "Sent").key("a").payload("{}").build();
            desk.enqueue(m[0], m[1], m[2], elsewhere, m[3], m[4], m[5], m[6]);

            Neighbours two = find(desk, m[3], 2);
            Neighbours one = find(desk, m[3], 1);

            assertThat(ids(two.before())).containsExactly(m[0].id(), m[1].id());
            assertThat(ids(two.after())).containsExactly(m[4].id(), m[6].id());
            assertThat(two.allBefore()).isTrue();
            assertThat(two.allAfter()).isTrue();
            assertThat(two.blockedBy()).isNull();
            assertThat(ids(one.before())).containsExactly(m[1].id());
            assertThat(ids(one.after())).containsExactly(m[4].id());
            assertThat(one.allBefore()).isFalse();
            assertThat(one.allAfter()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void theMessageThatBlocksTheKeyIsNamed(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            OutboxMessage[] m = {keyed("a"), keyed("b"), keyed("a")};
            desk.enqueue(m);
            desk.killHolding("broken", m[0]);

            assertThat(find(desk, m[2], 5).blockedBy()).isEqualTo(m[0].id());
            assertThat(find(desk, m[0], 5).blockedBy()).isEqualTo(m[0].id());
            assertThat(find(desk, m[1], 5).blockedBy()).isNull();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void aSearchThatDidNotComeToTheEndSaysSo(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            OutboxMessage far = keyed("a");
            OutboxMessage asked = keyed("a");
            OutboxMessage[] between = Stream.generate(() -> keyed("b")).limit(5).toArray(OutboxMessage[]::new);
            desk.enqueue(far);
            desk.enqueue(between);
            desk.enqueue(asked);
            JdbcDeadMessages desk3 =
                    JdbcDeadMessages.builder(desk.fixture().pool()).step(3).build();

            Neighbours found = desk3.neighbours(asked.id(), 5).orElseThrow();

            assertThat(found.before()).isEmpty();
            assertThat(found.allBefore()).isFalse();
            assertThat(found.allAfter()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "H2"})
    void aMessageWithoutAKeyHasNoNeighboursAndOneThatIsGoneNoAnswer(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            OutboxMessage alone = OutboxMessage.to("orders", "Placed").build();
            desk.enqueue(alone, keyed("a"));

            assertThat(find(desk, alone, 5)).isEqualTo(Neighbours.NONE);
            assertThat(desk.messages().neighbours(new UUID(1, 2), 5)).isEmpty();
        }
    }

    private static Neighbours find(Desk desk, OutboxMessage message, int each) {
        return desk.messages().neighbours(message.id(), each).orElseThrow();
    }

    private static List<UUID> ids(List<StoredMessage> messages) {
        return messages.stream().map(each -> each.message().id()).toList();
    }
}

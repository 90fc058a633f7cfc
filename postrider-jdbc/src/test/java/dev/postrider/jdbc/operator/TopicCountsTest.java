package dev.postrider.jdbc.operator;

import static dev.postrider.jdbc.operator.Desk.keyed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.OutboxMessage;
import dev.postrider.admin.TopicFigures;
import dev.postrider.admin.TopicStats;
import dev.postrider.database.TableNames;
import dev.postrider.jdbc.OutboxDialect;
import dev.postrider.services.Database.Kind;
import dev.postrider.spi.TopicName;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Counts by topic stop where they have looked at enough. */
final class TopicCountsTest {

    private static final TopicName ORDERS = new TopicName("default", "orders");

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void aCountThatDidNotComeToTheEndSaysSo(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            OutboxMessage[] messages =
                    IntStream.range(0, 12).mapToObj(i -> keyed("k" + i)).toArray(OutboxMessage[]::new);
            desk.enqueue(messages);
            desk.kill("never", messages[0], messages[1], messages[2]);

            TopicStats all = count(desk, 100);
            TopicStats some = count(desk, 2);

            assertThat(all.topics()).containsExactly(new TopicFigures(ORDERS, 9, 0, 3));
            assertThat(all.pendingAtLeast()).isFalse();
            assertThat(all.deadAtLeast()).isFalse();
            assertThat(some.topics())
                    .as("the first two are dead, the last two are pending")
                    .containsExactly(new TopicFigures(ORDERS, 2, 0, 2));
            assertThat(some.pendingAtLeast()).isTrue();
            assertThat(some.deadAtLeast()).isTrue();
            assertThat(some.waitingAtLeast()).isFalse();
        }
    }

    private static TopicStats count(Desk desk, int look) {
        return OutboxDialect.transactions(desk.fixture().pool(), TableNames.defaults(), 10)
                .transacted("count", session -> new TopicCounts(session, look).run());
    }
}

package dev.postrider.jdbc.operator;

import static dev.postrider.jdbc.operator.Desk.DECISION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

import dev.postrider.MessageStatus;
import dev.postrider.OutboxMessage;
import dev.postrider.admin.DeadGroup;
import dev.postrider.admin.MessageFilter;
import dev.postrider.admin.Page;
import dev.postrider.services.Database.Kind;
import dev.postrider.spi.TopicName;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A thousand dead messages with three causes are three things to look at. */
@Tag("R0.6")
@Tag("R1.15")
final class DeathGroupsTest {

    private static final MessageFilter ALL = MessageFilter.all();

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void deadMessagesAreGroupedByTopicTypeAndFailureLargestFirst(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            OutboxMessage[] refused = messages("orders", "Placed", 5);
            OutboxMessage[] unnoted = messages("orders", "Placed", 3);
            OutboxMessage[] paid = messages("payments", "Paid", 2);
            OutboxMessage[] alive = messages("orders", "Placed", 4);
            desk.enqueue(refused);
            desk.enqueue(unnoted);
            desk.enqueue(paid);
            desk.enqueue(alive);
            for (OutboxMessage message : refused) {
                desk.kill("refused by 10.0.0.7", message);
                desk.failure(message, "refused");
            }
            desk.kill("strange", unnoted);
            for (OutboxMessage message : unnoted) {
                desk.forgetFailure(message);
            }
            desk.kill("refused by 10.0.0.8", paid);
            for (OutboxMessage message : paid) {
                desk.failure(message, "refused");
            }

            List<DeadGroup> groups = desk.messages().groups(ALL, 10);

            assertThat(groups)
                    .extracting(DeadGroup::topic, DeadGroup::type, DeadGroup::failure, DeadGroup::count)
                    .containsExactly(
                            tuple(new TopicName("default", "orders"), "Placed", "refused", 5L),
                            tuple(new TopicName("default", "orders"), "Placed", DeadGroup.UNKNOWN, 3L),
                            tuple(new TopicName("default", "payments"), "Paid", "refused", 2L));
            assertThat(groups).noneMatch(DeadGroup::atLeast);
            DeadGroup largest = groups.get(0);
            assertThat(largest.first()).isEqualTo(died(desk, refused[0]));
            assertThat(largest.last()).isEqualTo(died(desk, refused[4]));
            assertThat(largest.sample()).isEqualTo(new DeadGroup.Sample(refused[4].id(), "refused by 10.0.0.7"));
            assertThat(desk.messages().groups(ALL, 1)).containsExactly(largest);
            assertThat(desk.messages().groups(ALL.withTopic("payments"), 10)).containsExactly(groups.get(2));
            assertThat(desk.messages().groups(ALL.withErrorText("10.0.0.8"), 10))
                    .containsExactly(groups.get(2));
            assertThat(desk.messages()
                            .search(
                                    ALL.withStatus(MessageStatus.DEAD)
                                            .withFailure(groups.get(1).failure()),
                                    Page.newest(10))
                            .items())
                    .hasSize(3);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void aGroupSaysAtLeastWhenThereAreMoreDeathsThanWereCounted(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            OutboxMessage[] old = messages("orders", "Placed", 6);
            OutboxMessage[] late = messages("payments", "Paid", 3);
            desk.enqueue(old);
            desk.enqueue(late);
            desk.kill("a", old);
            desk.kill("b", late);
            JdbcDeadMessages five =
                    JdbcDeadMessages.builder(desk.fixture().pool()).groupCap(5).build();

            assertThat(five.groups(ALL, 10))
                    .extracting(DeadGroup::type, DeadGroup::count, DeadGroup::atLeast)
                    .containsExactly(tuple("Paid", 3L, true), tuple("Placed", 2L, true));
            assertThat(desk.messages().groups(ALL, 10))
                    .extracting(DeadGroup::type, DeadGroup::count, DeadGroup::atLeast)
                    .containsExactly(tuple("Placed", 6L, false), tuple("Paid", 3L, false));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void whatIsDeadNoLongerIsNoLongerCounted(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            OutboxMessage[] m = messages("orders", "Placed", 2);
            desk.enqueue(m);
            assertThat(desk.messages().groups(ALL, 10)).isEmpty();
            desk.kill("a", m);

            desk.admin().requeue(List.of(m[0].id()), DECISION);
            assertThat(desk.messages().groups(ALL, 10))
                    .singleElement()
                    .extracting(DeadGroup::count)
                    .isEqualTo(1L);
            desk.admin().discard(List.of(m[1].id()), DECISION);

            assertThat(desk.messages().groups(ALL, 10)).isEmpty();
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> desk.messages().groups(ALL, 0));
        }
    }

    private static Instant died(Desk desk, OutboxMessage message) {
        return Objects.requireNonNull(
                desk.admin().find(message.id()).orElseThrow().times().died());
    }

    private static OutboxMessage[] messages(String topic, String type, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> OutboxMessage.to(topic, type).build())
                .toArray(OutboxMessage[]::new);
    }
}

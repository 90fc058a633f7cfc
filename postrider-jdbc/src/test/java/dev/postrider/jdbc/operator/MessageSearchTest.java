package dev.postrider.jdbc.operator;

import static dev.postrider.jdbc.operator.Desk.DECISION;
import static dev.postrider.jdbc.operator.Desk.keyed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.postrider.MessageStatus;
import dev.postrider.OutboxMessage;
import dev.postrider.admin.DeadGroup;
import dev.postrider.admin.MessageFilter;
import dev.postrider.admin.Page;
import dev.postrider.admin.Slice;
import dev.postrider.admin.StoredMessage;
import dev.postrider.services.Database.Kind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Messages are found by what a person knows of them, page by page. */
@Tag("R0.6")
@Tag("R1.15")
final class MessageSearchTest {

    private static final MessageFilter ALL = MessageFilter.all();
    private static final MessageFilter DEAD = ALL.withStatus(MessageStatus.DEAD);

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void everyFieldOfAFilterNarrowsTheSearch(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            OutboxMessage plain = keyed("1");
            OutboxMessage other = OutboxMessage.to("payments", "Paid")
                    .namespace("billing")
                    .key("2")
                    .tenant("acme")
                    .payload("{}")
                    .build();
            OutboxMessage done = OutboxMessage.to("orders", "Shipped").build();
            OutboxMessage busy = keyed("4");
            OutboxMessage waiting = keyed("5");
            desk.enqueue(plain, other, done, busy, waiting);
            desk.kill("Connection refused", other);
            desk.deliver(done);
            desk.claim(busy);
            desk.failure(other, "java.net.ConnectException at Broker.send");

            assertThat(find(desk, ALL)).containsExactly(ids(waiting, busy, done, other, plain));
            assertThat(find(desk, ALL.withStatus(MessageStatus.PENDING))).containsExactly(ids(waiting, plain));
            assertThat(find(desk, ALL.withStatus(MessageStatus.CLAIMED))).containsExactly(ids(busy));
            assertThat(find(desk, ALL.withStatus(MessageStatus.DELIVERED))).containsExactly(ids(done));
            assertThat(find(desk, DEAD)).containsExactly(ids(other));
            assertThat(find(desk, ALL.withNamespace("billing"))).containsExactly(ids(other));
            assertThat(find(desk, ALL.withTopic("payments"))).containsExactly(ids(other));
            assertThat(find(desk, ALL.withType("Shipped"))).containsExactly(ids(done));
            assertThat(find(desk, ALL.withType("shipped"))).isEmpty();
            assertThat(find(desk, ALL.withKey("4"))).containsExactly(ids(busy));
            assertThat(find(desk, ALL.withTenant("acme"))).containsExactly(ids(other));
            assertThat(find(desk, ALL.withFailure("java.net.ConnectException at Broker.send")))
                    .containsExactly(ids(other));
            assertThat(find(desk, ALL.withFailure("java.net"))).isEmpty();
            assertThat(find(desk, DEAD.withFailure(DeadGroup.UNKNOWN))).isEmpty();
            assertThat(find(desk, ALL.withErrorText("REFUSED"))).containsExactly(ids(other));
            assertThat(find(desk, DEAD.withNamespace("billing").withKey("2").withErrorText("connection")))
                    .containsExactly(ids(other));
            assertThat(find(desk, DEAD.withNamespace("billing").withKey("1"))).isEmpty();
            assertThat(find(desk, DEAD.withTopic("orders"))).isEmpty();
            assertThat(find(desk, ALL.withAttemptsFrom(1))).containsExactly(ids(done, other));
            assertThat(find(desk, ALL.withAttemptsFrom(2))).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void aPartOfTheErrorIsMeantLiterallyAndInAnyCase(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            List<String> errors = List.of(
                    "100% full",
                    "100 of 7 full", "user_id is null", "userXid is null", "Stop! Now", "C:\\temp\\x", "It's");
            OutboxMessage[] messages =
                    errors.stream().map(error -> keyed(error)).toArray(OutboxMessage[]::new);
            desk.enqueue(messages);
            for (int i = 0; i < messages.length; i++) {
                desk.kill(errors.get(i), messages[i]);
            }

            assertThat(find(desk, DEAD.withErrorText("100% F"))).containsExactly(ids(messages[0]));
            assertThat(find(desk, DEAD.withErrorText("%"))).containsExactly(ids(messages[0]));
            assertThat(find(desk, DEAD.withErrorText("USER_ID"))).containsExactly(ids(messages[2]));
            assertThat(find(desk, DEAD.withErrorText("stop!"))).containsExactly(ids(messages[4]));
            assertThat(find(desk, DEAD.withErrorText(":\\TEMP\\"))).containsExactly(ids(messages[5]));
            assertThat(find(desk, DEAD.withErrorText("it's"))).containsExactly(ids(messages[6]));
            assertThat(find(desk, DEAD.withErrorText("full"))).containsExactly(ids(messages[1], messages[0]));
            assertThat(find(desk, DEAD.withErrorText("' or 1 = 1 --"))).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void timesAreExactToTheMicrosecondFromInclusiveAndBeforeExclusive(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            OutboxMessage[] m = {keyed("1"), keyed("2"), keyed("3")};
            List<StoredMessage> stored = new ArrayList<>();
            for (OutboxMessage message : m) {
                desk.enqueue(message);
                desk.kill("never", message);
                StoredMessage dead = desk.admin().find(message.id()).orElseThrow();
                stored.add(dead);
                desk.await(() -> laterThan(desk, died(dead)));
            }
            Instant created = stored.get(1).times().created();
            Instant died = died(stored.get(1));

            assertThat(find(desk, ALL.withTopic("orders").withCreatedFrom(created)))
                    .containsExactly(ids(m[2], m[1]));
            assertThat(find(desk, ALL.withTopic("orders").withCreatedBefore(created)))
                    .containsExactly(ids(m[0]));
            assertThat(find(desk, DEAD.withDiedFrom(died))).containsExactly(ids(m[2], m[1]));
            assertThat(find(desk, DEAD.withDiedBefore(died))).containsExactly(ids(m[0]));
            assertThat(find(desk, DEAD.withDiedFrom(died.plusNanos(1)))).containsExactly(ids(m[2]));
            assertThat(find(desk, DEAD.withDiedBefore(died.plusNanos(1)))).containsExactly(ids(m[1], m[0]));
            assertThat(find(desk, ALL.withDiedFrom(died).withDiedBefore(died.plusNanos(1_000))))
                    .containsExactly(ids(m[1]));
            assertThat(find(desk, ALL.withStatus(MessageStatus.PENDING).withDiedFrom(died)))
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void pagesShowEverythingOnceInBothOrdersHoweverSmallTheSteps(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            OutboxMessage[] messages = IntStream.range(0, 60)
                    .mapToObj(i -> keyed(i % 3 == 0 ? "hot" : "" + i))
                    .toArray(OutboxMessage[]::new);
            desk.enqueue(messages);
            // Twenty at once, so that many deaths have the same time.
            desk.kill("a", Arrays.copyOfRange(messages, 20, 40));
            desk.kill("b", Arrays.copyOfRange(messages, 0, 20));
            List<UUID> dead = new ArrayList<>(list(Arrays.copyOfRange(messages, 20, 40)));
            dead.addAll(list(Arrays.copyOfRange(messages, 0, 20)));
            List<UUID> hot =
                    IntStream.range(0, 20).mapToObj(i -> messages[i * 3].id()).toList();

            for (int step : new int[] {1, 7, 1_000}) {
                for (int limit : new int[] {3, 20}) {
                    if (step == 1 && limit > 3) {
                        continue;
                    }
                    assertThat(pages(desk, DEAD, Page.oldest(limit), step)).isEqualTo(dead);
                    assertThat(pages(desk, DEAD, Page.newest(limit), step)).isEqualTo(reversed(dead));
                    assertThat(pages(desk, ALL.withKey("hot"), Page.oldest(limit), step))
                            .isEqualTo(hot);
                    assertThat(pages(desk, ALL.withKey("hot"), Page.newest(limit), step))
                            .isEqualTo(reversed(hot));
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void aPageReadsABoundedNumberOfRowsAndTellsWhereToGoOn(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            OutboxMessage[] messages =
                    IntStream.range(0, 30).mapToObj(i -> keyed("" + i)).toArray(OutboxMessage[]::new);
            desk.enqueue(messages);
            JdbcDeadMessages messagesOfTen =
                    JdbcDeadMessages.builder(desk.fixture().pool()).step(10).build();
            MessageFilter last = ALL.withKey("29");

            Slice<StoredMessage> first = messagesOfTen.search(last, Page.oldest(5));
            Slice<StoredMessage> second =
                    messagesOfTen.search(last, Page.oldest(5).after(first.next().orElseThrow()));
            Slice<StoredMessage> third = messagesOfTen.search(
                    last, Page.oldest(5).after(second.next().orElseThrow()));

            assertThat(first.items()).isEmpty();
            assertThat(second.items()).isEmpty();
            assertThat(third.items()).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void whatChangesBetweenTwoPagesIsNeitherShownTwiceNorHidesOthers(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            OutboxMessage[] messages =
                    IntStream.range(0, 12).mapToObj(i -> keyed("" + i)).toArray(OutboxMessage[]::new);
            desk.enqueue(messages);
            for (OutboxMessage message : Arrays.copyOf(messages, 10)) {
                desk.kill("never", message);
            }
            JdbcDeadMessages search = desk.messages();

            Slice<StoredMessage> first = search.search(DEAD, Page.newest(4));
            // The last one shown and one not yet shown are requeued, one shown is discarded, one dies.
            desk.admin().requeue(List.of(messages[6].id(), messages[3].id()), DECISION);
            desk.admin().discard(List.of(messages[8].id()), DECISION);
            desk.kill("never", messages[11]);
            Slice<StoredMessage> second =
                    search.search(DEAD, Page.newest(4).after(first.next().orElseThrow()));
            Slice<StoredMessage> third =
                    search.search(DEAD, Page.newest(4).after(second.next().orElseThrow()));

            assertThat(ids(first)).containsExactly(ids(messages[9], messages[8], messages[7], messages[6]));
            assertThat(ids(second)).containsExactly(ids(messages[5], messages[4], messages[2], messages[1]));
            assertThat(ids(third)).containsExactly(ids(messages[0]));
            assertThat(third.next()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void aPageOfLargeMessagesIsCutShortInsteadOfFillingTheMemory(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            OutboxMessage[] large = IntStream.range(0, 20)
                    .mapToObj(i -> OutboxMessage.to("orders", "Large")
                            .payload(new byte[1_000_000])
                            .build())
                    .toArray(OutboxMessage[]::new);
            for (OutboxMessage message : large) {
                desk.enqueue(message);
            }

            Slice<StoredMessage> first = desk.messages().search(ALL, Page.oldest(20));
            Slice<StoredMessage> second = desk.messages()
                    .search(ALL, Page.oldest(20).after(first.next().orElseThrow()));

            assertThat(first.items()).hasSize(16);
            assertThat(second.items()).hasSize(4);
            Set<UUID> seen = new HashSet<>(ids(first));
            seen.addAll(ids(second));
            assertThat(seen).hasSize(20);
        }
    }

    @Test
    void aLimitIsFromOneToAThousand() {
        assertThatIllegalArgumentException().isThrownBy(() -> Page.newest(0)).withMessageContaining("0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Page.oldest(1_001))
                .withMessageContaining("1001");
    }

    private static List<UUID> pages(Desk desk, MessageFilter filter, Page first, int step) {
        JdbcDeadMessages messages =
                JdbcDeadMessages.builder(desk.fixture().pool()).step(step).build();
        Slice<StoredMessage> slice = messages.search(filter, first);
        List<UUID> all = new ArrayList<>(ids(slice));
        while (slice.next().isPresent()) {
            slice = messages.search(filter, first.after(slice.next().get()));
            assertThat(slice.items()).hasSizeLessThanOrEqualTo(first.limit());
            all.addAll(ids(slice));
        }
        return all;
    }

    private static List<UUID> find(Desk desk, MessageFilter filter) {
        return ids(desk.messages().search(filter, Page.newest(100)));
    }

    private static Instant died(StoredMessage message) {
        return Objects.requireNonNull(message.times().died());
    }

    private static boolean laterThan(Desk desk, Instant time) {
        OutboxMessage probe = OutboxMessage.to("probe", "Probe").build();
        desk.enqueue(probe);
        return desk.admin().find(probe.id()).orElseThrow().times().created().isAfter(time);
    }

    private static List<UUID> ids(Slice<StoredMessage> slice) {
        return slice.items().stream().map(each -> each.message().id()).toList();
    }

    private static List<UUID> list(OutboxMessage[] messages) {
        return Arrays.stream(messages).map(OutboxMessage::id).toList();
    }

    private static UUID[] ids(OutboxMessage... messages) {
        return Arrays.stream(messages).map(OutboxMessage::id).toArray(UUID[]::new);
    }

    private static List<UUID> reversed(List<UUID> ids) {
        List<UUID> reversed = new ArrayList<>(ids);
        Collections.reverse(reversed);
        return reversed;
    }
}

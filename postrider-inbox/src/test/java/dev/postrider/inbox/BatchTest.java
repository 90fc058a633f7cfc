package dev.postrider.inbox;

import static dev.postrider.inbox.Desk.CONSUMER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.inbox.InboxBatchResult.Entry;
import dev.postrider.inbox.InboxBatchResult.Outcome;
import dev.postrider.services.Database.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Many messages at once. */
@Tag("R0.7")
@Tag("B5")
@Tag("I8")
final class BatchTest {

    private static final InboxBatchHandler EFFECTS = (messages, transaction) -> {
        for (ReceivedMessage each : messages) {
            Desk.insertEffect(transaction.connection(), each.id().orElseThrow(), CONSUMER);
        }
    };

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void theHandlerGetsExactlyWhatIsNotStoredInTheOrderInWhichItCame(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Inbox inbox = desk.inbox().build();
            inbox.processBatch(CONSUMER, messages("m3", "m1"), EFFECTS);
            List<List<String>> given = new ArrayList<>();

            InboxBatchResult result = inbox.processBatch(
                    CONSUMER, messages("m5", "m3", "m4", "m1", "m5", "m2"), (messages, transaction) -> {
                        given.add(messages.stream()
                                .map(each -> each.id().orElseThrow())
                                .toList());
                        EFFECTS.handle(messages, transaction);
                    });

            assertThat(given).containsExactly(List.of("m5", "m4", "m2"));
            assertThat(outcomes(result))
                    .containsExactly(
                            Outcome.PROCESSED,
                            Outcome.DUPLICATE,
                            Outcome.PROCESSED,
                            Outcome.DUPLICATE,
                            Outcome.DUPLICATE,
                            Outcome.PROCESSED);
            assertThat(result.firstUnacknowledged()).isEmpty();
            assertThat(desk.effects()).isEqualTo(5);
            assertThat(desk.marks()).isEqualTo(5);
            assertThat(outcomes(inbox.processBatch(CONSUMER, messages("m1", "m2"), EFFECTS)))
                    .containsOnly(Outcome.DUPLICATE);
            assertThat(inbox.processBatch(CONSUMER, List.of(), EFFECTS).entries())
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void batchesWithTheSameIdsInOtherOrdersNeverBlockEachOtherForGood(Kind kind) throws Exception {
        int ids = 60;
        AtomicInteger repeats = new AtomicInteger();
        AtomicInteger processed = new AtomicInteger();
        InboxListener listener = new InboxListener() {
            @Override
            public void repeated(String consumer) {
                repeats.incrementAndGet();
            }

            @Override
            public void processed(String consumer, int messages, Duration took) {
                processed.addAndGet(messages);
            }
        };
        try (Desk desk = Desk.open(kind);
                Threads threads = new Threads()) {
            Inbox inbox = desk.inbox().listener(listener).build();
            for (int round = 0; round < 5; round++) {
                String prefix = "round-" + round + "-";
                List<Future<InboxBatchResult>> work = new ArrayList<>();
                for (int thread = 0; thread < 4; thread++) {
                    List<ReceivedMessage> batch = new ArrayList<>(messages(
                            IntStream.range(0, ids).mapToObj(i -> prefix + i).toArray(String[]::new)));
                    Collections.shuffle(batch, new Random(thread));
                    work.add(threads.start(() -> inbox.processBatch(CONSUMER, batch, EFFECTS)));
                }
                for (Future<InboxBatchResult> each : work) {
                    assertThat(Threads.result(each).firstUnacknowledged()).isEmpty();
                }
                assertThat(desk.count("effect where message_id like '" + prefix + "%'"))
                        .isEqualTo(ids);
            }
            assertThat(repeats).as("conflicts").hasValue(0);
            assertThat(processed).hasValue(5 * ids);
            assertThat(desk.count("(select distinct message_id from effect) e")).isEqualTo(5L * ids);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void aBadMessageNeitherTakesItsNeighboursDownNorIsAcknowledgedWithThem(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Inbox inbox = desk.inbox().parkAfter(2).build();
            List<ReceivedMessage> batch =
                    List.of(of("m1", "a"), of("m2", "b"), of("bad", "a"), of("m3", "a"), of("m4", "b"), of("m5", null));
            InboxBatchHandler handler = (messages, transaction) -> {
                EFFECTS.handle(messages, transaction);
                if (messages.stream().anyMatch(each -> each.id().orElseThrow().equals("bad"))) {
                    throw new IllegalStateException("bad");
                }
            };

            InboxBatchResult first = inbox.processBatch(CONSUMER, batch, handler);

            assertThat(outcomes(first))
                    .containsExactly(
                            Outcome.PROCESSED,
                            Outcome.PROCESSED,
                            Outcome.FAILED,
                            Outcome.HELD_BACK,
                            Outcome.PROCESSED,
                            Outcome.PROCESSED);
            assertThat(first.firstUnacknowledged()).hasValue(2);
            assertThat(first.entries().get(2).failure()).isNotNull().hasRootCauseMessage("bad");
            assertThat(desk.effects()).isEqualTo(4);

            InboxBatchResult second = inbox.processBatch(CONSUMER, batch, handler);

            assertThat(outcomes(second))
                    .containsExactly(
                            Outcome.DUPLICATE,
                            Outcome.DUPLICATE,
                            Outcome.PARKED,
                            Outcome.PARKED,
                            Outcome.DUPLICATE,
                            Outcome.DUPLICATE);
            assertThat(second.firstUnacknowledged()).isEmpty();
            assertThat(desk.effects()).isEqualTo(4);
            assertThat(desk.count("effect where message_id = 'bad'")).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("I10")
    void aBatchHandlesNothingOfAKeyThatIsHeld(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Inbox inbox = desk.inbox().parkAfter(1).build();
            inbox.process(of("a1", "a"), CONSUMER, transaction -> {
                throw new IllegalStateException("bad");
            });
            ReceivedMessage withoutId =
                    ReceivedMessage.from("orders").key("c").source("orders-0@9").build();

            InboxBatchResult result = inbox.processBatch(
                    CONSUMER, List.of(of("a2", "a"), of("b1", "b"), withoutId, of("c2", "c"), of("a1", "a")), EFFECTS);

            assertThat(outcomes(result))
                    .containsExactly(Outcome.PARKED, Outcome.PROCESSED, Outcome.PARKED, Outcome.PARKED, Outcome.PARKED);
            assertThat(desk.effects()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("I7")
    void aBatchWhoseTransactionEndedBehindTheInboxIsDoneAgain(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Inbox inbox = desk.inbox().build();

            InboxBatchResult result =
                    inbox.processBatch(CONSUMER, messages("m1", "m2", "m3"), (messages, transaction) -> {
                        if (messages.size() > 1) {
                            try (var statement = transaction.connection().createStatement()) {
                                statement.execute("rollback");
                            }
                        } else {
                            EFFECTS.handle(messages, transaction);
                        }
                    });

            assertThat(outcomes(result)).containsOnly(Outcome.PROCESSED);
            assertThat(desk.effects()).isEqualTo(3);
            assertThat(desk.marks()).isEqualTo(3);
        }
    }

    private static List<Outcome> outcomes(InboxBatchResult result) {
        return result.entries().stream().map(Entry::outcome).toList();
    }

    private static List<ReceivedMessage> messages(String... ids) {
        return Stream.of(ids).map(id -> of(id, null)).toList();
    }

    private static ReceivedMessage of(String id, @Nullable String key) {
        return ReceivedMessage.from("orders")
                .id(id)
                .key(key)
                .source("orders-0@1")
                .build();
    }
}

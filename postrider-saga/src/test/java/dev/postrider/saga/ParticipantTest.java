package dev.postrider.saga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.OutboxMessage;
import dev.postrider.inbox.InboxResult;
import dev.postrider.inbox.InboxTransaction;
import dev.postrider.inbox.JdbcInbox;
import dev.postrider.inbox.ReceivedMessage;
import dev.postrider.jdbc.JdbcOutbox;
import dev.postrider.saga.ParticipantBench.Move;
import dev.postrider.services.Database.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever order commands come in, an action has run and is undone, or has run and stays, or has never run. */
@Tag("R0.1")
@Tag("D7")
final class ParticipantTest {

    private static final int PATIENCE_SECONDS = 120;

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void everyOrderOfActionCompensationAndTheirCopiesEndsWell(Kind kind) {
        try (SagaFixture fixture = SagaFixture.create(kind)) {
            ParticipantBench parts = new ParticipantBench(fixture);
            Participant participant = parts.participant();
            for (List<Move> order : orders(EnumSet.allOf(Move.class))) {
                UUID saga = SagaFixture.nextId();

                for (Move move : order) {
                    parts.deliver(participant, parts.command(saga, move));
                }

                assertThat(parts.effects(saga)).as("%s", order).isEqualTo(expectedEffects(order));
                assertThat(parts.answers(saga)).as("%s", order).isEqualTo(expectedAnswers(order));
            }
        }
    }

    private static String expectedEffects(List<Move> order) {
        int action = first(order, false);
        int compensation = first(order, true);
        if (action == order.size() || compensation < action) {
            return "";
        }
        return compensation == order.size() ? "reserved" : "reserved, released";
    }

    private static List<String> expectedAnswers(List<Move> order) {
        boolean ran = !expectedEffects(order).isEmpty();
        List<String> answers = new ArrayList<>();
        for (Move move : order) {
            if (move.compensates()) {
                answers.add(ran ? "released DONE" : "saga.nothing-to-undo NOTHING_TO_UNDO");
            } else {
                answers.add(ran ? "reserved DONE" : "saga.superseded SUPERSEDED");
            }
        }
        return answers;
    }

    private static int first(List<Move> order, boolean compensates) {
        for (int i = 0; i < order.size(); i++) {
            if (order.get(i).compensates() == compensates) {
                return i;
            }
        }
        return order.size();
    }

    /** Returns every order of every choice of moves. */
    private static List<List<Move>> orders(Set<Move> moves) {
        List<List<Move>> orders = new ArrayList<>(List.of(List.of()));
        for (int i = 0; i < orders.size(); i++) {
            for (Move move : moves) {
                if (!orders.get(i).contains(move)) {
                    List<Move> longer = new ArrayList<>(orders.get(i));
                    longer.add(move);
                    orders.add(longer);
                }
            }
        }
        return orders;
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void whatComesAtTheSameTimeEndsWellAlthoughHandlersFail(Kind kind) throws Exception {
        try (SagaFixture fixture = SagaFixture.create(kind)) {
            ParticipantBench parts = new ParticipantBench(fixture);
            Participant participant = parts.flakyParticipant(new Random(5));
            List<UUID> sagas = new ArrayList<>();
            List<ReceivedMessage> commands = new ArrayList<>();
            for (int i = 0; i < 25; i++) {
                UUID saga = SagaFixture.nextId();
                sagas.add(saga);
                List<Move> moves = new ArrayList<>(EnumSet.allOf(Move.class));
                Collections.shuffle(moves, new Random(i));
                moves.forEach(move -> commands.add(parts.command(saga, move)));
            }

            deliverTogether(parts, participant, commands);

            for (UUID saga : sagas) {
                assertThat(parts.effects(saga)).isIn("", "reserved, released");
                boolean ran = !parts.effects(saga).isEmpty();
                assertThat(parts.answers(saga))
                        .containsExactlyInAnyOrderElementsOf(
                                ran
                                        ? List.of("reserved DONE", "reserved DONE", "released DONE", "released DONE")
                                        : List.of(
                                                "saga.superseded SUPERSEDED",
                                                "saga.superseded SUPERSEDED",
                                                "saga.nothing-to-undo NOTHING_TO_UNDO",
                                                "saga.nothing-to-undo NOTHING_TO_UNDO"));
            }
        }
    }

    private static void deliverTogether(ParticipantBench parts, Participant participant, List<ReceivedMessage> commands)
            throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(4);
        AtomicInteger next = new AtomicInteger();
        List<Future<?>> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            threads.add(executor.submit(() -> {
                for (int at = next.getAndIncrement(); at < commands.size(); at = next.getAndIncrement()) {
                    parts.deliver(participant, commands.get(at));
                }
            }));
        }
        executor.shutdown();
        for (Future<?> thread : threads) {
            thread.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void aCompensationWaitsForTheActionThatIsUnderWay(Kind kind) throws Exception {
        try (SagaFixture fixture = SagaFixture.create(kind)) {
            ParticipantBench parts = new ParticipantBench(fixture);
            UUID saga = SagaFixture.nextId();
            ExecutorService executor = Executors.newSingleThreadExecutor();
            List<Future<?>> compensation = new ArrayList<>();
            Participant slow = parts.participant((command, transaction) -> {
                Answer answer = parts.reserve(command, transaction);
                compensation.add(executor.submit(
                        () -> parts.deliver(parts.participant(), parts.command(saga, Move.COMPENSATION))));
                // It has to wait, so that this never ends early.
                assertThatThrownBy(() -> compensation.get(0).get(300, TimeUnit.MILLISECONDS))
                        .isInstanceOf(TimeoutException.class);
                return answer;
            });

            parts.deliver(slow, parts.command(saga, Move.ACTION));
            compensation.get(0).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            executor.shutdown();

            assertThat(parts.effects(saga)).isEqualTo("reserved, released");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void whatWasRefusedIsAnsweredAgainButMayBeAskedAgainAndHasNothingToUndo(Kind kind) {
        try (SagaFixture fixture = SagaFixture.create(kind)) {
            ParticipantBench parts = new ParticipantBench(fixture);
            AtomicInteger asked = new AtomicInteger();
            Participant participant = parts.participant((command, transaction) -> {
                asked.incrementAndGet();
                return Answer.refused("sold-out").json("{\"left\":0}");
            });
            UUID saga = SagaFixture.nextId();

            parts.deliver(participant, parts.command(saga, Move.ACTION));
            parts.deliver(participant, parts.command(saga, Move.ACTION_COPY));
            assertThat(asked).hasValue(1);
            parts.deliver(participant, parts.command(saga, Move.ACTION, "another-command"));
            assertThat(asked).hasValue(2);
            parts.deliver(participant, parts.command(saga, Move.COMPENSATION));
            parts.deliver(participant, parts.command(saga, Move.ACTION, "a-late-command"));

            assertThat(asked).hasValue(2);
            assertThat(parts.effects(saga)).isEmpty();
            assertThat(parts.answers(saga))
                    .containsExactly(
                            "sold-out REFUSED",
                            "sold-out REFUSED",
                            "sold-out REFUSED",
                            "saga.nothing-to-undo NOTHING_TO_UNDO",
                            "saga.superseded SUPERSEDED");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void theReplyNamesSagaStepAndCommandAndSaysTheSameEachTime(Kind kind) {
        try (SagaFixture fixture = SagaFixture.create(kind)) {
            ParticipantBench parts = new ParticipantBench(fixture);
            byte[] payload = {0, 1, (byte) 0xff};
            Participant participant = parts.participant(
                    (command, transaction) -> Answer.done("reserved").payload(payload, "application/x-thing"));
            UUID saga = SagaFixture.nextId();

            parts.deliver(participant, parts.command(saga, Move.ACTION));
            parts.deliver(participant, parts.command(saga, Move.ACTION_COPY));

            assertThat(parts.replies(saga)).hasSize(2).allSatisfy(reply -> {
                assertThat(reply.topic()).isEqualTo("order-replies");
                assertThat(reply.contentType()).isEqualTo("application/x-thing");
                assertThat(reply.payload()).isEqualTo(payload);
                assertThat(reply.key()).hasValue("order-1");
                assertThat(reply.headers())
                        .containsEntry("saga-id", saga.toString())
                        .containsEntry("saga-step", "reserve")
                        .containsEntry("command-id", "reserve-" + saga)
                        .containsEntry("in-reply-to", "reserve-" + saga);
            });
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void aMessageThatComesTwiceIsAnsweredOnce(Kind kind) {
        try (SagaFixture fixture = SagaFixture.create(kind)) {
            ParticipantBench parts = new ParticipantBench(fixture);
            UUID saga = SagaFixture.nextId();
            ReceivedMessage command = parts.command(saga, Move.ACTION);

            assertThat(parts.deliver(parts.participant(), command)).isFalse();
            assertThat(parts.deliver(parts.participant(), command)).isTrue();

            assertThat(parts.effects(saga)).isEqualTo("reserved");
            assertThat(parts.answers(saga)).containsExactly("reserved DONE");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void aCommandThatNamesATopicWhichIsNotAllowedIsParkedWithTheReason(Kind kind) {
        try (SagaFixture fixture = SagaFixture.create(kind)) {
            ParticipantBench parts = new ParticipantBench(fixture);
            JdbcInbox inbox = JdbcInbox.builder(fixture.pool())
                    .outbox(JdbcOutbox.create())
                    .parkAfter(1)
                    .build();
            UUID saga = SagaFixture.nextId();
            ReceivedMessage command = parts.replyingTo("salaries\u0001", parts.command(saga, Move.ACTION));

            InboxResult<Boolean> result = inbox.process(command, "stock", transaction -> {
                parts.participant().handle(command, transaction);
                return true;
            });

            assertThat(result).isInstanceOf(InboxResult.Parked.class);
            assertThat(fixture.texts("select error from inbox_failure"))
                    .singleElement()
                    .asString()
                    .contains("may not answer to the topic 'salaries?'", "replyTopics");
            assertThat(parts.effects(saga)).isEmpty();
            assertThat(parts.replies(saga)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void aCommandIsAnsweredWhereItAsksIfThatTopicIsAllowed(Kind kind) {
        try (SagaFixture fixture = SagaFixture.create(kind)) {
            ParticipantBench parts = new ParticipantBench(fixture);
            Participant participant = Participant.builder("stock")
                    .on("reserve", ParticipantTest::reserved)
                    .replyTo("order-replies")
                    .replyTopics("return-replies", "gift-replies")
                    .build();
            UUID saga = SagaFixture.nextId();

            for (String topic : List.of("gift-replies", "order-replies", "return-replies")) {
                parts.deliver(participant, parts.replyingTo(topic, parts.command(saga, Move.ACTION)));
            }

            assertThat(parts.replies(saga))
                    .extracting(OutboxMessage::topic)
                    .containsExactly("gift-replies", "order-replies", "return-replies");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"H2"})
    void aMessageThatIsNoCommandIsRefusedAndSaysWhatIsMissing(Kind kind) {
        try (SagaFixture fixture = SagaFixture.create(kind)) {
            ParticipantBench parts = new ParticipantBench(fixture);
            Participant participant = parts.participant();
            ReceivedMessage unknown =
                    ReceivedMessage.from("stock").id("m-1").type("paint").build();
            ReceivedMessage bare =
                    ReceivedMessage.from("stock").id("m-2").type("reserve").build();

            assertThatThrownBy(() -> parts.deliver(participant, unknown))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("no handler");
            assertThatThrownBy(() -> parts.deliver(participant, bare))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("command-id");
            assertThatThrownBy(() -> Participant.builder("p")
                            .on("a", ParticipantTest::reserved)
                            .compensate("a", ParticipantTest::reserved))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'a'");
            assertThatThrownBy(() -> Participant.builder("p").build()).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> Participant.builder("p")
                            .on("a", ParticipantTest::reserved)
                            .build())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("replyTopics");
            assertThatThrownBy(() -> Participant.builder("p").replyTopics("a", " "))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("blank");
            assertThatThrownBy(() -> Participant.builder("")).isInstanceOf(IllegalArgumentException.class);
        }
    }

    private static Answer reserved(ReceivedMessage command, InboxTransaction transaction) {
        return Answer.done("reserved");
    }
}

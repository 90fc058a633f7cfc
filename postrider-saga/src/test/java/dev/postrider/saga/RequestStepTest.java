package dev.postrider.saga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.admin.Decision;
import dev.postrider.database.Faults;
import dev.postrider.services.Database.Kind;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Steps that ask by a command and wait for the reply. */
@Tag("B4")
final class RequestStepTest {

    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration SHORT = Duration.ofMillis(50);

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("D6")
    void oneReplyIsAcceptedAndAllOthersChangeNothing(Kind kind) throws SQLException {
        try (World world = World.create(kind)) {
            DurableSagaDefinition<String> saga = Trip.define()
                    .step("a", Trip.step("a"))
                    .request("r", Trip.request("r"))
                    .step("z", Trip.step("z"))
                    .build();
            List<Reply> late = new ArrayList<>();
            SagaEngine engine = world.engine(saga)
                    .listener(new SagaListener() {
                        @Override
                        public void lateReply(Reply reply) {
                            late.add(reply);
                        }
                    })
                    .build();
            SagaHandle<String> handle = engine.saga(saga).start("k", "k ");
            engine.turn();
            assertThat(handle.result().status()).isEqualTo(SagaStatus.WAITING);
            String command = command(world, "r", Direction.FORWARD);
            assertThat(world.topics()).containsExactly("a", "ask");
            assertThat(world.strings("select headers from outbox_message where topic = 'ask'"))
                    .singleElement()
                    .asString()
                    .contains("saga-id", handle.sagaId().toString(), "saga-step", "command-id", command);
            List<String> before = rows(world);

            assertThat(reply(world, engine, handle, "what", command, "")).isFalse();
            assertThat(reply(world, engine, handle, "yes", UUID.randomUUID().toString(), ""))
                    .isFalse();
            assertThat(reply(world, engine, handle, "yes", "' or 1=1 --", "")).isFalse();
            assertThat(rows(world)).isEqualTo(before);
            assertThat(engine.turn()).isZero();
            assertThat(reply(world, engine, handle, "yes", command, "!")).isTrue();
            assertThat(reply(world, engine, handle, "yes", command, "?")).isFalse();
            assertThat(reply(world, engine, handle, "no", command, "?")).isFalse();

            assertThat(World.drive(engine::turn, handle).orThrow()).isEqualTo("k ar!z");
            assertThat(reply(world, engine, handle, "no", command, "?")).isFalse();
            assertThat(handle.result().orThrow()).isEqualTo("k ar!z");
            assertThat(late).hasSize(6);
            assertThat(world.strings("select action from saga_audit"))
                    .hasSize(6)
                    .containsOnly("LATE_REPLY");
            assertThat(world.effects()).containsExactly("k a", "k z");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("D2")
    void aReplyThatSaysNoTurnsTheSagaBackWithoutUndoingWhatNeverHappened(Kind kind) throws SQLException {
        try (World world = World.create(kind)) {
            DurableSagaDefinition<String> saga = Trip.define()
                    .step("a", Trip.step("a"))
                    .request("r", Trip.request("r"))
                    .build();
            SagaEngine engine = world.engine(saga).build();
            SagaHandle<String> handle = engine.saga(saga).start("k", "k ");
            engine.turn();

            assertThat(reply(world, engine, handle, "no", command(world, "r", Direction.FORWARD), ""))
                    .isTrue();
            SagaResult<String> result = World.drive(engine::turn, handle);

            assertThat(result).isInstanceOf(SagaResult.Compensated.class);
            assertThat(result.failure()).contains(new SagaFailure("r", Reasons.REFUSED, "The reply was no"));
            assertThat(world.topics()).containsExactly("a", "ask", "undo-a");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("D2")
    @Tag("D6")
    @Tag("D8")
    void silenceUndoesTheRequestAndWaitsForTheConfirmation(Kind kind) throws SQLException {
        try (World world = World.create(kind)) {
            DurableSagaDefinition<String> saga = Trip.define()
                    .step("a", Trip.step("a"))
                    .request("r", Trip.request("r").andThen(step -> step.replyWithin(SHORT, OnTimeout.COMPENSATE)))
                    .build();
            SagaEngine engine = world.engine(saga).build();
            SagaHandle<String> handle = engine.saga(saga).start("k", "k ");
            World.drive(engine::turn, handle, SagaStatus.COMPENSATING);
            String asked = command(world, "r", Direction.FORWARD);
            World.drive(
                    engine::turn,
                    () -> !commands(world, "r", Direction.COMPENSATION).isEmpty());
            String undo = command(world, "r", Direction.COMPENSATION);
            assertThat(world.effects())
                    .as("earlier steps wait for the confirmation")
                    .containsExactly("k a");

            assertThat(reply(world, engine, handle, "yes", asked, ""))
                    .as("too late")
                    .isFalse();
            assertThat(reply(world, engine, handle, "whatever", undo, "")).isTrue();
            SagaResult<String> result = World.drive(engine::turn, handle);

            assertThat(result).isInstanceOf(SagaResult.Compensated.class);
            assertThat(result.failure().orElseThrow().type()).isEqualTo(Reasons.REPLY_OVERDUE);
            assertThat(world.effects()).containsExactly("k a", "k undo a");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("D6")
    @Tag("D8")
    void aCommandSentAgainIsAnotherMessageWithTheSameCommandId(Kind kind) throws SQLException {
        try (World world = World.create(kind)) {
            DurableSagaDefinition<String> saga = Trip.define()
                    .request("r", Trip.request("r").andThen(step -> step.replyWithin(SHORT, OnTimeout.RESEND)))
                    .build();
            SagaEngine engine = world.engine(saga).build();
            SagaHandle<String> handle = engine.saga(saga).start("k", "k ");
            engine.turn();
            String command = command(world, "r", Direction.FORWARD);
            World.drive(engine::turn, () -> world.topics().size() == 2);

            assertThat(Set.copyOf(world.messageIds())).hasSize(2);
            assertThat(world.strings("select headers from outbox_message")).allMatch(each -> each.contains(command));
            assertThat(command(world, "r", Direction.FORWARD)).isEqualTo(command);
            assertThat(reply(world, engine, handle, "yes", command, "")).isTrue();
            assertThat(World.drive(engine::turn, handle).orThrow()).isEqualTo("k r");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("D2")
    void aCommandThatCannotBeSentAgainIsUndoneAllTheSame(Kind kind) {
        try (World world = World.create(kind)) {
            AtomicInteger sent = new AtomicInteger();
            DurableSagaDefinition<String> saga = Trip.define()
                    .request(
                            "r",
                            Trip.request("r")
                                    .andThen(step -> step.replyWithin(SHORT, OnTimeout.RESEND)
                                            .command(context -> {
                                                if (sent.incrementAndGet() > 1) {
                                                    throw new IllegalStateException("nothing to say");
                                                }
                                                return Command.to("ask", "r");
                                            })))
                    .build();
            SagaEngine engine = world.engine(saga).build();
            engine.saga(saga).start("k", "k ");

            World.drive(
                    engine::turn,
                    () -> !commands(world, "r", Direction.COMPENSATION).isEmpty());

            assertThat(sent).hasValue(2);
            assertThat(world.strings("select type from outbox_message order by seq"))
                    .startsWith("r", "undo-r");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("D8")
    @Tag("D10")
    void aRequestMayWaitForAPersonOrForTheReplyAfterAll(Kind kind) throws SQLException {
        try (World world = World.create(kind)) {
            DurableSagaDefinition<String> saga = Trip.define()
                    .request("r", Trip.request("r").andThen(step -> step.replyWithin(SHORT, OnTimeout.WAIT_FOR_SIGNAL)))
                    .build();
            SagaEngine engine = world.engine(saga).build();
            SagaHandle<String> handle = engine.saga(saga).start("k", "k ");
            SagaResult<String> stuck = World.drive(engine::turn, handle);
            assertThat(stuck.failure().orElseThrow().type()).isEqualTo(Reasons.REPLY_OVERDUE);
            SagaAdmin.of(world.pool()).retry(handle.sagaId(), new Decision("anna", "ask again"));
            assertThat(World.drive(engine::turn, handle)).isInstanceOf(SagaResult.Stuck.class);
            assertThat(world.topics()).containsExactly("ask", "ask");

            assertThat(reply(world, engine, handle, "yes", command(world, "r", Direction.FORWARD), ""))
                    .isTrue();

            assertThat(World.drive(engine::turn, handle, SagaStatus.COMPLETED).orThrow())
                    .isEqualTo("k r");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void commandsOfAGroupGoOutTogetherAndRepliesComeInAnyOrder(Kind kind) throws SQLException {
        try (World world = World.create(kind)) {
            DurableSagaDefinition<String> saga = Trip.define()
                    .durable()
                    .parallel(
                            "g",
                            group -> group.request("r", Trip.request("r"))
                                    .request("q", Trip.request("q"))
                                    .step("a", Trip.step("a")))
                    .step("z", Trip.step("z"))
                    .build();
            SagaEngine engine = world.engine(saga).build();
            SagaHandle<String> handle = engine.saga(saga).start("k", "k ");
            engine.turn();
            assertThat(world.topics()).containsExactly("ask", "ask", "a");

            assertThat(reply(world, engine, handle, "yes", command(world, "q", Direction.FORWARD), "1"))
                    .isTrue();
            engine.turn();
            assertThat(handle.result().status()).isEqualTo(SagaStatus.WAITING);
            assertThat(reply(world, engine, handle, "yes", command(world, "r", Direction.FORWARD), "2"))
                    .isTrue();

            assertThat(World.drive(engine::turn, handle).orThrow()).isEqualTo("k aq1r2z");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("D2")
    void oneNoInAGroupUndoesTheOthersAlsoThoseWithoutAReply(Kind kind) throws SQLException {
        try (World world = World.create(kind)) {
            DurableSagaDefinition<String> saga = Trip.define()
                    .durable()
                    .parallel(
                            "g",
                            group -> group.request("r", Trip.request("r"))
                                    .request("q", Trip.request("q"))
                                    .request("p", Trip.request("p")))
                    .build();
            SagaEngine engine = world.engine(saga).build();
            SagaHandle<String> handle = engine.saga(saga).start("k", "k ");
            engine.turn();
            assertThat(reply(world, engine, handle, "yes", command(world, "r", Direction.FORWARD), ""))
                    .isTrue();
            assertThat(reply(world, engine, handle, "no", command(world, "q", Direction.FORWARD), ""))
                    .isTrue();

            engine.turn();
            assertThat(commands(world, "r", Direction.COMPENSATION)).isEmpty();
            assertThat(reply(world, engine, handle, "ok", command(world, "p", Direction.COMPENSATION), ""))
                    .isTrue();
            engine.turn();
            assertThat(reply(world, engine, handle, "ok", command(world, "r", Direction.COMPENSATION), ""))
                    .isTrue();

            assertThat(World.drive(engine::turn, handle)).isInstanceOf(SagaResult.Compensated.class);
            assertThat(commands(world, "q", Direction.COMPENSATION)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("D2")
    void aCancelledSagaUndoesWhatItAskedAndTheCancellationDoesNotReachTheCompensations(Kind kind) throws SQLException {
        try (World world = World.create(kind)) {
            DurableSagaDefinition<String> saga = Trip.define()
                    .step("a", Trip.step("a"))
                    .request("r", Trip.request("r").andThen(step -> step.replyWithin(LONG, OnTimeout.RESEND)))
                    .build();
            SagaEngine engine = world.engine(saga).build();
            SagaHandle<String> handle = engine.saga(saga).start("k", "k ");
            engine.turn();

            SagaAdmin.of(world.pool()).cancel(handle.sagaId(), new Decision("anna", "the customer called"));
            engine.turn();
            assertThat(reply(world, engine, handle, "ok", command(world, "r", Direction.COMPENSATION), ""))
                    .isTrue();
            SagaResult<String> result = World.drive(engine::turn, handle);

            assertThat(result).isInstanceOf(SagaResult.Compensated.class);
            assertThat(result.failure().orElseThrow().type()).isEqualTo("CANCELLED");
            assertThat(world.effects()).containsExactly("k a", "k undo a");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("D1")
    @Tag("D5")
    void aCrashAroundACommandSendsItOnce(Kind kind) throws SQLException {
        try (World world = World.create(kind)) {
            DurableSagaDefinition<String> saga = Trip.define()
                    .request("r", Trip.request("r").andThen(step -> step.replyWithin(LONG, OnTimeout.RESEND)))
                    .build();
            int n = 0;
            for (String point : List.of("saga.request.enqueued", "saga.step.journaled", "saga.step.committed")) {
                String key = "k" + n++;
                SagaEngine doomed = world.engine(saga).build();
                SagaHandle<String> handle = doomed.saga(saga).start(key, key + " ");
                try (Faults faults = Faults.install(new Crash(point, 1))) {
                    assertThat(faults).isNotNull();
                    assertThatThrownBy(doomed::turn).isInstanceOf(Crash.Death.class);
                }

                SagaEngine next = world.engine(saga).build();
                World.drive(next::turn, handle, SagaStatus.WAITING);

                assertThat(world.topics()).hasSize(n);
                String command = world.strings(
                                "select command_id from saga_step where saga_id = '%s'".formatted(handle.sagaId()))
                        .get(0);
                assertThat(reply(world, next, handle, "yes", command, "")).isTrue();
                assertThat(World.drive(next::turn, handle).orThrow()).isEqualTo(key + " r");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("D9")
    void aReplyForAVersionWithoutAWorkerIsNotAccepted(Kind kind) {
        try (World world = World.create(kind)) {
            DurableSagaDefinition<String> one =
                    Trip.define().request("r", Trip.request("r")).build();
            DurableSagaDefinition<String> two =
                    Trip.define().version(2).request("q", Trip.request("q")).build();
            SagaEngine old = world.engine(one).build();
            SagaHandle<String> handle = old.saga(one).start("k", "k ");
            old.turn();
            SagaEngine fresh = world.engine(two).build();

            assertThatThrownBy(() -> reply(world, fresh, handle, "yes", command(world, "r", Direction.FORWARD), ""))
                    .isInstanceOf(SagaException.class)
                    .hasMessageContaining("There is no worker here for trip v1");
            assertThat(handle.result().status()).isEqualTo(SagaStatus.WAITING);
        }
    }

    @Test
    void aReplyNamesTheCommandItAnswers() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Reply.of("yes", Map.of("a", "secret"), new byte[0]))
                .withMessage("A reply needs the header 'in-reply-to' but has only [a]");
        assertThat(Reply.of("yes", Map.of("in-reply-to", "c"), "x".getBytes(StandardCharsets.UTF_8)))
                .hasToString("Reply[yes to c, 1 bytes]");
    }

    private static boolean reply(
            World world, SagaEngine engine, SagaHandle<String> saga, String type, String command, String text)
            throws SQLException {
        Map<String, String> headers =
                Map.of("in-reply-to", command, "saga-id", saga.sagaId().toString());
        try (Connection connection = world.pool().getConnection()) {
            connection.setAutoCommit(false);
            boolean accepted =
                    engine.onReply(connection, Reply.of(type, headers, text.getBytes(StandardCharsets.UTF_8)));
            connection.commit();
            return accepted;
        }
    }

    private static List<String> commands(World world, String step, Direction direction) {
        return world.strings("select command_id from saga_step where step = '%s' and direction = '%s'"
                .formatted(step, direction.code()));
    }

    private static String command(World world, String step, Direction direction) {
        return commands(world, step, direction).get(0);
    }

    private static List<String> rows(World world) {
        List<String> rows = new ArrayList<>(world.strings("select concat(status, ' ', ctx) from saga_instance"));
        rows.addAll(world.strings("select concat(step, ' ', status, ' ', attempts) from saga_step order by seq"));
        return rows;
    }
}

package dev.postrider.saga;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.retry.RetryPolicy;
import dev.postrider.services.Database.Kind;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A listener hears each step and each end once, also when a reply brought it about. */
@Tag("B4")
final class SagaListenerTest {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration SHORT = Duration.ofMillis(50);
    private static final RetryPolicy ONCE = RetryPolicy.exponential(Duration.ofMillis(1), Duration.ofMillis(2), 1);

    /** Writes down what it hears. */
    private static final class Witness implements SagaListener {

        private final List<String> heard = new CopyOnWriteArrayList<>();

        @Override
        public void step(String saga, UUID id, StepReport step) {
            heard.add("%s %s %s".formatted(step.step(), step.direction().code(), step.status()));
        }

        @Override
        public void ended(String saga, UUID id, SagaStatus status) {
            heard.add(status.name());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void aReplyThatCompletesASagaIsReported(Kind kind) throws SQLException {
        try (World world = World.create(kind)) {
            Witness witness = new Witness();
            DurableSagaDefinition<String> saga = Trip.define()
                    .request("r", Trip.request("r").andThen(step -> step.replyWithin(HOUR, OnTimeout.RESEND)))
                    .build();
            SagaEngine engine = world.engine(saga).listener(witness).build();
            SagaHandle<String> handle = engine.saga(saga).start("k", "k ");
            engine.turn();

            reply(world, engine, "yes", command(world, "r", Direction.FORWARD), true);

            assertThat(World.drive(engine::turn, handle).orThrow()).isEqualTo("k r");
            engine.turn();
            assertThat(witness.heard).containsExactly("r F WAITING", "r F DONE", "COMPLETED");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void aRefusalBehindThePivotIsReportedAsStuck(Kind kind) throws SQLException {
        try (World world = World.create(kind)) {
            Witness witness = new Witness();
            DurableSagaDefinition<String> saga = Trip.define()
                    .pivot("p", Trip.action("p"))
                    .request(
                            "r",
                            step -> step.command(context -> Command.to("ask", "r"))
                                    .onReply("yes", (context, reply) -> context + "r")
                                    .failOnReply("no")
                                    .replyWithin(HOUR, OnTimeout.RESEND)
                                    .retriable())
                    .build();
            SagaEngine engine = world.engine(saga).listener(witness).build();
            SagaHandle<String> handle = engine.saga(saga).start("k", "k ");
            engine.turn();

            reply(world, engine, "no", command(world, "r", Direction.FORWARD), true);

            SagaResult<String> result = World.drive(engine::turn, handle);
            assertThat(result.status()).isEqualTo(SagaStatus.STUCK);
            assertThat(result.failure()).contains(new SagaFailure("r", Reasons.REFUSED, "The reply was no"));
            engine.turn();
            assertThat(witness.heard).containsExactly("p F DONE", "r F WAITING", "r F FAILED", "STUCK");
            assertThat(world.topics()).containsExactly("p", "ask");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void aReplyThatConfirmsTheLastCompensationIsReported(Kind kind) throws SQLException {
        try (World world = World.create(kind)) {
            Witness witness = new Witness();
            DurableSagaDefinition<String> saga = Trip.define()
                    .request("r", Trip.request("r").andThen(step -> step.replyWithin(HOUR, OnTimeout.RESEND)))
                    .step("z", Trip.failing("z").andThen(step -> step.retry(ONCE)))
                    .build();
            SagaEngine engine = world.engine(saga).listener(witness).build();
            SagaHandle<String> handle = engine.saga(saga).start("k", "k ");
            engine.turn();
            reply(world, engine, "yes", command(world, "r", Direction.FORWARD), true);
            World.drive(
                    engine::turn,
                    () -> !commands(world, "r", Direction.COMPENSATION).isEmpty());

            reply(world, engine, "ok", command(world, "r", Direction.COMPENSATION), true);

            assertThat(World.drive(engine::turn, handle)).isInstanceOf(SagaResult.Compensated.class);
            engine.turn();
            assertThat(witness.heard)
                    .containsExactly("r F WAITING", "r F DONE", "z F FAILED", "r C WAITING", "r C DONE", "COMPENSATED");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void aReplyToAStuckSagaIsReported(Kind kind) throws SQLException {
        try (World world = World.create(kind)) {
            Witness witness = new Witness();
            DurableSagaDefinition<String> saga = Trip.define()
                    .request("r", Trip.request("r").andThen(step -> step.replyWithin(SHORT, OnTimeout.WAIT_FOR_SIGNAL)))
                    .build();
            SagaEngine engine = world.engine(saga).listener(witness).build();
            SagaHandle<String> handle = engine.saga(saga).start("k", "k ");
            World.drive(engine::turn, handle, SagaStatus.STUCK);

            reply(world, engine, "yes", command(world, "r", Direction.FORWARD), true);

            World.drive(engine::turn, handle, SagaStatus.COMPLETED);
            engine.turn();
            assertThat(witness.heard).containsExactly("r F WAITING", "STUCK", "r F DONE", "COMPLETED");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void aReplyThatIsRolledBackIsNotReported(Kind kind) throws SQLException {
        try (World world = World.create(kind)) {
            Witness witness = new Witness();
            DurableSagaDefinition<String> saga = Trip.define()
                    .request("r", Trip.request("r").andThen(step -> step.replyWithin(HOUR, OnTimeout.RESEND)))
                    .build();
            SagaEngine engine = world.engine(saga).listener(witness).build();
            SagaHandle<String> handle = engine.saga(saga).start("k", "k ");
            engine.turn();
            String command = command(world, "r", Direction.FORWARD);

            reply(world, engine, "yes", command, false);
            engine.turn();
            assertThat(witness.heard).containsExactly("r F WAITING");
            reply(world, engine, "yes", command, true);

            World.drive(engine::turn, handle);
            assertThat(witness.heard).containsExactly("r F WAITING", "r F DONE", "COMPLETED");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void repliesToAGroupAreReportedOnceEach(Kind kind) throws SQLException {
        try (World world = World.create(kind)) {
            Witness witness = new Witness();
            DurableSagaDefinition<String> saga = Trip.define()
                    .durable()
                    .parallel(
                            "g",
                            group -> group.request(
                                            "r",
                                            Trip.request("r").andThen(step -> step.replyWithin(HOUR, OnTimeout.RESEND)))
                                    .request(
                                            "q",
                                            Trip.request("q")
                                                    .andThen(step -> step.replyWithin(HOUR, OnTimeout.RESEND))))
                    .build();
            SagaEngine engine = world.engine(saga).listener(witness).build();
            SagaHandle<String> handle = engine.saga(saga).start("k", "k ");
            engine.turn();

            reply(world, engine, "yes", command(world, "q", Direction.FORWARD), true);
            engine.turn();
            assertThat(witness.heard).containsExactly("r F WAITING", "q F WAITING", "q F DONE");
            reply(world, engine, "yes", command(world, "r", Direction.FORWARD), true);

            World.drive(engine::turn, handle);
            engine.turn();
            assertThat(witness.heard)
                    .containsExactly("r F WAITING", "q F WAITING", "q F DONE", "r F DONE", "COMPLETED");
        }
    }

    private static void reply(World world, SagaEngine engine, String type, String command, boolean commit)
            throws SQLException {
        Reply reply = Reply.of(type, Map.of("in-reply-to", command), "".getBytes(StandardCharsets.UTF_8));
        try (Connection connection = world.pool().getConnection()) {
            connection.setAutoCommit(false);
            assertThat(engine.onReply(connection, reply)).isTrue();
            if (commit) {
                connection.commit();
            } else {
                connection.rollback();
            }
        }
    }

    private static List<String> commands(World world, String step, Direction direction) {
        return world.strings("select command_id from saga_step where step = '%s' and direction = '%s'"
                .formatted(step, direction.code()));
    }

    private static String command(World world, String step, Direction direction) {
        return commands(world, step, direction).get(0);
    }
}

package dev.postrider.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postrider.inbox.Inbox;
import dev.postrider.inbox.ReceivedMessage;
import dev.postrider.relay.Relay;
import dev.postrider.saga.DurableSagaDefinition;
import dev.postrider.saga.Saga;
import dev.postrider.saga.SagaEngine;
import dev.postrider.services.Database.Kind;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** What the commands about relays, topics, inboxes and sagas do, whichever way their requests take. */
@ParameterizedClass
@EnumSource(Way.class)
final class OperationCommandsTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    Path folder;

    private final Way way;
    private final Shop shop = Shop.on(Kind.POSTGRES_18);
    private Way.@Nullable Reached reached;

    OperationCommandsTest(Way way) {
        this.way = way;
    }

    @BeforeEach
    void open() {
        reached = way.open(shop, folder);
    }

    @AfterEach
    void close() {
        reached().close();
        shop.close();
    }

    private Way.Reached reached() {
        return Objects.requireNonNull(reached);
    }

    private CliRun run(String... arguments) {
        return reached().run(arguments);
    }

    private CliRun change(String... arguments) {
        return reached().change(arguments);
    }

    private JsonNode first(String... arguments) {
        return run(arguments).json().path("items").path(0);
    }

    @Test
    void statusSaysWithOneSentenceThatNoRelayIsAlive() throws SQLException {
        shop.enqueue("orders", "1", "{}");

        CliRun run = run("status");

        assertThat(run.exitCode()).isZero();
        assertThat(run.lines().get(0)).startsWith("No relay is alive");
        assertThat(run.out()).contains("Pending", "Dead");
    }

    @Test
    void maxAgeIsACheckWithExitCodeFive() throws SQLException {
        assertThat(run("status", "--max-age", "1s").exitCode()).isZero();
        shop.enqueue("orders", "1", "{}");

        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(run("status", "--max-age", "100ms").exitCode())
                                .isEqualTo(5));
        assertThat(run("status", "--max-age", "1d").exitCode()).isZero();
    }

    @Test
    void topWithoutATerminalWritesOnePicture() throws SQLException {
        shop.enqueue("orders", "1", "{}");

        CliRun run = run("top");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out())
                .contains("postrider top", "OLDEST PENDING", "orders")
                .doesNotContain("\u001b");
    }

    @Test
    void doctorFindsNoRelayAndEndsWithFiveIfAFindingIsBad() {
        CliRun run = run("doctor");
        CliRun json = run("doctor", "-o", "json");

        boolean bad = json.json()
                .path("findings")
                .valueStream()
                .anyMatch(finding -> finding.path("level").asString().equals("bad"));
        assertThat(run.out()).isNotBlank();
        assertThat(json.json().path("findings").isEmpty()).isFalse();
        assertThat(run.exitCode()).isEqualTo(bad ? 5 : 0);
    }

    @Test
    void schemaInfoShowsTheVersionOfEachPart() {
        CliRun run = run("schema", "info", "-o", "csv");

        assertThat(run.exitCode()).isZero();
        assertThat(run.lines().get(0)).isEqualTo("part,version,expected");
        assertThat(run.lines()).hasSize(4);
        assertThat(run("schema", "info").out()).contains("outbox", "TABLE");
    }

    @Test
    void configExplainShowsWhereTheAddressComesFrom() {
        CliRun run = run("config", "explain");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains(way == Way.HTTP ? "POSTRIDER_API" : "POSTRIDER_DATABASE");
    }

    @Test
    void relayIsPausedAndResumedByName() {
        try (Relay relay = shop.relay()) {
            await().atMost(PATIENCE)
                    .until(() -> !first("relays", "list", "-o", "json").isMissingNode());
            String id = first("relays", "list", "-o", "json").path("id").asString();

            CliRun dry = run("relays", "pause", id);
            assertThat(dry.err()).contains("Would pause relay " + id);
            assertThat(first("relays", "list", "-o", "json").path("wanted").asString())
                    .isEqualTo("RUN");

            CliRun paused = change("relays", "pause", id);
            assertThat(paused.exitCode()).isZero();
            assertThat(first("relays", "list", "-o", "json").path("wanted").asString())
                    .isEqualTo("PAUSE");

            assertThat(change("relays", "resume", "--all").exitCode()).isZero();
            assertThat(first("relays", "list", "-o", "json").path("wanted").asString())
                    .isEqualTo("RUN");
            assertThat(relay.name()).isEqualTo(id);
        }
    }

    @Test
    void unknownRelayEndsWithThreeAndNoRelayWithTwo() {
        assertThat(run("relays", "drain", "no-such-relay").exitCode()).isEqualTo(3);
        assertThat(run("relays", "drain").exitCode()).isEqualTo(2);
    }

    @Test
    void topicIsPausedAndResumed() throws SQLException {
        shop.enqueue("orders", "1", "{}");

        CliRun dry = run("topics", "pause", "orders");
        CliRun paused = change("topics", "pause", "orders", "-o", "json");
        CliRun resumed = change("topics", "resume", "default/orders", "-o", "json");

        assertThat(dry.err()).contains("Would pause topic orders");
        assertThat(paused.json().path("items").path(0).path("paused").asBoolean())
                .isTrue();
        assertThat(paused.json().path("items").path(0).path("pausedBy").asString())
                .isEqualTo("ada");
        assertThat(resumed.json().path("items").path(0).path("paused").asBoolean())
                .isFalse();
    }

    @Test
    void blockedKeysAreListedWithWhatBlocksThem() throws SQLException {
        UUID id = shop.enqueue("payments", "42", "{}");
        try (Relay relay = shop.relay()) {
            await().atMost(PATIENCE)
                    .until(() -> !first("topics", "blocked", "-o", "json").isMissingNode());
            assertThat(relay.name()).startsWith("r-1");
        }

        JsonNode blocked = first("topics", "blocked", "-o", "json");

        assertThat(blocked.path("key").asString()).isEqualTo("42");
        assertThat(blocked.path("blockedBy").asString()).isEqualTo(id.toString());
    }

    @Test
    void inboxSaysWhatAConsumerDidAboutAMessage() {
        Inbox inbox = shop.postrider().inbox().build();
        inbox.process(message("m-1"), "stock", transaction -> "done");

        CliRun known = run("inbox", "lookup", "stock", "m-1", "-o", "json");
        CliRun unknown = run("inbox", "lookup", "stock", "m-2");

        assertThat(known.exitCode()).isZero();
        assertThat(known.json().path("state").asString()).isEqualTo("PROCESSED");
        assertThat(unknown.exitCode()).isEqualTo(3);
        assertThat(run("inbox", "consumers", "-o", "jsonl").out()).contains("stock");
    }

    @Test
    void parkedMessagesAreListedReleasedAndDiscarded() {
        Inbox inbox = shop.postrider().inbox().parkAfter(1).build();
        for (String id : new String[] {"m-1", "m-2"}) {
            inbox.process(message(id), "stock", transaction -> {
                throw new IllegalStateException("out of stock");
            });
        }
        assertThat(run("inbox", "parked", "stock", "-o", "jsonl").lines()).hasSize(2);

        CliRun dry = run("inbox", "release", "stock", "m-1");
        CliRun released = change("inbox", "release", "stock", "m-1");
        CliRun discarded = change("inbox", "discard", "stock", "m-2", "m-3");

        assertThat(dry.err()).contains("Would release 1 message of consumer stock");
        assertThat(released.exitCode()).isZero();
        assertThat(discarded.exitCode()).isEqualTo(4);
        assertThat(run("inbox", "lookup", "stock", "m-2", "-o", "json")
                        .json()
                        .path("state")
                        .asString())
                .isEqualTo("DISCARDED");
    }

    private static ReceivedMessage message(String id) {
        return ReceivedMessage.from("orders").id(id).payload(new byte[] {1}).build();
    }

    @Test
    void sagaIsListedShownDrawnAndCancelled() {
        DurableSagaDefinition<String> definition = Saga.define("order", String.class)
                .codec(TextSagaCodec.INSTANCE)
                .step("reserve", step -> step.readOnly().action((order, transaction) -> order))
                .durable()
                .step("charge", step -> step.readOnly().action((order, transaction) -> order))
                .build();
        SagaEngine engine = shop.postrider().sagas().register(definition).build();
        String id = engine.saga(definition).start("order-42", "42").sagaId().toString();

        CliRun list = run("sagas", "list", "--status", "running");
        CliRun graph = run("sagas", "graph", id);
        CliRun dot = run("sagas", "graph", id, "--as", "dot");
        CliRun dry = run("sagas", "cancel", id);
        CliRun cancelled = change("sagas", "cancel", id, "-o", "json");

        assertThat(list.lines()).hasSize(2);
        assertThat(list.lines().get(1)).contains(id, "order", "order-42", "RUNNING");
        assertThat(graph.exitCode()).isZero();
        assertThat(dot.out()).startsWith("digraph saga {");
        assertThat(dry.err()).contains("Would cancel saga " + id);
        assertThat(cancelled.exitCode()).isZero();
        assertThat(run("sagas", "show", id).out()).contains("Decisions", "INC-1", "ada");
        assertThat(run("sagas", "show", UUID.randomUUID().toString()).exitCode())
                .isEqualTo(3);
    }

    @Test
    void stepsOfASagaThatRunsAreNotDecidedAbout() {
        DurableSagaDefinition<String> definition = Saga.define("order", String.class)
                .codec(TextSagaCodec.INSTANCE)
                .step("reserve", step -> step.readOnly().action((order, transaction) -> order))
                .durable()
                .build();
        SagaEngine engine = shop.postrider().sagas().register(definition).build();
        String id = engine.saga(definition).start("order-43", "43").sagaId().toString();

        for (String verb : List.of("retry", "compensate")) {
            CliRun dry = run("sagas", verb, id);
            CliRun run = change("sagas", verb, id);

            assertThat(dry.exitCode()).isZero();
            assertThat(dry.err()).contains("Would " + verb + " saga " + id);
            assertThat(run.exitCode()).isIn(0, 1);
        }
        assertThat(run("sagas", "skip", id).exitCode()).isEqualTo(2);
        assertThat(change("sagas", "skip", id, "--step", "no-such-step").exitCode())
                .isIn(1, 2, 3);
    }
}

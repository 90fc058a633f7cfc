package dev.postrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.services.Database.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
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

/** What the commands about messages do, whichever way their requests take. */
@ParameterizedClass
@EnumSource(Way.class)
final class MessageCommandsTest {

    @TempDir
    Path folder;

    private final Way way;
    private final Shop shop = Shop.on(Kind.POSTGRES_18);
    private Way.@Nullable Reached reached;

    MessageCommandsTest(Way way) {
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

    private String status(UUID id) {
        return run("messages", "show", id.toString(), "-o", "json")
                .json()
                .path("status")
                .asString();
    }

    @Test
    void messagesAreListedAsTableWithTheirTopicAndKey() throws SQLException {
        UUID id = shop.enqueue("orders", "42", "{}");

        CliRun run = run("messages", "list");

        assertThat(run.exitCode()).isZero();
        assertThat(run.lines()).hasSize(2);
        assertThat(run.lines().get(0)).startsWith("STATUS   AGE").contains("TOPIC", "KEY", "ID");
        assertThat(run.lines().get(1)).startsWith("PENDING").contains("orders", "42", id.toString());
        assertThat(run.err()).isEmpty();
    }

    @Test
    void limitIsReachedOverSeveralPagesAndTheCursorGoesOn() throws SQLException {
        for (int i = 0; i < 5; i++) {
            shop.enqueue("orders", "key-" + i, "{}");
        }

        CliRun first = run("messages", "list", "--limit", "3", "-o", "json");
        String cursor = first.json().path("next").asString();
        CliRun rest = run("messages", "list", "--cursor", cursor, "-o", "jsonl");

        assertThat(first.json().path("items").size()).isEqualTo(3);
        assertThat(first.err()).isEmpty();
        assertThat(run("messages", "list", "--limit", "3").err()).contains("--cursor " + cursor);
        assertThat(rest.lines()).hasSize(2);
    }

    @Test
    void filterFindsOnlyItsMessages() throws SQLException {
        shop.enqueue("orders", "1", "{}");
        shop.enqueue("payments", "2", "{}");

        CliRun run = run("messages", "list", "--filter", "topic:payments key:2", "-o", "csv");

        assertThat(run.exitCode()).isZero();
        assertThat(run.lines()).hasSize(2);
        assertThat(run.lines().get(0)).startsWith("status,created,namespace,topic,type,key");
        assertThat(run.lines().get(1)).startsWith("PENDING,").contains(",payments,placed,2,");
    }

    @Test
    void brokenFilterNamesTheNearestQualifierAndEndsWithTwo() {
        CliRun run = run("messages", "list", "--filter", "topci:orders");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err().lines().toList()).hasSize(1);
        assertThat(run.err()).contains("topci").contains("topic");
    }

    @Test
    void messageIsShownWithPayloadAndAttempts() throws SQLException {
        UUID id = shop.dead("orders", "42", "timed out");

        CliRun run = run("messages", "show", id.toString());

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("Status", "DEAD", "timed out", "Attempts", "worker", "{\"amount\":-1}");
    }

    @Test
    void payloadIsWrittenByteForByte() throws SQLException {
        UUID id = shop.enqueue("orders", "42", "{\"price\": 1.10}\n");

        CliRun run = run("messages", "show", id.toString(), "--payload");

        assertThat(run.out()).isEqualTo("{\"price\": 1.10}\n");
    }

    @Test
    void unknownMessageEndsWithThree() {
        CliRun run = run("messages", "show", UUID.randomUUID().toString());

        assertThat(run.exitCode()).isEqualTo(3);
        assertThat(run.err().lines().toList()).hasSize(1);
    }

    @Test
    void tailBeginsWithTheLastMessages() throws SQLException {
        shop.enqueue("orders", "1", "{}");
        UUID second = shop.enqueue("orders", "2", "{}");

        CliRun run = run("messages", "tail", "--last", "1", "--count", "1", "-o", "jsonl");

        assertThat(run.lines()).singleElement().asString().contains(second.toString());
    }

    @Test
    void deadMessagesAreGroupedByFailure() throws SQLException {
        shop.dead("orders", "1", "timed out");
        shop.dead("orders", "2", "timed out");

        CliRun run = run("dead", "groups");

        assertThat(run.exitCode()).isZero();
        assertThat(run.lines()).hasSize(2);
        assertThat(run.lines().get(1)).contains("2", "orders", "placed");
    }

    @Test
    void requeueWithoutExecuteChangesNothing() throws SQLException {
        UUID id = shop.dead("orders", "1", "timed out");

        CliRun byId = run("dead", "requeue", id.toString());
        CliRun byFilter = run("dead", "requeue", "--filter", "topic:orders");

        assertThat(byId.exitCode()).isZero();
        assertThat(byId.err()).contains("Would requeue 1 message", "--execute");
        assertThat(byFilter.exitCode()).isZero();
        assertThat(byFilter.err()).contains("1 message", "Nothing was changed");
        assertThat(status(id)).isEqualTo("DEAD");
        assertThat(run("bulk", "list", "-o", "jsonl").lines()).isEmpty();
    }

    @Test
    void executeWithoutReasonIsRefused() throws SQLException {
        UUID id = shop.dead("orders", "1", "timed out");

        CliRun run = run("dead", "requeue", id.toString(), "--execute");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("--reason");
        assertThat(status(id)).isEqualTo("DEAD");
    }

    @Test
    void requeueByIdIsDoneAndAudited() throws SQLException {
        UUID id = shop.dead("orders", "1", "timed out");

        CliRun run = change("dead", "requeue", id.toString(), "-o", "json");
        JsonNode entry = run("audit", "--message", id.toString(), "-o", "json")
                .json()
                .path("items")
                .path(0);

        assertThat(run.exitCode()).isZero();
        assertThat(run.json().path("done").asInt()).isEqualTo(1);
        assertThat(status(id)).isEqualTo("PENDING");
        assertThat(entry.path("by").asString()).isEqualTo("ada");
        assertThat(entry.path("reason").asString()).isEqualTo("INC-1");
    }

    @Test
    void requeueOfAMessageThatIsNotDeadEndsWithThreeAndOfSomeWithFour() throws SQLException {
        UUID dead = shop.dead("orders", "1", "timed out");
        UUID pending = shop.enqueue("orders", "2", "{}");

        CliRun some = change("dead", "requeue", dead.toString(), pending.toString());
        CliRun none = change("dead", "requeue", pending.toString());

        assertThat(some.exitCode()).isEqualTo(4);
        assertThat(some.err()).contains("1 message was left alone");
        assertThat(none.exitCode()).isEqualTo(3);
    }

    @Test
    void bulkRequeueFreezesTheSelectionAndShowsItsEnd() throws SQLException {
        UUID first = shop.dead("orders", "1", "timed out");
        UUID second = shop.dead("orders", "2", "timed out");
        UUID other = shop.dead("payments", "3", "timed out");

        CliRun run = change("dead", "requeue", "--filter", "topic:orders", "-o", "json");

        assertThat(run.exitCode()).isZero();
        assertThat(run.err()).contains("2 messages, stored before", "for example");
        assertThat(run.json().path("status").asString()).isEqualTo("DONE");
        assertThat(run.json().path("done").asInt()).isEqualTo(2);
        assertThat(status(first)).isEqualTo("PENDING");
        assertThat(status(second)).isEqualTo("PENDING");
        assertThat(status(other)).isEqualTo("DEAD");
        String id = run.json().path("id").asString();
        assertThat(run("bulk", "show", id, "-o", "json").json().path("expected").asInt())
                .isEqualTo(2);
        assertThat(run("bulk", "show", id, "--result", "done", "-o", "jsonl").lines())
                .hasSize(2);
    }

    @Test
    void bulkAboveItsLimitIsCancelled() throws SQLException {
        UUID first = shop.dead("orders", "1", "timed out");
        shop.dead("orders", "2", "timed out");

        CliRun run = change("dead", "discard", "--filter", "topic:orders", "--limit", "1");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("more than --limit 1: nothing was changed");
        assertThat(status(first)).isEqualTo("DEAD");
        assertThat(run("bulk", "list", "-o", "json")
                        .json()
                        .path("items")
                        .path(0)
                        .path("status")
                        .asString())
                .isEqualTo("CANCELLED");
    }

    @Test
    void preparedBulkIsResumedAndCancelledByItsId() throws SQLException {
        shop.dead("orders", "1", "timed out");
        CliRun begun = change("dead", "requeue", "--filter", "topic:orders", "-o", "json");
        String id = begun.json().path("id").asString();

        assertThat(run("bulk", "resume", id).err()).contains("Would resume");
        assertThat(run("bulk", "cancel", id).err()).contains("Would cancel");
        assertThat(change("bulk", "cancel", id).exitCode()).isEqualTo(1);
    }

    @Test
    void editedMessageGetsTheNewPayloadAndANewId() throws SQLException, IOException {
        UUID id = shop.dead("orders", "1", "negative");
        Path payload = Files.writeString(folder.resolve("order.json"), "{\"amount\":12}");

        CliRun dry = run("dead", "edit", id.toString(), "--payload-file", payload.toString());
        CliRun run = change("dead", "edit", id.toString(), "--payload-file", payload.toString(), "-o", "json");
        String corrected = run.json().path("id").asString();

        assertThat(dry.err()).contains("Would replace payload of message " + id);
        assertThat(run.exitCode()).isZero();
        assertThat(corrected).isNotEqualTo(id.toString());
        assertThat(run("messages", "show", corrected, "--payload").out()).isEqualTo("{\"amount\":12}");
    }

    @Test
    void discardedMessageIsRestored() throws SQLException {
        UUID id = shop.dead("orders", "1", "negative");
        assertThat(change("dead", "discard", id.toString()).exitCode()).isZero();
        assertThat(run("dead", "list", "-o", "jsonl").lines()).isEmpty();

        CliRun run = change("dead", "restore", id.toString(), "-o", "json");

        assertThat(run.exitCode()).isZero();
        assertThat(run.json().path("id").asString()).isEqualTo(id.toString());
        assertThat(status(id)).isEqualTo("PENDING");
    }

    @Test
    void exportWritesLinesAndReplacesNoFile() throws SQLException, IOException {
        UUID id = shop.dead("orders", "1", "negative");
        Path file = folder.resolve("dead.csv");

        CliRun lines = run("dead", "export");
        CliRun csv = run("dead", "export", "--csv", "--to", file.toString());
        CliRun again = run("dead", "export", "--to", file.toString());

        assertThat(lines.lines())
                .singleElement()
                .asString()
                .contains(id.toString())
                .doesNotContain("amount");
        assertThat(csv.exitCode()).isZero();
        assertThat(Files.readString(file)).contains(id.toString());
        assertThat(again.exitCode()).isEqualTo(1);
    }

    @Test
    void deliveredMessageIsReplayed() throws SQLException {
        UUID id = shop.enqueue("orders", "1", "{}");
        shop.deliver();
        assertThat(status(id)).isEqualTo("DELIVERED");

        CliRun dry = run("messages", "replay", "--filter", "topic:orders");
        CliRun run = change("messages", "replay", id.toString());

        assertThat(dry.out()).contains(id.toString());
        assertThat(dry.err()).contains("Would replay");
        assertThat(run.exitCode()).isZero();
        assertThat(status(id)).isEqualTo("PENDING");
    }

    @Test
    void auditTrailGoesOnAtItsCursor() throws SQLException {
        for (int i = 0; i < 3; i++) {
            UUID id = shop.dead("orders", "key-" + i, "timed out");
            assertThat(change("dead", "requeue", id.toString()).exitCode()).isZero();
            shop.deliver();
        }

        CliRun first = run("audit", "--limit", "2", "-o", "json");
        CliRun rest = run("audit", "--cursor", first.json().path("next").asString(), "-o", "jsonl");

        assertThat(first.json().path("items").size()).isEqualTo(2);
        assertThat(rest.lines()).hasSize(1);
    }
}

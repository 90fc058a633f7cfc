package dev.postrider.cli.command;

import dev.postrider.cli.output.Column;
import dev.postrider.cli.run.CliEnvironment;
import dev.postrider.cli.run.CliException;
import dev.postrider.cli.run.ExitCodes;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Runs a bulk action and shows how far it is. */
final class BulkFollower {

    static final List<Column> COLUMNS = List.of(
            Column.text("Id", "id"),
            Column.text("Action", "action"),
            Column.word("Status", "status"),
            Column.count("Expected", "expected"),
            Column.count("Done", "done"),
            Column.count("Skipped", "skipped"),
            Column.count("Failed", "failed"),
            Column.text("By", "by"),
            Column.age("Updated", "updatedAt"),
            Column.text("Filter", "filter"),
            Column.text("Reason", "reason"),
            Column.text("Last error", "lastError"));

    private static final Set<String> GOING_ON = Set.of("PREPARED", "RUNNING");
    private static final long ASKS_ABOVE = 1_000;
    private static final long LOOK_MILLIS = 500;
    private static final int IDLE_LOOKS = 1_200;

    private final CliSession session;
    private final ObjectNode reason;

    BulkFollower(CliSession session, ObjectNode reason) {
        this.session = session;
        this.reason = reason;
    }

    /** Freezes the selection and says how many messages it has. */
    JsonNode prepare(ObjectNode body) {
        JsonNode bulk = session.post("bulk", body);
        session.note("Bulk action %s: %s, stored before %s"
                .formatted(
                        bulk.path("id").asString(""),
                        ManyMessages.messages(expected(bulk)),
                        bulk.path("cutOff").asString("now")));
        bulk.path("samples").valueStream().limit(3).forEach(id -> session.note("  for example " + id.asString("")));
        return bulk;
    }

    private static long expected(JsonNode bulk) {
        JsonNode expected = bulk.path("expected");
        return expected.isObject() ? expected.path("value").asLong(0) : expected.asLong(0);
    }

    /** Cancels the action if it has too many messages, or if a person types another number than theirs. */
    void requireFew(JsonNode bulk, long limit, boolean yes) {
        long expected = expected(bulk);
        String id = bulk.path("id").asString("");
        if (expected > limit) {
            session.post("bulk/" + id + "/cancel", reason.deepCopy());
            throw new CliException(
                    ExitCodes.FAILED,
                    "The filter finds %s, more than --limit %d: nothing was changed"
                            .formatted(ManyMessages.messages(expected), limit));
        }
        if (expected <= ASKS_ABOVE || yes || !CliEnvironment.personTypes()) {
            return;
        }
        session.note("Type the number of messages to go on:");
        if (!typed().equals(Long.toString(expected))) {
            session.post("bulk/" + id + "/cancel", reason.deepCopy());
            throw new CliException(ExitCodes.FAILED, "That is another number: nothing was changed");
        }
    }

    private static String typed() {
        try {
            String line = new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset())).readLine();
            return line == null ? "" : line.strip();
        } catch (IOException e) {
            return "";
        }
    }

    /** Runs the action to its end, with progress on the standard error. */
    int run(String id, @Nullable Integer rate, boolean detach) {
        ObjectNode options = CliSession.body();
        if (rate != null) {
            options.put("rate", rate);
        }
        JsonNode bulk = session.post("bulk/" + id + "/run", options);
        if (!detach) {
            bulk = ended(id, bulk);
        }
        session.printer().object(bulk, COLUMNS);
        return exitCode(bulk);
    }

    private JsonNode ended(String id, JsonNode started) {
        JsonNode bulk = started;
        String last = "";
        int idle = 0;
        while (GOING_ON.contains(bulk.path("status").asString(""))) {
            pause(id);
            bulk = session.get("bulk/" + id);
            String progress = progress(bulk);
            idle = progress.equals(last) ? idle + 1 : 0;
            if (idle == 0) {
                session.note(progress);
            } else if (idle >= IDLE_LOOKS) {
                throw new CliException(
                        ExitCodes.PARTLY,
                        "Bulk action %1$s makes no progress: look with 'postrider bulk show %1$s'".formatted(id));
            }
            last = progress;
        }
        return bulk;
    }

    private static String progress(JsonNode bulk) {
        return String.format(
                Locale.ROOT,
                "%,d of %,d done, %,d skipped, %,d failed",
                bulk.path("done").asLong(0),
                expected(bulk),
                bulk.path("skipped").asLong(0),
                bulk.path("failed").asLong(0));
    }

    private static void pause(String id) {
        try {
            Thread.sleep(LOOK_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CliException(
                    ExitCodes.PARTLY, "Interrupted; go on with 'postrider bulk resume %s'".formatted(id), e);
        }
    }

    private static int exitCode(JsonNode bulk) {
        if (bulk.path("failed").asLong(0) > 0) {
            return ExitCodes.PARTLY;
        }
        return ExitCodes.DONE;
    }
}

package dev.postrider.cli;

import dev.postrider.cli.run.CliEnvironment;
import java.io.ByteArrayOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a command wrote and with which code it ended. */
record CliRun(int exitCode, String out, String err) {

    static final Path NOWHERE = Path.of("/nonexistent-postrider-home");

    static CliEnvironment environment(Map<String, String> variables, Path home, ByteArrayOutputStream data) {
        return new CliEnvironment(variables, home, home, "ada", false, 0, Clock.systemUTC(), data);
    }

    static CliRun of(String... arguments) {
        return of(Map.of(), NOWHERE, arguments);
    }

    static CliRun of(Map<String, String> variables, Path home, String... arguments) {
        ByteArrayOutputStream data = new ByteArrayOutputStream();
        StringWriter err = new StringWriter();
        CommandLine line = PostriderCli.commandLine(environment(variables, home, data));
        line.setErr(new PrintWriter(err));
        int code = line.execute(arguments);
        return new CliRun(code, data.toString(StandardCharsets.UTF_8), err.toString());
    }

    List<String> lines() {
        return out.lines().toList();
    }

    JsonNode json() {
        return JsonMapper.shared().readTree(out);
    }
}

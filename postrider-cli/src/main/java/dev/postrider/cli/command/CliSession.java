package dev.postrider.cli.command;

import dev.postrider.cli.link.ConsoleLink;
import dev.postrider.cli.link.LinkAnswer;
import dev.postrider.cli.link.LinkTarget;
import dev.postrider.cli.link.NamedContexts;
import dev.postrider.cli.output.Column;
import dev.postrider.cli.output.OutputFormat;
import dev.postrider.cli.output.Paint;
import dev.postrider.cli.output.Printer;
import dev.postrider.cli.run.CliEnvironment;
import dev.postrider.cli.run.CliException;
import dev.postrider.cli.run.ExitCodes;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What every command has: its flags, the API and the printer. */
final class CliSession {

    private static final String SOURCES = "/api/v1/sources";

    @Spec(Spec.Target.MIXEE)
    CommandSpec command = CommandSpec.create();

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Shows this help.")
    boolean help;

    @ArgGroup(validate = false, heading = "%nConnection:%n")
    ConnectionFlags connection = new ConnectionFlags();

    @ArgGroup(validate = false, heading = "%nOutput:%n")
    OutputFlags output = new OutputFlags();

    private @Nullable String source;

    CliEnvironment environment() {
        return root().environment();
    }

    private PostriderCommand root() {
        return (PostriderCommand) command.root().userObject();
    }

    PrintWriter out() {
        return command.commandLine().getOut();
    }

    /** Writes a line for the person; it never mixes with the data. */
    void note(String line) {
        PrintWriter err = command.commandLine().getErr();
        err.println(line);
        err.flush();
    }

    boolean verbose() {
        return output.verbose || root().session.output.verbose;
    }

    LinkTarget target() {
        return contexts()
                .target(new NamedContexts.Flags(
                        flag(flags -> flags.context),
                        flag(flags -> flags.database),
                        flag(flags -> flags.api),
                        flag(flags -> flags.user),
                        flag(flags -> flags.source),
                        flag(flags -> flags.schema)));
    }

    NamedContexts contexts() {
        return new NamedContexts(environment());
    }

    private @Nullable String flag(Function<ConnectionFlags, @Nullable String> field) {
        String own = field.apply(connection);
        return own == null ? field.apply(root().session.connection) : own;
    }

    ConsoleLink link() {
        return root().link(this::target);
    }

    Printer printer() {
        OutputFormat own = output.format == null ? root().session.output.format : output.format;
        OutputFormat format = own == null ? OutputFormat.TABLE : own;
        CliEnvironment environment = environment();
        return new Printer(format, out(), paint(), environment.columns(), environment.clock());
    }

    Paint paint() {
        CliEnvironment environment = environment();
        boolean plain = output.plain || root().session.output.plain || environment.variable("NO_COLOR") != null;
        return new Paint(environment.terminal() && !plain);
    }

    /** Returns the answer to a question about the source. */
    JsonNode get(String path, Map<String, String> query) {
        return json(link().send("GET", sourcePath(path), query, ""));
    }

    JsonNode get(String path) {
        return get(path, Map.of());
    }

    /** Sends a change of the source. */
    JsonNode post(String path, ObjectNode body) {
        return json(link().send("POST", sourcePath(path), Map.of(), body.toString()));
    }

    /** Writes a file of the source to {@code out}. */
    void download(String path, Map<String, String> query, OutputStream out) {
        json(link().download(sourcePath(path), query, out));
    }

    /** Returns the rows of a list page by page, until there are {@code limit}. */
    ObjectNode list(String path, Map<String, String> query, int limit) {
        return new Paging(this, path, query).upTo(limit);
    }

    void print(JsonNode answer, List<Column> columns) {
        Printer printer = printer();
        boolean table = printer.format() == OutputFormat.TABLE;
        if (table && answer.path("items").isEmpty()) {
            note("None found.");
        } else {
            printer.list(answer, "items", columns);
        }
        String next = answer.path("next").asString("");
        boolean shown = printer.format() == OutputFormat.JSON || printer.format() == OutputFormat.YAML;
        if (!next.isEmpty() && !shown) {
            note("There may be more: --cursor " + next);
        }
    }

    static ObjectNode body() {
        return JsonMapper.shared().createObjectNode();
    }

    /** Refuses the command line. */
    ParameterException usage(String line) {
        return new ParameterException(command.commandLine(), line);
    }

    private String sourcePath(String path) {
        return SOURCES + "/" + source() + "/" + path;
    }

    private String source() {
        if (source == null) {
            LinkTarget target = target();
            String named = target.source();
            source = named != null ? named : onlySource(target);
        }
        return source;
    }

    private String onlySource(LinkTarget target) {
        if (target.kind() == LinkTarget.Kind.DATABASE) {
            return "main";
        }
        List<String> names = json(link().send("GET", SOURCES, Map.of(), ""))
                .path("sources")
                .valueStream()
                .map(each -> each.path("name").asString(""))
                .toList();
        if (names.size() != 1) {
            throw usage("The server has %d sources; name one with --source: %s"
                    .formatted(names.size(), String.join(", ", names)));
        }
        return names.get(0);
    }

    private JsonNode json(LinkAnswer answer) {
        if (!answer.done()) {
            throw AnswerProblem.of(answer, target());
        }
        if (answer.body().isBlank()) {
            return body();
        }
        try {
            return Printer.read(answer.body());
        } catch (tools.jackson.core.JacksonException e) {
            throw new CliException(
                    ExitCodes.FAILED,
                    "%s does not answer like a Postrider server: is this its address?".formatted(target().shownUrl()),
                    e);
        }
    }
}

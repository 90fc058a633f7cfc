package dev.postrider.cli.link;

import dev.postrider.cli.run.CliEnvironment;
import dev.postrider.cli.run.CliException;
import dev.postrider.cli.run.ExitCodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds out what a command connects to. A flag comes before the environment, the environment before the project's file,
 * and that before the user's.
 */
public final class NamedContexts {

    private static final String PROJECT_FILE = ".postrider.yml";
    private static final int MOST_FOLDERS = 64;
    private static final Pattern CURRENT = Pattern.compile("(?m)^current:.*$");

    private final CliEnvironment environment;
    private final YamlFile user;
    private final YamlFile project;

    /** Reads the files of this environment. */
    public NamedContexts(CliEnvironment environment) {
        this.environment = environment;
        this.user = YamlFile.read(userFile());
        this.project = YamlFile.read(projectFile());
    }

    /**
     * The flags of a command that say what it connects to.
     *
     * @param context the name of a context
     * @param database the URL of a database
     * @param api the address of a server
     * @param user the user
     * @param source the source at the server
     * @param schema the database schema of the tables
     */
    public record Flags(
            @Nullable String context,
            @Nullable String database,
            @Nullable String api,
            @Nullable String user,
            @Nullable String source,
            @Nullable String schema) {}

    /**
     * A context as it is listed.
     *
     * @param name its name
     * @param target what it connects to, without passwords
     * @param file where it is written
     * @param current whether a command without flags uses it
     */
    public record Listed(String name, String target, String file, boolean current) {}

    /** Returns what a command with these flags connects to. */
    public LinkTarget target(Flags flags) {
        LinkTarget found = found(flags);
        return new LinkTarget(
                found.kind(),
                found.url(),
                found.login().as(flags.user()),
                flags.source() == null ? found.source() : flags.source(),
                found.tables().in(flags.schema()),
                found.context(),
                found.origin());
    }

    private LinkTarget found(Flags flags) {
        if (flags.database() != null) {
            return database(flags.database(), "--database");
        }
        if (flags.api() != null) {
            return api(flags.api(), "--api");
        }
        if (flags.context() != null) {
            return named(flags.context());
        }
        LinkTarget ofEnvironment = ofEnvironment();
        if (ofEnvironment != null) {
            return ofEnvironment;
        }
        String current = current();
        if (current != null) {
            return named(current);
        }
        throw new CliException(
                ExitCodes.USAGE,
                "There is nothing to connect to: name a database with --database jdbc:…, a server with --api http://…,"
                        + " or a context with --context (see 'postrider context --help')");
    }

    private @Nullable LinkTarget ofEnvironment() {
        String name = environment.variable("POSTRIDER_CONTEXT");
        if (name != null) {
            return named(name);
        }
        for (String variable : List.of("POSTRIDER_DATABASE", "DATABASE_URL")) {
            String url = environment.variable(variable);
            if (url != null) {
                return database(url, variable);
            }
            String api = environment.variable("POSTRIDER_API");
            if (api != null) {
                return api(api, "POSTRIDER_API");
            }
        }
        DatabaseUrl url = DatabaseUrl.ofPostgresVariables(environment);
        return url == null ? null : database(url, "PGHOST and PGDATABASE");
    }

    private LinkTarget database(String url, String origin) {
        return database(DatabaseUrl.of(url), origin);
    }

    private LinkTarget database(DatabaseUrl url, String origin) {
        String user = environment.variable("POSTRIDER_USER");
        String password = environment.variable("POSTRIDER_PASSWORD");
        return new LinkTarget(
                LinkTarget.Kind.DATABASE,
                url.jdbc(),
                new Login(url.user(), password == null ? url.password() : password, false).as(user),
                null,
                TableSettings.of(Map.of()).in(environment.variable("POSTRIDER_SCHEMA")),
                null,
                origin);
    }

    private LinkTarget api(String url, String origin) {
        String token = environment.variable("POSTRIDER_TOKEN");
        return new LinkTarget(
                LinkTarget.Kind.API,
                url,
                new Login(
                        environment.variable("POSTRIDER_USER"),
                        token == null ? environment.variable("POSTRIDER_PASSWORD") : token,
                        token != null),
                environment.variable("POSTRIDER_SOURCE"),
                TableSettings.of(Map.of()),
                null,
                origin);
    }

    /** Returns what a context connects to. */
    public LinkTarget named(String name) {
        Map<String, String> ofProject = project.contexts().get(name);
        Map<String, String> ofUser = user.contexts().get(name);
        if (ofProject != null) {
            return target(name, ofProject, project, false);
        }
        if (ofUser != null) {
            return target(name, ofUser, user, true);
        }
        List<String> known = list().stream().map(Listed::name).toList();
        throw new CliException(
                ExitCodes.NOT_FOUND,
                known.isEmpty()
                        ? "There is no context '%s': %s has none".formatted(name, user.path())
                        : "There is no context '%s'; there are: %s".formatted(name, String.join(", ", known)));
    }

    private LinkTarget target(String name, Map<String, String> settings, YamlFile file, boolean trusted) {
        return new ContextSettings(environment, new ContextSettings.Context(name, settings, file.path(), trusted))
                .target();
    }

    /** Returns all contexts; one of the project hides one of the user with the same name. */
    public List<Listed> list() {
        Map<String, Listed> found = new LinkedHashMap<>();
        String variable = environment.variable("POSTRIDER_CONTEXT");
        String current = variable == null ? current() : variable;
        for (YamlFile file : List.of(project, user)) {
            file.contexts().forEach((name, settings) -> {
                String url = settings.getOrDefault("api", settings.getOrDefault("database", "?"));
                found.putIfAbsent(
                        name,
                        new Listed(name, LinkTarget.masked(url), file.path().toString(), name.equals(current)));
            });
        }
        return new ArrayList<>(found.values());
    }

    private @Nullable String current() {
        return project.current() == null ? user.current() : project.current();
    }

    /** Makes a context the one that a command without flags uses, in the user's file. Everything else in it stays. */
    public Path use(String name) {
        named(name);
        Path file = user.path();
        try {
            String text = Files.isRegularFile(file) ? Files.readString(file) : "";
            String line = "current: " + quoted(name);
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.writeString(
                    file,
                    CURRENT.matcher(text).find()
                            ? CURRENT.matcher(text).replaceFirst(java.util.regex.Matcher.quoteReplacement(line))
                            : line + "\n" + text);
            return file;
        } catch (IOException e) {
            throw new CliException(ExitCodes.FAILED, "Could not write " + file, e);
        }
    }

    private static String quoted(String name) {
        return "'" + name.replace("'", "''") + "'";
    }

    private Path userFile() {
        String config = environment.variable("XDG_CONFIG_HOME");
        Path folder = config == null ? environment.home().resolve(".config") : Path.of(config);
        return folder.resolve("postrider").resolve("config.yml");
    }

    /** Looks upwards to the root of the git work tree; without one, in the folder itself only. */
    private Path projectFile() {
        Path start = environment.folder();
        Path folder = start;
        for (int i = 0; i < MOST_FOLDERS && folder != null; i++, folder = folder.getParent()) {
            Path file = folder.resolve(PROJECT_FILE);
            if (Files.isRegularFile(file) && (folder.equals(start) || inWorkTree(folder))) {
                return file;
            }
            if (Files.exists(folder.resolve(".git"))) {
                break;
            }
        }
        return start.resolve(PROJECT_FILE);
    }

    private static boolean inWorkTree(Path folder) {
        Path above = folder;
        for (int i = 0; i < MOST_FOLDERS && above != null; i++, above = above.getParent()) {
            if (Files.exists(above.resolve(".git"))) {
                return true;
            }
        }
        return false;
    }
}
